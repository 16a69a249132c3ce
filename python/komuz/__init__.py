# SPDX-License-Identifier: Apache-2.0
"""Komuz: ranks candidate programs on cases, searches for good ones, and runs them.

    import komuz

    ranking = komuz.rank(texts, X, y, score="squared")   # which of these programs fits best?
    found = komuz.search(sketch, X, y, generations=20)   # and which of all that a sketch stands for?
    pool = komuz.Pool(X, y)                              # the same for candidates that come in rounds
    f = komuz.compile(ranking.best.source)               # a function of numbers and arrays

docs/python.md describes all of it. Names are loaded when they are used, so the import takes some milliseconds.
"""
from __future__ import annotations

from ._version import VERSION as __version__

# As `typing` has it, which takes longer to import than all of this.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List

    from ._cases import Trap as Trap
    from ._diagnostics import Diagnostic as Diagnostic
    from ._errors import ClusterError as ClusterError
    from ._errors import CompileError as CompileError
    from ._errors import DeviceError as DeviceError
    from ._errors import Error as Error
    from ._errors import ForkError as ForkError
    from ._errors import InputError as InputError
    from ._errors import InterruptedWarning as InterruptedWarning
    from ._errors import OptionError as OptionError
    from ._errors import PackageError as PackageError
    from ._errors import TrapError as TrapError
    from ._estimators import SymbolicClassifier as SymbolicClassifier
    from ._estimators import SymbolicRegressor as SymbolicRegressor
    from ._fit import Fit as Fit
    from ._fit import FitProgress as FitProgress
    from ._fit import fit as fit
    from ._front import Formula as Formula
    from ._front import Front as Front
    from ._function import Cost as Cost
    from ._function import Function as Function
    from ._function import compile as compile
    from ._pool import Pool as Pool
    from ._pool import Round as Round
    from ._rank import rank as rank
    from ._rank import search as search
    from ._ranking import Candidate as Candidate
    from ._ranking import Ranking as Ranking
    from ._sketch import Sketch as Sketch
    from ._texts import Explanation as Explanation
    from ._texts import Fixed as Fixed
    from ._texts import check as check
    from ._texts import explain as explain
    from ._texts import fix as fix
    from ._texts import format as format

_MODULES = {
    "_cases": ["Trap"],
    "_diagnostics": ["Diagnostic"],
    "_errors": [
        "ClusterError",
        "CompileError",
        "DeviceError",
        "Error",
        "ForkError",
        "InputError",
        "InterruptedWarning",
        "OptionError",
        "PackageError",
        "TrapError",
    ],
    "_estimators": ["SymbolicClassifier", "SymbolicRegressor"],
    "_fit": ["Fit", "FitProgress", "fit"],
    "_front": ["Formula", "Front"],
    "_function": ["Cost", "Function", "compile"],
    "_pool": ["Pool", "Round"],
    "_rank": ["rank", "search"],
    "_ranking": ["Candidate", "Ranking"],
    "_sketch": ["Sketch"],
    "_texts": ["Explanation", "Fixed", "check", "explain", "fix", "format"],
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

# `from komuz import *` goes without what needs scikit-learn.
__all__ = ["__version__", *sorted(name for name, home in _HOMES.items() if home != "_estimators")]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module `komuz` has no `{name}`")
    from importlib import import_module

    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    from importlib.util import find_spec

    # Who looks at all of it, such as `help`, goes without what cannot be imported.
    missing = "_estimators" if find_spec("sklearn") is None else ""
    return ["__version__", *sorted(name for name, home in _HOMES.items() if home != missing)]
