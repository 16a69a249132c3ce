# SPDX-License-Identifier: Apache-2.0
"""Sketches: programs with holes, each of which stands for many programs."""
from __future__ import annotations

import os
from typing import Any, Optional, Tuple, Union

from ._diagnostics import compile_error, read_diagnostics
from ._errors import InputError
from ._read_text import checked_text, read_text


class Sketch:
    """A program with holes.

    >>> import komuz
    >>> sketch = komuz.Sketch("pub fn f(x: i64) -> i64 { ?[x + 1, x * 2, x - 3] }")
    >>> sketch.variants
    3
    >>> print(sketch.fill(1), end="")
    pub fn f(x: i64) -> i64 { x * 2 }
    """

    def __init__(self, text: str) -> None:
        """Compiles the text. Raises `CompileError` if it has errors, `InputError` if it has nothing to decide."""
        from . import _komuz

        self.text = checked_text(text)
        self._made = _komuz.Sketch(text)
        found = self._made.diagnostics_json()
        if found:
            raise compile_error(read_diagnostics(found))
        if not self._made.has_decisions():
            raise InputError(
                "the program has nothing to decide",
                remedy="a sketch has holes, such as `?c(0.0..1.0, steps: 8)`",
            )

    @classmethod
    def read(cls, path: Union[str, "os.PathLike[str]"]) -> "Sketch":
        """The sketch of a file."""
        return cls(read_text(path))

    @property
    def variants(self) -> Optional[int]:
        """How many programs it stands for; None if there are 2**64 or more."""
        return self._made.variants()

    def fill(self, variant: Union[int, str], *, literal: bool = False) -> str:
        """The program of a variant, by its number from 0, or by its name, such as `#12` or `#[3,0,2.5]`.

        It is simplified, for the same values and the same fuel; `literal=True` only fills the holes.
        """
        return self._made.fill(str(variant), literal)

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Sketch, (self.text,))

    def __repr__(self) -> str:
        return f"<Sketch of {self._made.count_text()} variants>"
