# SPDX-License-Identifier: Apache-2.0
"""Cases, as users have them, for the engine: a path, arrays, or a list of `(args, expected)`."""
from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Sequence, Tuple, Union

from ._columns import check_names, column, expected_parts, number_columns, parts_of
from ._errors import InputError

if TYPE_CHECKING:
    from ._komuz import NumberColumns

# Names that columns of arrays may not have, since the table of cases has them for other things.
_TAKEN = ("expected", "trap", "tol")


@dataclass(frozen=True)
class Trap:
    """What a case expects that has to end in a trap, such as `Trap("DIV_ZERO")`."""

    code: str


@dataclass
class Cases:
    """A name for messages with the columns or the text of the table, or a path alone; and the options that say how it is read."""

    name: str
    table: Union[None, str, "NumberColumns"]
    words: List[str]

    @property
    def given(self) -> Optional[Tuple[str, Union[str, "NumberColumns"]]]:
        return None if self.table is None else (self.name, self.table)


def read_cases(
    cases: Any, y: Any, columns: Optional[Sequence[str]], skip_missing: bool, weights: Any
) -> Cases:
    """`cases` is a path, a table of arguments (then `y` has the expected values), or a list of pairs."""
    if isinstance(cases, (str, os.PathLike)):
        if y is not None:
            raise InputError("cases are a path, and `y` is given, too", remedy="the file has the expected values")
        words = [] if weights is None else ["--weights", str(weights)]
        return Cases(os.fspath(cases), None, words)
    if y is None:
        return _read_pairs(cases)
    return _read_arrays(cases, y, columns, skip_missing, weights)


def _read_arrays(
    x: Any, y: Any, columns: Optional[Sequence[str]], skip_missing: bool, weights: Any
) -> Cases:
    parts, has_names = parts_of(x, columns)
    if isinstance(y, str):
        named = [part for part in parts if part[0] == [y]]
        if not named:
            raise InputError(
                f"X has no column `{y}` of expected values",
                remedy="give the name of one of a frame or a dict, or an array of expected values",
            )
        parts, y = [part for part in parts if part[0] != [y]], named[0][1]
    check_names(parts, "X")
    names = [name for part in parts for name in part[0]]
    for name in names:
        if name in _TAKEN:
            raise InputError(
                f"X has a column `{name}`, which has a meaning of its own in cases", remedy="rename it, or leave it out"
            )
    words: List[str] = []
    if isinstance(weights, str):
        if weights not in names:
            raise InputError(f"X has no column `{weights}` of weights", remedy="give its name, or an array of weights")
        words += ["--weights", weights]
    elif weights is not None:
        parts = parts + [(["weight"], column(weights, "weights"))]
        if "weight" in names:
            raise InputError("X has a column `weight`, and weights are given, too", remedy="rename the column")
        words += ["--weights", "weight"]
    if not has_names:
        for name in names:
            words += ["--input", name]
    numbers = number_columns(parts + expected_parts(y, "expected"), "X")
    if numbers.rows() == 0:
        raise InputError("X and y have no rows", remedy="give a row for each case")
    if skip_missing:
        words += ["--skip-missing"]
    else:
        numbers.refuse_nan("X and y")
    return Cases("X and y", numbers, words)


def _value(value: Any) -> Any:
    """A value for JSON, as Komuz writes them."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, (list, tuple)):
        return [_value(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _value(part) for key, part in value.items()}
    if isinstance(value, (bytes, bytearray)):
        return list(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise InputError(
        f"{value!r} is no value that a case can hold",
        remedy="values are numbers, truth values, texts, None, lists, tuples and dicts of these",
    )


def args_json(args: Any) -> Any:
    """Arguments by position or by name, for JSON."""
    if isinstance(args, (list, tuple, dict)):
        return _value(args)
    return [_value(args)]


def _read_pairs(cases: Any) -> Cases:
    if not isinstance(cases, Iterable) or isinstance(cases, dict) or hasattr(cases, "columns"):
        raise InputError(
            f"cases are a {type(cases).__name__} without expected values",
            remedy="give the expected values as `y`, or a list of (args, expected)",
        )
    lines = []
    for number, pair in enumerate(cases):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise InputError(
                f"case {number} is {pair!r}, and no pair of arguments and an expected value",
                remedy="give `((1.0, 2.0), 3.0)`, or arrays as X and y",
            )
        args, expected = pair
        row = {"args": args_json(args)}
        if isinstance(expected, Trap):
            row["trap"] = expected.code
        else:
            row["expected"] = _value(expected)
        lines.append(json.dumps(row))
    if not lines:
        raise InputError("there are no cases", remedy="give a pair of arguments and an expected value for each")
    return Cases("cases", "\n".join(lines) + "\n", [])
