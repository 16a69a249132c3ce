# SPDX-License-Identifier: Apache-2.0
"""Tables and columns that users have: arrays, frames, dicts and lists, as columns of numbers with names.

Nothing here copies numbers that lie in memory already. NumPy and pandas are not imported: what they make is known by
what it can do.
"""
from __future__ import annotations

import array
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from ._errors import InputError, OptionError

if TYPE_CHECKING:
    from ._komuz import NumberColumns

# A name and a buffer of one dimension, or several names and one of two. Or a name and Texts.
Part = Tuple[List[str], Any]


class Texts:
    """A column of texts: for each row the number of one of `texts`, below 0 where there is none.

    `are_texts`: also where all look like numbers. Else they are values of objects, and may be numbers.
    """

    def __init__(self, numbers: Any, texts: List[str], are_texts: bool) -> None:
        self.numbers, self.texts, self.are_texts = numbers, texts, are_texts

    @staticmethod
    def of(values: Iterable[Any], what: str) -> "Texts":
        """What values are in a file of CSV."""
        known: Dict[str, int] = {}
        numbers = array.array("i")
        are_texts = False
        for row, value in enumerate(values):
            are_texts = are_texts or isinstance(value, str)
            if is_missing(value):
                numbers.append(-1)
            else:
                numbers.append(known.setdefault(_text_of(value, what, row), len(known)))
        return Texts(numbers, list(known), are_texts)

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Optional[str]]:
        return (None if number < 0 else self.texts[number] for number in self.numbers)


def is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return (isinstance(value, str) and not value) or (isinstance(value, float) and value != value)


def _text_of(value: Any, what: str, row: int) -> str:
    if isinstance(value, str):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    raise InputError(
        f"{what}: row {row} is {value!r}, which is neither a number nor a text",
        remedy="leave the column out, or write numbers or texts there",
    )


def is_frame(x: Any) -> bool:
    """True for a frame as pandas has them."""
    return hasattr(x, "columns") and hasattr(x, "iloc")


def is_series(x: Any) -> bool:
    """True for one column of such a frame."""
    return hasattr(x, "to_numpy") and hasattr(x, "iloc") and not hasattr(x, "columns")


def is_extension_array(x: Any) -> bool:
    """True for an array of pandas itself, which may have missing values."""
    return hasattr(x, "isna") and hasattr(x, "to_numpy") and not hasattr(x, "iloc")


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


def _unmasked(x: Any) -> Any:
    """An array without a mask: what is masked is NaN."""
    if not (hasattr(x, "mask") and hasattr(x, "filled")):
        return x
    return x.astype("float64").filled(float("nan")) if getattr(x.mask, "any", bool)() else x.filled()


def _of_objects(x: Any) -> Optional[Any]:
    """An array of objects that are all numbers, as numbers."""
    if getattr(x, "ndim", 1) != 1 or not all(isinstance(value, (int, float)) or is_missing(value) for value in x):
        return None
    return array.array("d", [float("nan") if is_missing(value) else float(value) for value in x])


def _checked(x: Any, what: str) -> Any:
    """The array, if it holds numbers."""
    x = _unmasked(x)
    if hasattr(x, "toarray") and hasattr(x, "nnz"):
        raise InputError(f"{what} is sparse", remedy="give all of it, `x.toarray()`")
    dtype: Any = getattr(x, "dtype", None)
    kind = getattr(dtype, "kind", None)
    if kind == "O":
        numbers = _of_objects(x)
        if numbers is not None:
            return numbers
    if getattr(dtype, "names", None):
        raise InputError(
            f"{what} is a structured array",
            remedy="give a dict of its columns, `{name: x[name] for name in x.dtype.names}`",
        )
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
    if any(is_missing(value) for value in values):
        values = [float("nan") if is_missing(value) else value for value in values]
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


def _texts(values: Any, what: str) -> Optional[Texts]:
    """The column, if it holds texts, categories or objects."""
    if isinstance(values, Texts):
        return values
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    categories: Any = getattr(getattr(values, "dtype", None), "categories", None)
    if categories is not None:
        codes = values.cat.codes if hasattr(values, "cat") else values.codes
        names = [_text_of(one, what, row) for row, one in enumerate(categories)]
        return Texts(array.array("i", [int(code) for code in codes]), names, True)
    if isinstance(values, (list, tuple)) and any(isinstance(value, str) for value in values):
        return Texts.of(values, what)
    has_numbers = kind is not None and kind in "fiub"
    return Texts.of(values, what) if kind is not None and kind in "OUT" and not has_numbers else None


def column(values: Any, what: str, *, takes_texts: bool = False) -> Any:
    """One column as a buffer of one dimension; or as `Texts`, where these are taken."""
    from ._arrow import columns_of, is_arrow

    if takes_texts:
        texts = _texts(values, what)
        if texts is not None:
            return texts
    if is_series(values) or is_extension_array(values):
        plain: Any = getattr(values.dtype, "numpy_dtype", None)  # of a column that may have missing values
        if plain is None:
            values = values.to_numpy()
        elif bool(values.isna().any()):
            values = values.to_numpy(dtype="float64", na_value=float("nan"))
        else:
            values = values.to_numpy(dtype=plain)
    elif is_arrow(values) and not has_buffer(values):
        found = list(columns_of(values, takes_texts=takes_texts).values())
        if len(found) != 1:
            raise InputError(f"{what} has {len(found)} columns", remedy="give the one that is meant")
        values = joined(found[0])
        if isinstance(values, Texts):
            return values
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


def expected_parts(y: Any, name: str) -> List[Part]:
    """What is expected: a column of this name, or several of them, whose values are tuples."""
    columns: List[Any] = [y]
    if is_frame(y):
        columns = [y.iloc[:, k] for k in range(y.shape[1])]
    elif isinstance(y, dict):
        columns = list(y.values())
    elif isinstance(y, (list, tuple)) and y and all(is_array(part) for part in y):
        columns = list(y)
    elif isinstance(y, (list, tuple)) and y and all(isinstance(row, (list, tuple)) for row in y):
        return [([name], values) for _, values in _parts_of_rows(y, None, "y")]
    elif has_buffer(y) and width_of(y) > 1:
        return [([name] * width_of(y), _checked(y, "y"))]
    if not columns:
        raise InputError("y has no columns", remedy="give the expected values")
    return [([name], column(one, "y")) for one in columns]


def joined(part: Any) -> Any:
    """Batches of one column as one."""
    if not isinstance(part, list):
        return part
    if isinstance(part[0], Texts):
        return Texts.of((text for piece in part for text in piece), "the column")
    whole = bytearray()
    for piece in part:
        whole += piece.cast("B") if piece.nbytes else b""
    return memoryview(whole).cast("?" if part[0].format == "?" else part[0].format.lstrip("<@="))


def parts_of(
    x: Any, columns: Optional[Sequence[str]], what: str = "X", *, takes_texts: bool = False
) -> Tuple[List[Part], bool]:
    """The columns of a table, and whether they have names of their own."""
    from ._arrow import columns_of, is_arrow

    def read(values: Any, of: str) -> Any:
        return column(values, of, takes_texts=takes_texts)

    if isinstance(columns, str):
        raise OptionError(f"`columns` is a text, {columns!r}", remedy=f"give a list of names, `columns=[{columns!r}]`")
    table: Any = None
    if is_frame(x):
        table, there_are = x, x.columns
    elif isinstance(x, dict):
        table, there_are = x, x
    elif is_arrow(x) and not has_buffer(x):
        table = there_are = {name: joined(part) for name, part in columns_of(x, takes_texts=takes_texts).items()}
    if table is not None:
        keys = {str(key): key for key in there_are}  # names of frames may be numbers, and tuples of texts
        if len(keys) != len(list(there_are)):
            raise InputError(f"{what} has two columns of one name", remedy="rename one of them, or leave it out")
        names = list(keys) if columns is None else [str(name) for name in columns]
        wrong = [name for name in names if name not in keys]
        if wrong:
            raise InputError(f"{what} has no column `{wrong[0]}`", remedy="its columns are " + _listed(keys))
        return [([name], read(table[keys[name]], f"the column `{name}` of {what}")) for name in names], True
    if is_series(x):
        name = str(getattr(x, "name", None) or "x")
        return [([name if columns is None else columns[0]], read(x, what))], True
    if isinstance(x, (list, tuple)):
        return _parts_of_rows(x, columns, what, takes_texts), columns is not None
    if is_extension_array(x):
        return [(_names(1, columns, what), read(x, what))], columns is not None
    if not has_buffer(x) and not hasattr(x, "dtype"):
        raise InputError(
            f"{what} is a {type(x).__name__}",
            remedy="give an array, a frame, a dict of columns or a list of rows",
        )
    names = _names(width_of(x), columns, what)
    if takes_texts and getattr(getattr(x, "dtype", None), "kind", "f") in "OU" and x.ndim in (1, 2):
        flat = [x] if x.ndim == 1 else [x[:, k] for k in range(len(names))]
        return [([name], read(one, f"the column `{name}` of {what}")) for name, one in zip(names, flat)], columns is not None
    return [(names, _checked(x, what))], columns is not None


def width_of(x: Any) -> int:
    """How many columns an array has."""
    shape: Any = x.shape if hasattr(x, "shape") else memoryview(x).shape
    return int(shape[1]) if len(shape) == 2 else 1


def _names(width: int, columns: Optional[Sequence[str]], what: str) -> List[str]:
    if columns is None:
        return [f"x{k}" for k in range(width)]
    if len(columns) != width:
        raise InputError(
            f"{what} has {width} columns, and {len(columns)} names are given",
            remedy="`columns` names each of them",
        )
    return [str(name) for name in columns]


def _parts_of_rows(
    rows: Sequence[Any], columns: Optional[Sequence[str]], what: str, takes_texts: bool = False
) -> List[Part]:
    if not rows:
        raise InputError(f"{what} is empty", remedy="give a row for each case")
    if not isinstance(rows[0], (list, tuple)):
        return [(_names(1, columns, what), column(rows, what, takes_texts=takes_texts))]
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
        ([name], column([row[k] for row in rows], f"the column `{name}` of {what}", takes_texts=takes_texts))
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
        if isinstance(buffer, Texts):
            columns.add_texts(names[0], buffer.numbers, buffer.texts, buffer.are_texts)
            continue
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
