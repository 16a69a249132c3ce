# SPDX-License-Identifier: Apache-2.0
"""komuz.fit: from a table to a formula."""
from __future__ import annotations

import html
import importlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._cases import Cases
from ._columns import Part, column, expected_parts, is_frame, is_series, number_columns, parts_of
from ._errors import Error, InputError, InterruptedWarning, OptionError
from ._front import Formula, Front, has_names
from ._options import check_flag, in_python, raise_in_python, words_of
from ._progress import check_progress
from ._session import session
from ._warn import warn

if TYPE_CHECKING:
    from ._komuz import NumberColumns


class FitProgress(NamedTuple):
    """How far a fit has come.

    Attributes:
        fraction: of the whole, from 0 to 1; None: it is not known.
        search, searches: which of how many searches runs, from 0.
        generations, candidates: of this search.
        seconds: of this search.
    """

    fraction: Optional[float]
    search: int
    searches: int
    generations: int
    candidates: int
    seconds: float


Progress = Union[None, bool, Callable[[FitProgress], object]]

# What belongs to a terminal or to files, and what takes its place.
_ELSEWHERE = {
    "json": "the result has `.to_json()`",
    "best": "the result has `.best.komuz()`, `.best.c()`, …",
    "write-sketch": "`komuz fit --write-sketch` writes it",
    "plot": "the result has `._repr_html_()`",
    "memory": "bound the memory of the process, such as by `resource.setrlimit`",
    "log": "`komuz fit --log` writes one",
    "resume": "`komuz fit --resume` reads one",
    "wait": "`komuz fit --wait` has it",
}


class Fit:
    """What `komuz.fit` gives.

    Attributes:
        front: the best formula of each size.
        selected: which of them is taken, by its place on the front.
        why: why that one.
        target: the column that formulas are for.
        inputs: the columns that they may use, by their names in formulas.
        loss: what was made as small as possible.
        complete: False if the fit was ended before its end.
        notes: remarks, each with what can be done.
        report: the report as an object (docs/fit.md).

    It can be pickled: it holds texts alone.
    """

    def __init__(self, told: Dict[str, Any], columns: Optional[Sequence[str]]) -> None:
        self._json: bytes = told["json"]
        self._text: str = told["text"]
        self._plot: str = told["plot"]
        self.report: Dict[str, Any] = json.loads(self._json)
        self.notes: List[Tuple[str, str]] = [(in_python(said), in_python(remedy)) for said, remedy in told["notes"]]
        self.target: str = self.report["target"]
        self.loss: str = self.report["loss"]
        self.complete: bool = self.report["complete"]
        self.inputs: Tuple[str, ...] = tuple(one["name"] for one in self.report["inputs"])
        selected = self.report["selected"]
        self.selected: Optional[int] = None if selected is None else selected["index"]
        self.why: str = "" if selected is None else selected["why"]
        formulas = [
            Formula(row, program, self.report["inputs"], self.report["texts"], columns)
            for row, program in zip(self.report["front"], told["programs"])
        ]
        self.front = Front(formulas, told["selections"], self.selected)

    @property
    def best(self) -> Formula:
        """The formula that is taken, by the rule that `select` names. Raises `InputError` if there is none."""
        if self.selected is None:
            raise InputError("no formula gives a number on all rows", remedy="take other `operators`, or more time")
        return self.front[self.selected]

    def predict(self, X: Any) -> Any:
        """What the best formula gives for each row: an array of shape (rows,)."""
        return self.best(X)

    def to_json(self) -> bytes:
        """The report, in the bytes that `komuz fit --json` writes for the same."""
        return self._json

    def to_pandas(self) -> Any:
        """The front as a frame."""
        return self.front.to_pandas()

    def _repr_html_(self) -> str:
        """The front, the formula that is taken, and how it misses, for notebooks."""
        why = f"<p>{html.escape(self.why)}</p>" if self.why else ""
        return f"<p>{html.escape(self._text.splitlines()[0])}</p>{self.front._repr_html_()}{why}{self._plot}"

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        taken = "no formula" if self.selected is None else self.best.formula
        return f"<Fit {self.target} = {taken}{'' if self.complete else ', interrupted'}>"


def _joined(value: Any, name: str) -> Any:
    """Operators and generations as a list, units and directions as a dict: as the command line writes them."""
    if name == "operators" and not isinstance(value, str) and isinstance(value, Iterable):
        return " ".join(str(one) for one in value)
    if name == "generations" and isinstance(value, (list, tuple)):
        return ",".join(str(one) for one in value)
    if name == "units" and isinstance(value, dict):
        return ", ".join(f"{key}={unit}" for key, unit in value.items())
    if name in ("units", "monotone") and isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    if name == "monotone" and isinstance(value, dict):
        signs = {1: "+", -1: "-", "+": "+", "-": "-"}
        wrong = [key for key, sign in value.items() if sign not in signs]
        if wrong:
            raise OptionError(
                f"`monotone` is {value[wrong[0]]!r} for `{wrong[0]}`", remedy="1: rises, -1: falls"
            )
        return ", ".join(f"{key}{signs[sign]}" for key, sign in value.items())
    return value


def _name_of(y: Any, target: Optional[str], taken: Sequence[str]) -> str:
    if target is not None:
        return target
    name = getattr(y, "name", None) if is_series(y) else None
    return "y" if name is None or str(name) in taken else str(name)


def _one_column(y: Any, target: Optional[str]) -> Any:
    """The column of `y` that is meant, if it has several."""
    table: Any = y if is_frame(y) or isinstance(y, dict) else None
    if table is not None and target is not None and target in table:
        return table[target]
    parts = expected_parts(y, "y")
    count = sum(len(names) for names, _ in parts)
    if count > 1:
        raise InputError(
            f"y has {count} columns, and a formula gives one number",
            remedy="fit each column by itself"
            + (", such as by `target=` with its name" if table is not None else ": `komuz.fit(X, y[:, 0])`"),
        )
    return next(iter(table.values())) if isinstance(table, dict) else table.iloc[:, 0] if table is not None else y


class _Table:
    """A table for the engine: its columns, which of them is the target, and which has weights."""

    def __init__(self, X: Any, y: Any, target: Optional[str], columns: Optional[Sequence[str]], weights: Any) -> None:
        if isinstance(y, str):
            if target is not None and target != y:
                raise OptionError("the target is named twice, by `y` and by `target`", remedy="name it once")
            y, target = None, y
        if hasattr(X, "columns") and hasattr(X, "to_numpy") and not any(isinstance(name, str) for name in X.columns):
            X = X.to_numpy()  # columns that are numbered have no names
        parts, self.has_names = parts_of(X, columns, takes_texts=True)
        names = [name for part in parts for name in part[0]]
        twice = [name for k, name in enumerate(names) if name in names[:k]]
        if twice:
            raise InputError(f"X has two columns `{twice[0]}`", remedy="rename one of them")
        self.target = target
        if y is not None:
            y = _one_column(y, target)
            self.target = _name_of(y, target, names)
            if self.target in names:
                raise InputError(
                    f"X has a column `{self.target}`, and y is given, too",
                    remedy="leave the column out, or give `target=` another name",
                )
        elif target is not None and target not in names:
            raise InputError(f"X has no column `{target}`", remedy="name the target, or give it as `y`")
        elif target is None and not has_names(X) and columns is None:
            raise InputError("`y` is missing", remedy="give the values that a formula is looked for")
        self.weights: Optional[str] = None
        more: List[Part] = []
        if isinstance(weights, str):
            if weights not in names:
                raise InputError(
                    f"X has no column `{weights}` of weights", remedy="give its name, or an array of weights"
                )
            self.weights = weights
        elif weights is not None:
            self.weights = "weights"
            while self.weights in names or self.weights == self.target:
                self.weights += "_"
            more.append(([self.weights], column(weights, "weights")))
        if y is not None:
            assert self.target is not None
            more.append(([self.target], column(y, "y")))
        self.columns = [name for name in names if name not in (self.target, self.weights)]
        self._parts = parts + more
        self._called = {names[0]: "y" if names[0] == self.target else "weights" for names, _ in more}

    def numbers(self, x: str, both: str, skip_missing: bool) -> "NumberColumns":
        """For the engine. Messages call the table `x`, and with `y` `both`."""
        numbers = number_columns(self._parts, x, self._called)
        if numbers.rows() == 0:
            raise InputError(f"{both} without rows", remedy="give a row for each case")
        if not skip_missing:
            numbers.refuse_nan(both)
        return numbers


def _read_table(
    X: Any, y: Any, target: Optional[str], columns: Optional[Sequence[str]], weights: Any, skip_missing: bool
) -> Tuple[Cases, Optional[List[str]], Optional[str]]:
    """The table, the columns of X, which a path does not tell, and the name of the target if it is known."""
    if isinstance(X, (str, os.PathLike)):
        if y is not None and not isinstance(y, str):
            raise InputError("X is a path, and `y` is given, too", remedy="name the column: `target=\"price\"`")
        if weights is not None and not isinstance(weights, str):
            raise InputError("X is a path, and weights are given, too", remedy="name a column of it: `weights=\"w\"`")
        if columns is not None:
            raise OptionError("`columns` names those of arrays", remedy="a path has a header; see `input` and `ignore`")
        words = [] if weights is None else [f"--weights={weights}"]
        named = target if y is None else y
        return Cases(_path(X), None, words), None, named
    table = _Table(X, y, target, columns, weights)
    words = [] if table.weights is None else [f"--weights={table.weights}"]
    return Cases("X and y", table.numbers("X", "X and y", skip_missing), words), table.columns, table.target


def _path(path: Any) -> str:
    text = str(os.fspath(path))
    return "./" + text if text.startswith("-") else text


def _read_held_out(
    held_out: Any, target: Optional[str], columns: Optional[Sequence[str]], weights: Optional[str], skip_missing: bool
) -> Cases:
    if isinstance(held_out, (str, os.PathLike)):
        return Cases(_path(held_out), None, [])
    X, y = held_out if isinstance(held_out, tuple) and len(held_out) == 2 else (held_out, None)
    # Columns without names have those of the table.
    names = None if has_names(X) else columns
    table = _Table(X, y, target, names, weights)
    return Cases("held_out", table.numbers("held_out", "held_out", skip_missing), [])


def _read_starts(start: Any) -> Tuple[List[Tuple[str, str]], List[str]]:
    """Programs with ids, and words that name paths."""
    texts: List[Tuple[str, str]] = []
    words: List[str] = []
    one_by_one = [start] if isinstance(start, (str, os.PathLike, Formula)) else start
    if one_by_one is not None and not isinstance(one_by_one, Iterable):
        one_by_one = [one_by_one]
    for number, one in enumerate(() if one_by_one is None else one_by_one, 1):
        if isinstance(one, Formula):
            texts.append((str(number), one.program))
        elif isinstance(one, str) and "fn " in one:
            texts.append((str(number), one))
        elif isinstance(one, (str, os.PathLike)):
            words.append(f"--start={_path(one)}")
        else:
            raise InputError(
                f"`start` has a {type(one).__name__}",
                remedy="give texts of programs, paths, or formulas of another fit",
            )
    return texts, words


class _Bar:
    """A line that grows; by tqdm, where it is installed."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._has_line = False

    def tell(self, progress: FitProgress) -> None:
        percent = None if progress.fraction is None else int(100 * progress.fraction)
        if self._bar is None:
            try:
                self._bar = importlib.import_module("tqdm.auto").tqdm(total=100, unit="%")
            except ImportError:
                self._bar = False
        if self._bar:
            if percent is not None:
                self._bar.update(percent - self._bar.n)
            return
        share = "" if percent is None else f"{percent} %, "
        sys.stderr.write(f"\r{share}{progress.generations} generations of search {progress.search + 1}")
        sys.stderr.flush()
        self._has_line = True

    def end(self) -> None:
        if self._bar:
            self._bar.close()
        elif self._has_line:
            sys.stderr.write("\n")


def fit(
    X: Any,
    y: Any = None,
    *,
    target: Optional[str] = None,
    columns: Optional[Sequence[str]] = None,
    weights: Any = None,
    sample_weight: Any = None,
    held_out: Any = None,
    start: Any = None,
    skip_missing: bool = False,
    progress: Progress = None,
    **options: Any,
) -> Fit:
    """Looks for formulas that give `y` from the columns of `X`: one of each size.

    Args:
        X: an array of shape (rows,) or (rows, columns), a frame, a dict of columns, or a list of rows; or the path of a
            CSV or JSONL with a header. Numbers are float64, float32, integers or booleans. Columns may also hold texts of
            few values, such as objects, categories and strings of pandas.
        y: the values that formulas are to give, an array of shape (rows,); or the name of a column of `X`.
        target: the name of that column; with `y` as an array, what formulas call it (by default the name of the
            series, or `y`); with a `y` of several columns, the one that is meant.
        columns: names of the columns of an array; or those of a frame that are meant.
        weights, sample_weight: what losses of rows are multiplied by, 0 or more: an array of shape (rows,), or the name
            of a column. Either name does.
        held_out: rows that the formulas are judged by: a tuple `(X, y)`, a table with the target, or a path. By default
            a share of the rows, `split=0.2`.
        start: programs that the search begins with, and that are judged, too: texts, paths, formulas of other fits.
        skip_missing: leave out rows in which a number is missing (NaN).
        progress: True for a bar, or a function that is called with a `FitProgress` about ten times a second.
        options: those of `komuz fit` by the same names (docs/fit.md): `generations=40` ends each search after so many,
            which gives the same everywhere; `time=30` after so many seconds of all searches together (by default 60);
            `loss="absolute"`, `operators="+ - * exp"` (or a list), `max_size=15`, `depth=3`, `select="knee"`,
            `folds=5`, `seed=1`, `seeds=3`, `units={"x": "m", "t": "s", "v": "m/s"}`, `monotone={"x": 1}`,
            `threads=2`, …

    Returns:
        A `Fit`: `.best` is the formula that is taken, `.front` has one of each size. Each can be called.

    Raises:
        InputError: the table is wrong: shapes, missing numbers, columns that hold no numbers, nothing to fit.
        OptionError: an option is wrong.

    Ctrl-C ends the search. The front is then that of what was found: `fit.complete` is False, and a warning
    (`InterruptedWarning`) says so. Before the first formula, it raises `KeyboardInterrupt`.

    >>> import komuz
    >>> length = [0.1 * k for k in range(1, 121)]
    >>> period = [2.0 * l ** 0.5 for l in length]
    >>> fit = komuz.fit({"length": length}, period, target="period", generations=10, population=100)
    >>> fit.best.formula
    '2.0 * sqrt(length)'
    >>> fit.best(4.0)
    4.0
    """
    from . import _komuz

    if weights is not None and sample_weight is not None:
        raise OptionError("`weights` and `sample_weight` are the same, and both are given", remedy="give one of them")
    weights = sample_weight if weights is None else weights
    words = words_of("fit", {name: _joined(value, name) for name, value in options.items()}, _ELSEWHERE)
    if target is not None and not isinstance(target, str):
        raise OptionError(f"`target` is a {type(target).__name__}", remedy="give the name of a column")
    given, names, named_target = _read_table(X, y, target, columns, weights, skip_missing)
    words = [given.name] + given.words + words
    if named_target is not None:
        words.append(f"--target={named_target}")
    if check_flag("skip_missing", skip_missing):
        words.append("--skip-missing")
    more: Optional[Cases] = None
    if held_out is not None:
        named_weights = weights if isinstance(weights, str) else None
        more = _read_held_out(held_out, named_target, names, named_weights, skip_missing)
        words.append(f"--held-out={more.name}")
    starts, start_words = _read_starts(start)
    check_progress(progress)
    bar = _Bar() if progress is True else None
    tell = bar.tell if bar else progress if callable(progress) else None

    def tell_parts(*parts: Any) -> None:
        assert tell is not None
        tell(FitProgress(*parts))

    session()  # says what to do after a fork
    try:
        told = _komuz.fit(
            words + start_words,
            given.given,
            more.given if more else None,
            starts,
            tell_parts if tell is not None else None,
        )
    except Error as error:
        raise_in_python(error)
    finally:
        if bar:
            bar.end()
    made = Fit(told, names)
    if told["was_interrupted"]:
        if not made.front:
            raise KeyboardInterrupt
        warn("interrupted: the formulas are those until then", InterruptedWarning)
    return made
