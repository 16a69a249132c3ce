# SPDX-License-Identifier: Apache-2.0
"""Tables and columns that users have: arrays, frames, dicts and lists, as columns of numbers with names.

Nothing here copies numbers that lie in memory already. NumPy and pandas are not imported: what they make is known by
what it can do.
"""
from __future__ import annotations

import array
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Tuple

from ._errors import InputError

if TYPE_CHECKING:
    from ._komuz import NumberColumns

# A name and a buffer of one dimension, or several names and one of two.
Part = Tuple[List[str], Any]


def is_frame(x: Any) -> bool:
    """True for a frame as pandas has them."""
    return hasattr(x, "columns") and hasattr(x, "iloc")


def is_series(x: Any) -> bool:
    """True for one column of such a frame."""
    return hasattr(x, "to_numpy") and hasattr(x, "iloc") and not hasattr(x, "columns")


def has_buffer(x: Any) -> bool:
    """True for what shows its memory."""
    if isinstance(x, (bytes, bytearray, str)):
        return False
    try:
        memoryview(x).release()
    except (TypeError, BufferError, ValueError):
        return hasattr(x, "__array_interface__")
    return True


def is_array(x: Any) -> bool:
    """True for anything that holds rows; False for one number."""
    from ._arrow import is_arrow

    if isinstance(x, (bool, int, float, str, bytes)):
        return False
    if getattr(x, "ndim", None) == 0:
        return False
    return is_frame(x) or is_series(x) or isinstance(x, dict) or is_arrow(x) or has_buffer(x)


def _checked(x: Any, what: str) -> Any:
    """The array, if it holds numbers."""
    dtype: Any = getattr(x, "dtype", None)
    kind = getattr(dtype, "kind", None)
    if kind is not None and (kind not in "fiub" or not has_buffer(x)):
        missing = getattr(x, "isna", None)
        if kind == "O" and missing is None:
            for row, value in enumerate(getattr(x, "flat", x)):
                if value is None or type(value).__name__ == "NAType":
                    raise InputError(
                        f"{what}: row {row} is missing",
                        remedy="leave such rows out before, or write a number there",
                    )
        raise InputError(
            f"{what} holds {dtype}, and Komuz reads float64, float32, integers and booleans",
            remedy="convert it, such as by `.astype('float64')`, or leave the column out",
        )
    if kind is not None and dtype.byteorder == ">":
        raise InputError(
            f"{what} is stored with the other order of bytes",
            remedy="convert it by `.astype(x.dtype.newbyteorder('='))`",
        )
    return x


def _of_numbers(values: Sequence[Any], what: str) -> Any:
    """A list of numbers as a buffer."""
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return memoryview(bytearray(values)).cast("?")
    for row, value in enumerate(values):
        if isinstance(value, (int, float)) or hasattr(value, "__float__"):
            continue
        raise InputError(
            f"{what}: row {row} is {value!r}, which is no number",
            remedy="give numbers; other values go as a list of (args, expected)",
        )
    if all(issubclass(kind, int) for kind in kinds):
        try:
            return array.array("q", values)
        except OverflowError:
            raise InputError(f"{what} holds integers beyond 64 bits", remedy="give smaller ones, or floats") from None
    return array.array("d", [float(value) for value in values])


def column(values: Any, what: str) -> Any:
    """One column as a buffer of one dimension."""
    from ._arrow import columns_of, is_arrow

    if is_series(values):
        values = values.to_numpy()
    elif is_arrow(values) and not has_buffer(values):
        found = list(columns_of(values).values())
        if len(found) != 1:
            raise InputError(f"{what} has {len(found)} columns", remedy="give the one that is meant")
        values = _joined(found[0])
    shape = getattr(values, "shape", None)
    if shape is not None and len(shape) == 2 and shape[1] == 1 and hasattr(values, "reshape"):
        values = values.reshape(-1)
    if has_buffer(values):
        return _checked(values, what)
    if hasattr(values, "dtype"):
        return _checked(values, what)  # says why
    if isinstance(values, (list, tuple, range)):
        return _of_numbers(list(values), what)
    raise InputError(
        f"{what} is a {type(values).__name__}",
        remedy="give an array, a column of a frame or a list of numbers",
    )


def _joined(part: Any) -> Any:
    """Batches of one column as one buffer."""
    if not isinstance(part, list):
        return part
    whole = bytearray()
    for piece in part:
        whole += piece.cast("B") if piece.nbytes else b""
    return memoryview(whole).cast("?" if part[0].format == "?" else part[0].format.lstrip("<@="))


def parts_of(x: Any, columns: Optional[Sequence[str]], what: str = "X") -> Tuple[List[Part], bool]:
    """The columns of a table, and whether they have names of their own."""
    from ._arrow import columns_of, is_arrow

    if is_frame(x):
        names = [str(name) for name in x.columns] if columns is None else list(columns)
        wrong = [name for name in names if name not in x.columns]
        if wrong:
            raise InputError(f"{what} has no column `{wrong[0]}`", remedy="its columns are " + _listed(x.columns))
        return [([name], column(x[name], f"the column `{name}` of {what}")) for name in names], True
    if isinstance(x, dict):
        names = [str(name) for name in x] if columns is None else list(columns)
        wrong = [name for name in names if name not in x]
        if wrong:
            raise InputError(f"{what} has no column `{wrong[0]}`", remedy="its columns are " + _listed(x))
        return [([name], column(x[name], f"the column `{name}` of {what}")) for name in names], True
    if is_arrow(x) and not has_buffer(x):
        found = columns_of(x)
        names = list(found) if columns is None else list(columns)
        wrong = [name for name in names if name not in found]
        if wrong:
            raise InputError(f"{what} has no column `{wrong[0]}`", remedy="its columns are " + _listed(found))
        return [([name], _joined(found[name])) for name in names], True
    if is_series(x):
        name = str(getattr(x, "name", None) or "x")
        return [([name if columns is None else columns[0]], column(x, what))], True
    if isinstance(x, (list, tuple)):
        return _parts_of_rows(x, columns, what), columns is not None
    if not has_buffer(x) and not hasattr(x, "dtype"):
        raise InputError(
            f"{what} is a {type(x).__name__}",
            remedy="give an array, a frame, a dict of columns or a list of rows",
        )
    _checked(x, what)
    shape = memoryview(x).shape if not hasattr(x, "shape") else x.shape
    width = shape[1] if len(shape) == 2 else 1
    return [(_names(width, columns, what), x)], columns is not None


def _names(width: int, columns: Optional[Sequence[str]], what: str) -> List[str]:
    if columns is None:
        return [f"x{k}" for k in range(width)]
    if len(columns) != width:
        raise InputError(
            f"{what} has {width} columns, and {len(columns)} names are given",
            remedy="`columns` names each of them",
        )
    return [str(name) for name in columns]


def _parts_of_rows(rows: Sequence[Any], columns: Optional[Sequence[str]], what: str) -> List[Part]:
    if not rows:
        raise InputError(f"{what} is empty", remedy="give a row for each case")
    if not isinstance(rows[0], (list, tuple)):
        return [(_names(1, columns, what), column(rows, what))]
    width = len(rows[0])
    for number, row in enumerate(rows):
        if not isinstance(row, (list, tuple)) or len(row) != width:
            length = len(row) if isinstance(row, (list, tuple)) else 1
            raise InputError(
                f"{what}: row {number} has {length} numbers, and row 0 has {width}",
                remedy="give as many numbers in each row",
            )
    names = _names(width, columns, what)
    return [
        ([name], _of_numbers([row[k] for row in rows], f"the column `{name}` of {what}"))
        for k, name in enumerate(names)
    ]


def _listed(names: Any) -> str:
    shown = [f"`{name}`" for name in list(names)[:8]]
    return ", ".join(shown) + (", …" if len(names) > 8 else "")


def check_names(parts: List[Part], what: str) -> None:
    """Names have to be names of the language, and different ones."""
    from . import _komuz

    known = set()
    for names, _ in parts:
        for name in names:
            if not _komuz.is_name(name):
                raise InputError(
                    f"{what} has a column `{name}`, which is no name that a program can use",
                    remedy=f"rename it, such as to `{_komuz.usable_name(name) or 'x'}`",
                )
            if name in known:
                raise InputError(f"{what} has two columns `{name}`", remedy="rename one of them")
            known.add(name)


# How messages speak of columns of cases that are no arguments.
_CALLED = {"expected": "y", "weight": "weights"}


def number_columns(parts: List[Part], what: str, called: Mapping[str, str] = _CALLED) -> "NumberColumns":
    """The columns for the engine, all of the same length. `called`: what messages call columns that are not of `what`."""
    from . import _komuz

    columns = _komuz.NumberColumns()
    for names, buffer in parts:
        columns.add(called.get(names[0], what) if len(names) == 1 else what, names, buffer)
    lengths = columns.lengths()
    names = [name for part in parts for name in part[0]]
    for name, length in zip(names, lengths):
        if length != lengths[0]:
            raise InputError(
                f"`{names[0]}` has {lengths[0]} rows, and `{name}` has {length}",
                remedy="give as many rows of each column",
            )
    return columns
