# SPDX-License-Identifier: Apache-2.0
"""Candidates, as users have them, for the engine."""
from __future__ import annotations

import itertools
import os
import re
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, List, Optional, Sized, Tuple

from ._errors import InputError, OptionError
from ._sketch import Sketch

_FUNCTION = re.compile(r"\bfn\s+\w+\s*\(")
_SIGNATURE = re.compile(r"^\s*(?:pub\s+)?(?:fn\b\s*\w*\s*)?(\(.*\)\s*->.*?)\s*$", re.DOTALL)


@dataclass
class Candidates:
    """What the engine is given: words that name paths, an iterator of (id, text), or a sketch."""

    words: List[str]
    texts: Optional[Iterator[Tuple[str, str]]] = None
    total: Optional[int] = None
    sketch: Optional[Tuple[str, str]] = None


def whole_program(text: str, signature: Optional[str]) -> str:
    """The program of a bare expression: the body of a function with this signature.

    >>> whole_program("x * x", "fn(x: f64) -> f64")
    'pub fn f(x: f64) -> f64 { x * x }'
    """
    if signature is None or _FUNCTION.search(text):
        return text
    head = _SIGNATURE.match(signature)
    if head is None or "..." in signature:
        raise OptionError(
            f"`{signature}` is no signature that an expression can have",
            remedy="write `signature=\"fn(x: f64, y: f64) -> f64\"`",
        )
    return f"pub fn f{head.group(1)} {{ {text} }}"


def _texts(candidates: Iterable[Any], signature: Optional[str]) -> Iterator[Tuple[str, str]]:
    if signature is None and isinstance(candidates, list) and all(type(c) is str for c in candidates):
        return zip(itertools.repeat(""), candidates)  # as below, and several times as fast
    return _each_text(candidates, signature)


def _each_text(candidates: Iterable[Any], signature: Optional[str]) -> Iterator[Tuple[str, str]]:
    for number, candidate in enumerate(candidates):
        if isinstance(candidate, str):
            yield "", whole_program(candidate, signature)
            continue
        if isinstance(candidate, (tuple, list)) and len(candidate) == 2 and isinstance(candidate[1], str):
            yield str(candidate[0]), whole_program(candidate[1], signature)
            continue
        raise InputError(
            f"candidate {number} is a {type(candidate).__name__}",
            remedy="give its text, or a tuple of an id and the text",
        )


def read_candidates(candidates: Any, signature: Optional[str]) -> Candidates:
    """`candidates` is a path, a list of paths as `pathlib.Path`, a sketch, or an iterable of texts or (id, text)."""
    if isinstance(candidates, Sketch):
        return Candidates(["sketch"], sketch=("sketch", candidates.text))
    is_expression = isinstance(candidates, str) and signature is not None and not os.path.exists(candidates)
    if isinstance(candidates, str) and (is_expression or _FUNCTION.search(candidates) or "\n" in candidates):
        raise InputError(
            "candidates are one text", remedy="give a list of texts, `[text]`, or `komuz.Sketch(text)` for its variants"
        )
    if isinstance(candidates, (str, os.PathLike)):
        return Candidates([_path(candidates)])
    if isinstance(candidates, (list, tuple)) and candidates and all(isinstance(c, os.PathLike) for c in candidates):
        return Candidates([_path(c) for c in candidates])
    if not isinstance(candidates, Iterable) or isinstance(candidates, (bytes, dict)):
        raise InputError(
            f"candidates are a {type(candidates).__name__}",
            remedy="give a list of texts, a path, a generator or a `komuz.Sketch`",
        )
    total = len(candidates) if isinstance(candidates, Sized) else None
    return Candidates(["candidates.jsonl"], texts=_texts(candidates, signature), total=total)


def _path(path: Any) -> str:
    text = str(os.fspath(path))
    if text == "-":
        raise InputError("`-` is the standard input of a command", remedy="give a generator of (id, text)")
    return "./" + text if text.startswith("-") else text
