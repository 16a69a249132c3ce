# SPDX-License-Identifier: Apache-2.0
"""Texts of programs, as calls and files give them."""
from __future__ import annotations

import os
from typing import Any, Union

from ._errors import InputError


def checked_text(text: Any) -> str:
    """The text, if it is one that UTF-8 can hold."""
    if not isinstance(text, str):
        raise InputError(f"a program is a text, and this is a {type(text).__name__}", remedy="give its text")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise InputError(
            f"{text[error.start]!r} is half of a character of UTF-16, which a text cannot hold by itself",
            remedy="leave it out, or read the text as UTF-8",
            file="<text>",
            line=line,
        ) from None
    return text


def read_text(path: Union[str, "os.PathLike[str]"]) -> str:
    """The text of a file."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", remedy="check the path", file=os.fspath(path)) from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start} is no UTF-8", remedy="write the file in UTF-8", file=os.fspath(path)
        ) from None
