# SPDX-License-Identifier: Apache-2.0
"""Formulas that a fit has found: each by itself, and the front of size and error."""
from __future__ import annotations

import html
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union, overload

from ._columns import Texts, column, has_buffer, is_array, is_missing, joined, parts_of, width_of
from ._errors import InputError
from ._function import Function
from ._imports import imported
from ._warn import warn

_Row = Dict[str, Any]
_TRUTH = {"true": 1.0, "false": 0.0}  # as tables write it


class Formula:
    """A formula on a front: its text, its errors, and a function of tables and numbers.

    Attributes:
        formula: its text, such as `2.0 * sqrt(l)`.
        size: how many variables, numbers, operators and calls it has.
        error: how far it is off on the rows that it was fitted to, in the unit of the target (of squares the root of
            the mean); of two classes, the mean loss.
        held_out_error: the same on rows that were held out; None: there are none.
        r2, held_out_r2: the share of the variance that it explains; None where that says nothing.
        right, held_out_right: of two classes, the share of rows for which it names the right one; else None.
        program: the formula as a program of Komuz.
        row: its object in the report (docs/fit.md).
    """

    def __init__(
        self,
        row: _Row,
        program: str,
        inputs: Sequence[_Row],
        texts: Dict[str, List[str]],
        columns: Optional[Sequence[str]],
    ) -> None:
        self.row, self._commented = row, program
        self._texts = texts
        self._inputs = {one["name"]: one for one in inputs}
        self._columns = None if columns is None else list(columns)
        self._made: Optional[Function] = None
        self.formula: str = row["formula"]
        self.size: int = row["size"]
        self.program: str = row["program"]
        training, held_out = row["training"] or {}, row["held_out"] or {}
        self.error: Optional[float] = training.get("error")
        self.held_out_error: Optional[float] = held_out.get("error")
        self.r2: Optional[float] = training.get("r2")
        self.held_out_r2: Optional[float] = held_out.get("r2")
        self.right: Optional[float] = training.get("right")
        self.held_out_right: Optional[float] = held_out.get("right")

    @property
    def function(self) -> Function:
        """The compiled program: it takes a value, or an array, for each of its parameters."""
        if self._made is None:
            self._made = Function(self.program)
        return self._made

    @property
    def parameters(self) -> Tuple[str, ...]:
        """What the formula depends on, by the names that it has for columns."""
        return self.function.parameters

    def __call__(self, *args: Any, errors: str = "raise", threads: Optional[int] = None, **named: Any) -> Any:
        """Its values.

        Args:
            args: one table: an array of shape (rows, columns) with the columns of the `X` that was fitted, a frame or a
                dict with columns of these names, or a list of rows. Or what `function` takes: a number or an array of
                shape (rows,) for each parameter.
            errors, threads: as for `komuz.Function`.
            named: numbers or arrays by the names of parameters.

        Returns:
            An array of shape (rows,), or a number. A formula of two classes is above 0 for the second one.
        """
        if len(args) == 1 and not named and self._is_table(args[0]):
            columns = self._columns_of(args[0])
            return self.function(*columns, errors=errors, threads=threads)
        return self.function(*args, errors=errors, threads=threads, **named)

    predict = __call__

    def _is_table(self, x: Any) -> bool:
        if isinstance(x, (list, tuple)):
            has_one = self._columns is not None and len(self._columns) == 1
            return bool(x) and (isinstance(x[0], (list, tuple)) or has_one)
        if not is_array(x):
            return False
        if isinstance(x, dict) or hasattr(x, "columns") or getattr(x, "ndim", 0) == 2:
            return True
        if has_buffer(x) or hasattr(x, "dtype"):
            return self._columns is not None and len(self._columns) == 1
        return True

    def _columns_of(self, x: Any) -> List[Any]:
        """For each parameter the column of the table."""
        parts: Dict[str, Any] = {}
        if has_names(x):
            x = as_arrow_columns(x)
            for name in self.parameters:
                header = self._header(name)
                if header not in (x.columns if hasattr(x, "columns") else x):
                    raise InputError(
                        f"X has no column `{header}`, which the formula {self.formula} needs",
                        remedy="give a table with the columns that were fitted",
                    )
                parts[name] = x[header]
            return self._read(parts)
        positions = self._columns
        if positions is None:
            positions = [self._header(name) for name in self._inputs]
        names = None if isinstance(x, (list, tuple)) else [str(k) for k in range(width_of(x))]
        found, _ = parts_of(x, names, takes_texts=True)
        width = sum(len(names) for names, _ in found)
        if width != len(positions):
            raise InputError(
                f"X has {width} column{'s' if width != 1 else ''}, and the table that was fitted has {len(positions)}",
                remedy="they are " + ", ".join(f"`{name}`" for name in positions[:8]),
            )
        return self._read({name: _nth(found, positions.index(self._header(name))) for name in self.parameters})

    def _read(self, parts: Dict[str, Any]) -> List[Any]:
        """A column of numbers for each parameter."""
        from ._arrow import is_arrow

        texts: Dict[str, Any] = {}  # columns whose texts are indicators, each of which may be several
        columns = []
        for name in self.parameters:
            values, header = parts[name], self._header(name)
            if "category" in self._inputs.get(name, {}):
                if header not in texts and is_arrow(values) and not has_buffer(values):
                    values = column(values, self._called(name), takes_texts=True)
                if header not in texts:
                    self._warn_of_others(header, values)
                values = texts.setdefault(header, values)
            columns.append(self._column(name, values))
        return columns

    def _warn_of_others(self, header: str, values: Any) -> None:
        known = self._texts.get(header, [])
        others = sorted(
            {
                str(value)
                for value in set(values).difference(known)
                if not is_missing(value) and not any(_is_category(value, one) for one in known)
            }
        )
        if others:
            more = f" and {len(others) - 1} others" if len(others) > 1 else ""
            warn(
                f"the column `{header}` has `{others[0]}`{more}, which the fit has not seen: formulas take it for none of the texts "
                "that they name"
            )

    def _called(self, name: str) -> str:
        return f"the column `{self._header(name)}` of X"

    def _header(self, name: str) -> str:
        known = self._inputs.get(name)
        return name if known is None else str(known["column"])

    def _column(self, name: str, values: Any) -> Any:
        category = self._inputs.get(name, {}).get("category")
        what = self._called(name)
        if category is None:
            values = column(values, what, takes_texts=True)
            return column(_numbers_of(values, what), what) if isinstance(values, Texts) else values
        # What is missing is of no category, so what follows from it is missing, too.
        of = [float("nan") if is_missing(value) else float(_is_category(value, category)) for value in values]
        return column(of, what)

    def code(self, target: str) -> str:
        """The formula in another language, as `komuz export --to` writes it (docs/export.md).

        Targets are those of the methods below, and `cuda`, `julia`, `rust`, `javascript`, `mathml`, `excel`, `sql`.
        """
        return self.function.code(target)

    def komuz(self) -> str:
        """A program, with comments that say what it was fitted to and for which values it has been seen."""
        return self._commented

    def python(self) -> str:
        """A module of Python that needs no package."""
        return self.code("python")

    def numpy(self) -> str:
        """A function of NumPy arrays."""
        return self.code("numpy")

    def sympy(self) -> str:
        """An expression of SymPy."""
        return self.code("sympy")

    def latex(self) -> str:
        """A formula for a text."""
        return self.code("latex")

    def c(self) -> str:
        """A function of C."""
        return self.code("c")

    def _repr_latex_(self) -> str:
        lines = [line for line in self.latex().splitlines() if not line.startswith(("%", "\\begin", "\\end"))]
        return "$\\displaystyle " + " ".join(lines).strip() + "$"

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_made": None}

    def __str__(self) -> str:
        return self.formula

    def __repr__(self) -> str:
        return f"<Formula {self.formula} size={self.size} error={_short(self.error)}>"


def _numbers_of(texts: Texts, what: str) -> List[float]:
    """Of a column whose texts are numbers."""
    numbers = []
    for row, text in enumerate(texts):
        try:
            numbers.append(_TRUTH[text] if text in _TRUTH else float(text or "nan"))
        except ValueError:
            raise InputError(f"{what}: row {row} is {text!r}, which is no number", remedy="write a number there") from None
    return numbers


def _is_category(value: Any, category: str) -> bool:
    """True if the category is this value, as tables of texts have it."""
    if isinstance(value, str):
        return value == category
    try:
        return bool(value == _TRUTH.get(category) or value == float(category))
    except ValueError:
        return str(value) == category


def has_names(x: Any) -> bool:
    """True for a table whose columns have names: a dict, or a frame."""
    from ._arrow import is_arrow

    return isinstance(x, dict) or hasattr(x, "columns") or (is_arrow(x) and not has_buffer(x))


def as_arrow_columns(x: Any) -> Any:
    """The table itself, or a dict of its columns if it has them by Arrow alone."""
    from ._arrow import columns_of

    if isinstance(x, dict) or hasattr(x, "iloc"):
        return x
    return {name: joined(part) for name, part in columns_of(x, takes_texts=True).items()}


def _nth(parts: Sequence[Tuple[List[str], Any]], at: int) -> Any:
    """The column at a position of all columns."""
    for names, values in parts:
        if at >= len(names):
            at -= len(names)
            continue
        if len(names) == 1:
            return values
        if hasattr(values, "dtype"):
            return values[:, at]
        rows: Any = memoryview(values).tolist()
        return [row[at] for row in rows]
    raise IndexError(at)


def _short(number: Optional[float]) -> str:
    return "" if number is None else f"{number:.4g}"


# The columns of a front as a frame, as attributes of formulas.
_COLUMNS = ("size", "error", "held_out_error", "r2", "held_out_r2", "right", "held_out_right", "formula")


class Front(Sequence[Formula]):
    """The best formula of each size, smallest first: each has a smaller error than all before it.

    >>> import komuz
    >>> X = [[0.5 * k, (7 * k) % 5] for k in range(120)]
    >>> front = komuz.fit(X, [2.0 * a * b for a, b in X], generations=10, population=100).front
    >>> front[-1].formula, front[-1].size
    ('x0 * x1 * 2.0', 5)
    >>> front[-1]([[1.0, 3.0], [2.0, 2.0]])[1]
    8.0
    """

    def __init__(
        self, formulas: Sequence[Formula], selections: Dict[str, Optional[int]], selected: Optional[int]
    ) -> None:
        self._formulas, self._selections, self._selected = list(formulas), dict(selections), selected

    def __len__(self) -> int:
        return len(self._formulas)

    @overload
    def __getitem__(self, at: int) -> Formula: ...

    @overload
    def __getitem__(self, at: slice) -> List[Formula]: ...

    def __getitem__(self, at: Union[int, slice]) -> Union[Formula, List[Formula]]:
        return self._formulas[at]

    def __iter__(self) -> Iterator[Formula]:
        return iter(self._formulas)

    def select(self, how: str) -> Formula:
        """The formula that `komuz fit --select` takes: `"smallest"`, `"knee"` or `"best"` (docs/fit.md)."""
        from ._errors import OptionError

        if how not in self._selections:
            raise OptionError(
                f"there is no way `{how}` to select a formula", remedy="take one of " + ", ".join(self._selections)
            )
        at = self._selections[how]
        if at is None:
            raise InputError("no formula gives a number on all rows", remedy="take other `operators`, or more time")
        return self._formulas[at]

    def knee(self) -> Formula:
        """The formula behind which larger ones gain little: the knee of the curve of size and error."""
        return self.select("knee")

    def to_pandas(self) -> Any:
        """A frame with a row for each formula. Columns that say nothing here, such as errors on held-out rows where
        there are none, are left out."""
        pandas = imported("pandas")
        rows = {name: [getattr(one, name) for one in self._formulas] for name in _COLUMNS}
        frame = pandas.DataFrame({k: v for k, v in rows.items() if any(cell is not None for cell in v)})
        for name in frame.columns:
            if name not in ("size", "formula"):
                frame[name] = frame[name].astype("float64")
        return frame

    def _repr_html_(self) -> str:
        """A table for notebooks; the formula that is taken is bold."""
        names = [name for name in _COLUMNS if any(getattr(one, name) is not None for one in self._formulas)]
        head = "".join(f"<th>{name.replace('held_out_', 'held-out ').replace('r2', 'R²')}</th>" for name in names)
        body = []
        for at, one in enumerate(self._formulas):
            cells = []
            for name in names:
                value = getattr(one, name)
                text = html.escape(_short(value) if isinstance(value, float) else "" if value is None else str(value))
                if name == "formula":
                    text = f"<code>{text}</code>"
                align = "left" if name == "formula" else "right"
                text = f"<b>{text}</b>" if at == self._selected else text
                cells.append(f'<td style="text-align: {align}">{text}</td>')
            body.append(f"<tr>{''.join(cells)}</tr>")
        return f"<table><tr>{head}</tr>{''.join(body)}</table>"

    def __repr__(self) -> str:
        lines = [f"<Front of {len(self)} formulas"]
        lines += [f"  {one.size:3}  {_short(one.error):>9}  {one.formula}" for one in self._formulas]
        return "\n".join(lines) + ">"
