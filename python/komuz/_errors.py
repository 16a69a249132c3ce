# SPDX-License-Identifier: Apache-2.0
"""Exceptions: what is wrong, where, and what to do.

All of them are `Error`. Each has the parts of its message as attributes, so that a program can act on them:

>>> import komuz
>>> try:
...     komuz.rank(["x"], "no_such_file.csv", signature="fn(x: f64) -> f64")
... except komuz.InputError as error:
...     print(error.remedy)
check the spelling of the path
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

if TYPE_CHECKING:
    from ._diagnostics import Diagnostic
    from ._ranking import Ranking


class Error(Exception):
    """What Komuz raises.

    Attributes:
        message: what is wrong, without the place.
        remedy: what can be done; empty if there is no advice.
        file: the name of the input that it is about; empty: of none.
        line: the line of it, from 1; 0: the input as a whole.
        column: the byte of the line, from 1; 0: the line as a whole.
        ranking: of a run that had ended when something went wrong, such as `best=` without a program that can be written; else None.
    """

    ranking: Optional["Ranking"] = None

    def __init__(
        self, message: str, *, remedy: str = "", file: str = "", line: int = 0, column: int = 0
    ) -> None:
        self.message, self.remedy = message, remedy
        self.file, self.line, self.column = file, line, column
        super().__init__(message)

    def __str__(self) -> str:
        place = ":".join([self.file] + [str(n) for n in (self.line, self.column) if n]) if self.file else ""
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}; {self.remedy}" if self.remedy else text

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.message,), {name: value for name, value in self.__dict__.items() if name != "ranking"})


class InputError(Error, ValueError):
    """Candidates, cases or arguments are wrong, or cannot be read."""


class OptionError(Error, ValueError):
    """An option is wrong, or does not go with another one."""


class DeviceError(Error, RuntimeError):
    """The GPU failed, or there is none; or native code cannot be made."""


class ForkError(Error, RuntimeError):
    """This process was forked from one that has used Komuz, whose threads it does not have."""


class ClusterError(Error, RuntimeError):
    """Workers of a cluster have ended too often, or there are none any more, or the scheduler has gone."""


class PackageError(Error, ImportError):
    """A package of Python is missing that this needs, such as scikit-learn."""


class CompileError(InputError):
    """A program does not compile.

    Attributes:
        diagnostics: all that is to be said of the program, in its order.
    """

    def __init__(self, message: str, *, diagnostics: Sequence["Diagnostic"] = (), **place: object) -> None:
        super().__init__(message, **place)  # type: ignore[arg-type]
        self.diagnostics = tuple(diagnostics)


class TrapError(Error, ArithmeticError):
    """A program trapped: it divided by zero, ran out of fuel, …

    Attributes:
        code: the trap, such as `DIV_ZERO`; `komuz.explain(code)` says more.
        function: the function in which it happened.
        row: the first row of arrays that trapped, from 0; None for a call with scalars.
        count: how many rows trapped.
        depth: live calls at that place, the entry's included.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        function: str = "",
        row: Optional[int] = None,
        count: int = 1,
        depth: int = 1,
        **place: object,
    ) -> None:
        super().__init__(message, **place)  # type: ignore[arg-type]
        self.code, self.function = code, function
        self.row, self.count, self.depth = row, count, depth


class InterruptedWarning(UserWarning):
    """Ctrl-C ended a run; its ranking is that of the candidates before."""


# As users see them.
_CLASSES = (
    Error, InputError, OptionError, DeviceError, ForkError, ClusterError, PackageError, CompileError, TrapError,
    InterruptedWarning,
)
for _class in _CLASSES:
    _class.__module__ = "komuz"
