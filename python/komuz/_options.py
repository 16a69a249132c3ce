# SPDX-License-Identifier: Apache-2.0
"""Options of `komuz eval` and `komuz search` as keywords: `--first-failure` is `first_failure=True`."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, NoReturn

from ._errors import Error, OptionError

# What belongs to a terminal or to files, and what takes its place.
_ELSEWHERE = {
    "json": "the result has `.to_json()`",
    "best": "the result has `.best.source`",
    "plot": "the result has `._repr_html_()`",
    "progress": "give a function, `progress=print`, or `progress=True`",
    "memory": "bound the memory of the process, such as by `resource.setrlimit`",
    "stats": "`komuz eval --stats` says it",
    "unprotect": "`komuz fill --unprotect CASES` does it",
    "optimise": "`komuz eval --optimise` does it",
    "by": "`komuz eval --optimise` has it",
}


def words_of(options: Dict[str, Any], elsewhere: Mapping[str, str] = _ELSEWHERE) -> List[str]:
    """The words of a command line that say the same. `elsewhere`: options that have other forms here."""
    words: List[str] = []
    for name, value in options.items():
        option = name.replace("_", "-")
        if option in elsewhere:
            raise OptionError(f"there is no option `{name}` here", remedy=elsewhere[option])
        if value is None or value is False:
            continue
        if value is True:
            words.append(f"--{option}")
            continue
        values = value if isinstance(value, (list, tuple)) else [value]
        for one in values:
            words.append(f"--{option}={_text(name, one)}")
    return words


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**63 else repr(value)
    if isinstance(value, int) or hasattr(value, "__fspath__"):
        return str(value)
    raise OptionError(f"`{name}` is a {type(value).__name__}", remedy="give a number or a text")


def _keyword(match: "re.Match[str]") -> str:
    name, value = match.group(1).replace("-", "_"), match.group(2)
    if not value:
        return f"`{name}`"
    value = value.strip().lstrip("=").strip()
    return f"`{name}={value}`" if re.fullmatch(r"[A-Z0-9./-]+", value) else f"`{name}={value!r}`"


def in_python(text: str) -> str:
    """A sentence about options of command lines, with their names in Python.

    >>> in_python("`--first-failure` is for `--score exact`")
    "`first_failure` is for `score='exact'`"
    """
    return re.sub(r"`--([a-z][a-z-]*)((?:[ =][^`]*)?)`", _keyword, text)


def raise_in_python(error: Error) -> NoReturn:
    """Raises the error, which speaks of keywords."""
    error.message, error.remedy = in_python(error.message), in_python(error.remedy)
    error.args = (error.message,)
    raise error from None
