# SPDX-License-Identifier: Apache-2.0
"""Compiled programs as functions of Python."""
from __future__ import annotations

import array
import json
import os
import sys
from dataclasses import dataclass
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple, Union

from ._cases import args_json
from ._columns import Part, column, has_buffer, is_array, is_frame, number_columns, parts_of
from ._diagnostics import compile_error, read_diagnostics
from ._errors import InputError, OptionError, TrapError
from ._read_text import checked_text, read_text
from ._session import session

_NUMPY_TYPES = {"?": "bool", "b": "i1", "h": "i2", "i": "i4", "q": "i8", "B": "u1", "H": "u2", "I": "u4"}
_NUMPY_TYPES.update({"Q": "u8", "f": "f4", "d": "f8"})
_ERRORS = ("raise", "nan", "mask")


@dataclass(frozen=True)
class Cost:
    """What a function costs, as its code says.

    Attributes:
        code_bytes: of its instructions.
        stack_bytes: for a call of it and all that it calls.
        depth: how deep its recursion may go; 0: it does not call itself.
        ticks: the most ticks of fuel that a call takes; None: that depends on `depends_on`.
    """

    code_bytes: int
    stack_bytes: int
    depth: int
    ticks: Optional[int]
    depends_on: Tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return self.text


class Function:
    """A compiled program: call it with numbers, or with arrays of them. `komuz.compile` makes it."""

    def __init__(self, text: str, entry: Optional[str] = None, file: str = "") -> None:
        from . import _komuz

        self._made = _komuz.Program(text, entry or "", file)
        self.source = text
        if not self._made.is_compiled():
            raise compile_error(read_diagnostics(self._made.diagnostics_json()), file or "<text>")
        if self._made.refusal():
            raise InputError(self._made.refusal(), remedy="name the function that is meant: `entry=\"f\"`")
        facts = self._made.facts()
        self.__name__: str = facts["name"]
        self.signature: str = facts["signature"]
        self.parameters: Tuple[str, ...] = tuple(facts["parameters"])
        self._formats: str = facts["parameter_formats"]
        self._results: str = facts["result_formats"]
        self._has_tuple: bool = facts["has_tuple"]

    @property
    def _is_of_scalars(self) -> bool:
        return len(self._formats) == len(self.parameters) and bool(self._results)

    @property
    def cost(self) -> Cost:
        """What a call costs."""
        found = self._made.cost()
        return Cost(
            found["code_bytes"],
            found["stack_bytes"],
            found["depth"],
            found["ticks"],
            tuple(found["depends_on"]),
            found["text"],
        )

    def code(self, target: Optional[str] = None) -> str:
        """Its bytecode as text or, with a target such as `c`, `numpy` or `latex`, the same in that language.

        The targets are those of `komuz export` (docs/export.md).
        """
        if target is None:
            return str(self._made.cost()["code"])
        return self._made.exported(target)

    def __call__(
        self,
        *args: Any,
        errors: str = "raise",
        fuel: int = 1_000_000,
        threads: Optional[int] = None,
        **named: Any,
    ) -> Any:
        """Calls it.

        Args:
            args: a value for each parameter. Or arrays of shape (rows,), and numbers that stand for all rows. Or one
                array of shape (rows, columns), a frame or a dict: columns go to the parameters of their names; those of
                an array, which have none, in order. Where a parameter is a list, an array is its value.
            errors: what a trap does: `"raise"` raises `TrapError`, `"nan"` gives NaN for the row, and `"mask"` gives a tuple
                of the results and an array that is True for rows that trapped; of one row, a tuple of its result and a bool.
            fuel: ticks that a row may take.
            threads: for arrays; by default one for each processor.
            named: values by the names of parameters.

        Returns:
            A number, or an array of shape (rows,): of NumPy if that has been imported, else of the module `array`. A
            tuple of these if the function gives a tuple.
        """
        if errors not in _ERRORS:
            raise OptionError(f"`errors` is {errors!r}", remedy="it is one of 'raise', 'nan' and 'mask'")
        for name, number in (("fuel", fuel), ("threads", threads)):
            if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 0):
                raise OptionError(f"`{name}` is {number!r}", remedy="give a whole number")
        values = self._bind(args, named)
        if isinstance(values, list) and not self._is_of_scalars:
            values = [_listed(value) for value in values]
        if isinstance(values, list) and not any(self._is_rows(value) for value in values):
            return self._call_once(values, errors, fuel)
        return self._call_rows(values, errors, fuel, threads)

    def _bind(self, args: Sequence[Any], named: Dict[str, Any]) -> Union[List[Any], Dict[str, Any]]:
        """A value for each parameter, in order; or one table, by the names of its columns or with as many columns."""
        if len(args) == 1 and not named and self._is_table(args[0]):
            return {"table": args[0]}
        names = self.parameters
        if len(args) > len(names):
            self._refuse_count(len(args) + len(named))
        values = dict(zip(names, args))
        for name, value in named.items():
            if name not in names:
                raise InputError(
                    f"`{self.__name__}` has no parameter `{name}`", remedy=f"it is {self.__name__}{self.signature}"
                )
            if name in values:
                raise InputError(f"`{name}` is given twice", remedy="give it once")
            values[name] = value
        if len(values) != len(names):
            self._refuse_count(len(values))
        return [values[name] for name in names]

    def _is_rows(self, value: Any) -> bool:
        """True for an argument that has a value for each row."""
        return is_array(value) or (self._is_of_scalars and isinstance(value, (list, tuple)))

    def _is_table(self, x: Any) -> bool:
        from ._arrow import is_arrow

        if isinstance(x, (list, tuple)):
            return False
        if is_frame(x) or (isinstance(x, dict) and self._is_of_scalars):
            return True
        if getattr(x, "ndim", 1) == 2:
            return self._is_of_scalars
        return is_arrow(x) and not hasattr(x, "dtype") and len(self.parameters) != 1

    def _refuse_count(self, count: int) -> NoReturn:
        raise InputError(
            f"`{self.__name__}` takes {len(self.parameters)} arguments, and {count} are given",
            remedy=f"it is {self.__name__}{self.signature}",
        )

    def _call_once(self, values: List[Any], errors: str, fuel: int) -> Any:
        self._check_errors(errors)
        from . import _komuz

        line = json.dumps({"args": args_json(values)})
        most = _komuz.limits()["case_line"]
        if len(line) > most:
            raise InputError(
                f"the arguments of `{self.__name__}` are too long: as text they have {len(line):,} bytes",
                remedy=f"a call takes {most:,} at most",
            )
        results, traps = self._made.run_json(session(), line + "\n", fuel)
        if traps is not None and errors == "raise":
            self._raise_trap(traps, None)
        given: Any = None  # a trap of a function that gives more than numbers
        if traps is None:
            given = _from_json(json.loads(results[0]), self._results, self._has_tuple)
        elif self._results:
            parts = [float("nan") if kind in "fd" else 0 for kind in self._results]
            given = tuple(parts) if self._has_tuple else parts[0]
        return (given, traps is not None) if errors == "mask" else given

    def _check_errors(self, errors: str) -> None:
        if errors == "nan" and (not self._results or any(kind not in "fd" for kind in self._results)):
            raise OptionError(
                f"`errors='nan'` is for results that are floats, and `{self.__name__}` gives others",
                remedy="take `errors='mask'`",
            )

    def _parts(self, values: Union[List[Any], Dict[str, Any]]) -> List[Part]:
        if isinstance(values, list):
            return [([name], _column_of(value, name)) for name, value in zip(self.parameters, values)]
        table = values["table"]
        parts, has_names = parts_of(table, None)
        names = [name for part in parts for name in part[0]]
        if has_names:
            missing = [name for name in self.parameters if name not in names]
            if missing:
                raise InputError(
                    f"X has no column `{missing[0]}`, which `{self.__name__}{self.signature}` takes",
                    remedy="its columns are " + ", ".join(f"`{name}`" for name in names[:8]),
                )
            by_name = {part[0][0]: part for part in parts}
            return [by_name[name] for name in self.parameters]
        if len(names) != len(self.parameters):
            raise InputError(
                f"X has {len(names)} columns, and `{self.__name__}{self.signature}` takes {len(self.parameters)}",
                remedy="give a column for each parameter",
            )
        return [(list(self.parameters), parts[0][1])]

    def _call_rows(
        self, values: Union[List[Any], Dict[str, Any]], errors: str, fuel: int, threads: Optional[int]
    ) -> Any:
        if not self._is_of_scalars:
            raise InputError(
                f"`{self.__name__}{self.signature}` takes or gives more than numbers",
                remedy="call it with the values of one row at a time",
            )
        self._check_errors(errors)
        from . import _komuz

        columns = _komuz.NumberColumns()
        for names, buffer in self._parts(values):
            columns.add("the argument" if len(names) == 1 else "X", names, buffer)
        lengths = columns.lengths()
        rows = max(lengths, default=0) if 0 not in lengths else 0
        for name, length in zip(self.parameters, lengths):
            if length not in (1, rows):
                raise InputError(
                    f"`{name}` has {length} rows, and another argument has {rows}",
                    remedy="give arrays of the same length, or one number for all rows",
                )
        columns.spread(rows)
        results = [_empty(kind, rows) for kind in self._results]
        marks = _empty("?", rows) if errors == "mask" else bytearray(rows) if errors == "nan" else None
        traps = self._made.run_rows(session(), columns, rows, results, marks, fuel, threads or 0)
        if traps is not None and errors == "raise":
            self._raise_trap(traps, traps["row"])
        if traps is not None and errors == "nan":
            assert isinstance(marks, bytearray)
            for result in results:
                _put_nan(result, marks)
        given = tuple(results) if self._has_tuple else results[0]
        return (given, marks) if errors == "mask" else given

    def _raise_trap(self, traps: Dict[str, Any], row: Optional[int]) -> NoReturn:
        where = "" if row is None else f" on row {row}"
        more = f" ({traps['count']} rows trapped)" if traps["count"] > 1 else ""
        raise TrapError(
            f"trap {traps['code']}{where} in `{traps['function']}`{more}",
            code=traps["code"],
            function=traps["function"],
            row=row,
            count=traps["count"],
            depth=traps["depth"],
            file=traps["file"] or "<text>",
            line=traps["line"],
            column=traps["column"],
            remedy=f"`komuz.explain({traps['code']!r})` says more",
        )

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Function, (self.source, self.__name__))

    def __repr__(self) -> str:
        return f"<Function {self.__name__}{self.signature}>"


def _listed(value: Any) -> Any:
    """An array as a list, where a list is wanted."""
    return value.tolist() if has_buffer(value) and hasattr(value, "tolist") else value


def _column_of(value: Any, name: str) -> Any:
    if is_array(value) or isinstance(value, (list, tuple)):
        return column(value, f"`{name}`")
    return column([value], f"`{name}`")


def _empty(kind: str, rows: int) -> Any:
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        return numpy.zeros(rows, bool) if kind == "?" else numpy.empty(rows, _NUMPY_TYPES[kind])
    if kind == "?":
        return memoryview(bytearray(rows)).cast("?")
    return array.array(kind, bytes(rows * array.array(kind).itemsize))


def _put_nan(result: Any, marks: bytearray) -> None:
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        result[numpy.frombuffer(marks, bool)] = numpy.nan
        return
    at = marks.find(1)
    while at >= 0:
        result[at] = float("nan")
        at = marks.find(1, at + 1)


def _from_json(value: Any, formats: str, is_tuple: bool) -> Any:
    """A result: floats that JSON has no numbers for are texts there."""
    if not formats:
        return value
    parts = value if is_tuple else [value]
    out = [float(part) if kind in "fd" else part for part, kind in zip(parts, formats)]
    return tuple(out) if is_tuple else out[0]


def compile(text: str, *, entry: Optional[str] = None, signature: Optional[str] = None) -> Function:
    """Compiles a program, or an expression with a `signature`, to a function.

    Args:
        text: a program; or an expression, such as `"x * x + 1.0"`.
        entry: the function that is called; by default the only `pub fn`.
        signature: of an expression, `"fn(x: f64) -> f64"`.

    Raises:
        CompileError: the program has errors, which are its `diagnostics`.

    >>> import komuz
    >>> f = komuz.compile("sqrt(x) + y", signature="fn(x: f64, y: f64) -> f64")
    >>> f(9.0, 1.0)
    4.0
    >>> import array
    >>> list(f(array.array("d", [1.0, 4.0]), 0.5))
    [1.5, 2.5]
    >>> g = komuz.compile("pub fn g(a: i64, b: i64) -> i64 { a / b }")
    >>> g(7, 0)
    Traceback (most recent call last):
        ...
    komuz.TrapError: <text>:1:37: trap DIV_ZERO in `g`; `komuz.explain('DIV_ZERO')` says more
    """
    from ._candidates import whole_program

    if isinstance(text, os.PathLike):
        return Function(read_text(text), entry, os.fspath(text))
    return Function(whole_program(checked_text(text), signature), entry)
