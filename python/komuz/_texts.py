# SPDX-License-Identifier: Apache-2.0
"""Questions about texts: check, format, fix, explain."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import List, Tuple

from ._diagnostics import Diagnostic, compile_error, read_diagnostics
from ._read_text import checked_text


def check(text: str, *, file: str = "<text>") -> List[Diagnostic]:
    """What the compiler says of a text, in its order; empty: nothing is wrong.

    Modules are looked for beside `file`, then in the current folder.

    >>> import komuz
    >>> print(komuz.check("pub fn f(x: f64) -> f64 { y }")[0])
    1:27: error[K0201]: there is no `y` here
    """
    from . import _komuz

    return read_diagnostics(_komuz.check(checked_text(text), file))


def format(text: str) -> str:
    """The text in its one canonical form. Raises `CompileError` if it has errors of syntax.

    >>> import komuz
    >>> print(komuz.format("pub fn f(x:f64)->f64{x*x}"), end="")
    pub fn f(x: f64) -> f64 { x * x }
    """
    from . import _komuz

    formatted, diagnostics = _komuz.format(checked_text(text))
    if formatted is None:
        raise compile_error(read_diagnostics(diagnostics or "[]"))
    return formatted


@dataclass(frozen=True)
class Fixed:
    """A text whose errors were mended as far as that is known, and the edits: code, line and message of each."""

    text: str
    fixes: Tuple[Tuple[str, int, str], ...]


def fix(text: str) -> Fixed:
    """The text after all edits that its diagnostics offer, as `komuz fix` makes them.

    >>> import komuz
    >>> komuz.fix("pub fn f(x: float) -> float { x }").text
    'pub fn f(x: f64) -> f64 { x }'
    """
    from . import _komuz

    mended, fixes = _komuz.fix(checked_text(text))
    return Fixed(mended, tuple(fixes))


@dataclass(frozen=True)
class Explanation:
    """What a diagnostic or a trap means, with examples; `str()` gives the whole page."""

    name: str
    kind: str
    message: str
    text: str
    page: str

    def __str__(self) -> str:
        return self.page


def explain(name: str) -> Explanation:
    """Explains a diagnostic or a trap by its name. Raises `OptionError` if there is none.

    >>> import komuz
    >>> komuz.explain("DIV_ZERO").kind
    'trap'
    """
    from . import _komuz

    page, row = _komuz.explain(checked_text(name))
    found = json.loads(row)
    return Explanation(found["name"], found["kind"], found["message"], found["text"], page)
