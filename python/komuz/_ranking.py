# SPDX-License-Identifier: Apache-2.0
"""Results: a ranking of candidates, and what is known of each."""
from __future__ import annotations

import html
import json
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union, overload

from ._diagnostics import Diagnostic, diagnostic_of
from ._errors import InterruptedWarning
from ._imports import imported
from ._not_pickled import NotPickled
from ._options import in_python
from ._warn import warn

if TYPE_CHECKING:
    from ._arrow import ArrowTable
    from ._komuz import Pool as MadePool
    from ._komuz import Ranking as Made

_KINDS = {
    "id": "TEXT",
    "rank": "WHOLE",
    "status": "TEXT",
    "score": "FLOAT",
    "passed": "WHOLE",
    "fuel": "WHOLE",
    "code_bytes": "WHOLE",
    "duplicate_of": "TEXT",
    "behaviour": "TEXT",
    "same_behaviour_as": "TEXT",
    "pareto": "BOOL",
}


class Candidate(NotPickled):
    """A candidate of a ranking or a pool. What is known of it is read when it is asked for."""

    def __init__(self, made: "Union[Made, MadePool]", at: int, entry: str) -> None:
        self._made, self._at, self._entry = made, at, entry
        self._row: Optional[Dict[str, Any]] = None

    @property
    def row(self) -> Dict[str, Any]:
        """The candidate's object in the report of `komuz eval --json` (docs/cli.md)."""
        if self._row is None:
            self._row = json.loads(self._made.row_json(self._at))
        return self._row

    @property
    def id(self) -> str:
        """Its id; a candidate without one has its number, from 1."""
        return self._made.id(self._at)

    @property
    def rank(self) -> Optional[int]:
        """From 1; None if it did not run, or is of a round of a pool, whose ranking has it."""
        return self._made.rank(self._at)

    @property
    def status(self) -> str:
        """`ok`, `wrong`, `trap`, `compile_error`, `refused` or `unscored`."""
        return self._made.status(self._at)

    @property
    def score(self) -> Optional[float]:
        """In the unit of the score; None if it has none."""
        return self._made.score(self._at)

    @property
    def duplicate_of(self) -> Optional[str]:
        """The id of the first candidate with the same tokens, if that is another one: it was not run again."""
        first: Optional[str] = self.row["duplicate_of"]
        return first

    @property
    def same_behaviour_as(self) -> Optional[str]:
        """The id of the first candidate with other tokens that did the same on every case, if there is one."""
        first: Optional[str] = self.row["same_behaviour_as"]
        return first

    @property
    def source(self) -> str:
        """The text that was compiled; that of a sketch's variant is simplified."""
        return self._made.source(self._at)

    @property
    def failures(self) -> List[Dict[str, Any]]:
        """The first case that did not end as expected, in a list; empty if all did."""
        first = self.row["first_failure"]
        return [] if first is None else [first]

    @property
    def diagnostics(self) -> List[Diagnostic]:
        """What the compiler says of it, or why it did not run."""
        return [diagnostic_of(row) for row in self.row["diagnostics"]]

    def case_scores(self) -> Optional[Any]:
        """The score of each case, as an array of float64: 1 or 0 for an exact score, else the case's error.

        A bad case has a NaN. None: the candidate did not run, or the ranking was made without `case_scores=True`.
        """
        return self._made.case_scores(self._at)

    def predict(self, X: Any, *, errors: str = "raise") -> Any:
        """What it gives for each row of `X`: an array of as many elements.

        With `score="correlation"`, on the line that the score has fitted. `X` has columns of the names of its
        parameters, or as many as it has.
        """
        if self._made.facts()["has_harness"]:
            from ._errors import OptionError

            raise OptionError(
                "a candidate of a harness is no function of rows by itself",
                remedy="compile the harness and the candidate together: `komuz export`",
            )
        from ._function import compile

        given = compile(self.source, entry=self._entry or None)(X, errors=errors)
        line = self.row.get("line")
        if line is None:
            return given
        slope, intercept = line["slope"], line["intercept"]
        if hasattr(given, "dtype"):
            return slope * given + intercept
        return type(given)(given.typecode, [slope * value + intercept for value in given])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Candidate) and self._made is other._made and self._at == other._at

    def __hash__(self) -> int:
        return hash((id(self._made), self._at))

    def __repr__(self) -> str:
        return f"<Candidate {self.id!r} rank={self.rank} status={self.status!r} score={self.score}>"


class CandidateList(NotPickled, Sequence[Candidate]):
    """Candidates, each of which is looked at when it is asked for."""

    def __init__(self, made: "Union[Made, MadePool]", entry: str) -> None:
        self._made, self._entry = made, entry

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, at: int) -> Candidate: ...

    @overload
    def __getitem__(self, at: slice) -> List[Candidate]: ...

    def __getitem__(self, at: Union[int, slice]) -> Union[Candidate, List[Candidate]]:
        if isinstance(at, slice):
            return [Candidate(self._made, k, self._entry) for k in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(f"there are {len(self)} candidates")
        return Candidate(self._made, at % len(self), self._entry)

    def __iter__(self) -> Iterator[Candidate]:
        return (Candidate(self._made, at, self._entry) for at in range(len(self)))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} candidates>"


class Rows(CandidateList):
    """All candidates, best first; those that did not run last, in input order."""


class Ranking(NotPickled):
    """What `komuz.rank` and `komuz.search` give.

    >>> import komuz
    >>> ranking = komuz.rank(["x + 1", "2 * x"], [(3, 6), (4, 8)], signature="fn(x: i64) -> i64")
    >>> ranking.best.source
    'pub fn f(x: i64) -> i64 { 2 * x }'
    >>> [(c.id, c.score) for c in ranking.rows]
    [('2', 2.0), ('1', 0.0)]
    """

    _instead = "`to_json()`, `to_pandas()` and `to_arrow()` give what can be"

    def __init__(self, made: "Made") -> None:
        self._made = made
        self._facts = made.facts()

    @property
    def complete(self) -> bool:
        """False if the run was ended before its end: then these are the candidates before."""
        return bool(self._facts["complete"])

    @property
    def signature(self) -> Optional[str]:
        """Of the entry, such as `(x: f64) -> f64`; None if no candidate gave one."""
        signature: Optional[str] = self._facts["signature"]
        return signature

    @property
    def notes(self) -> List[Tuple[str, str]]:
        """Remarks on the run as a whole, each with what can be done."""
        return [(in_python(said), in_python(remedy)) for said, remedy in self._made.facts()["notes"]]

    @property
    def rows(self) -> Rows:
        """All candidates, best first. A candidate is looked at when it is asked for."""
        return Rows(self._made, self._facts["entry"])

    @property
    def best(self) -> Candidate:
        """The best candidate. Raises `InputError` if none has a rank."""
        if len(self) == 0 or self.rows[0].rank is None:
            from ._errors import InputError

            said = self.rows[0].diagnostics if len(self) else []
            raise InputError(
                "no candidate ran, so there is no best one" + (f"; the first has {said[0]}" if said else ""),
                remedy="" if said else "look at the status of `.rows`",
            )
        return self.rows[0]

    @property
    def best_program(self) -> str:
        """The text of the best program: formatted, that of a variant simplified. With `score="correlation"` it contains
        the line, with `unprotect=True` plain operators where no case needs the protected ones.

        Raises `InputError` if none has a score.
        """
        from . import _komuz

        return str(_komuz.best_text(self._made))

    def best_file(self, path: "str | os.PathLike[str]") -> bytes:
        """What `best=path` writes: the best program in the language of the ending, `.py`, `.c` and so on (docs/export.md)."""
        from . import _komuz

        return bytes(_komuz.best_file(self._made, os.fspath(path)))

    @property
    def optimised(self) -> List[Dict[str, Any]]:
        """What got cheaper in each of the best, with `optimise=N` (docs/neural.md)."""
        found: List[Dict[str, Any]] = json.loads(self._facts["optimised"] or "[]")
        return found

    @property
    def stats(self) -> str:
        """With `stats=True`: which programs ran as cheaper code and as machine code, and what that took; as the clock says."""
        return str(self._facts["stats"])

    def chart(self) -> str:
        """The charts of the run, an SVG."""
        return self._made.chart()

    def end_run(self) -> None:
        """What options ask for when a run has ended."""
        from . import _komuz

        if self._facts["to_optimise"] and self.complete:
            if not _komuz.optimise(self._made):
                warn("interrupted while the best programs were optimised", InterruptedWarning)
            self._facts = self._made.facts()

    def __len__(self) -> int:
        return len(self._made)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.rows)

    @overload
    def __getitem__(self, at: int) -> Candidate: ...

    @overload
    def __getitem__(self, at: slice) -> List[Candidate]: ...

    def __getitem__(self, at: Union[int, slice]) -> Union[Candidate, List[Candidate]]:
        """As of `.rows`."""
        return self.rows[at]

    def to_json(self) -> bytes:
        """The report, in the bytes that `komuz eval --json` writes for the same."""
        return self._made.report_json()

    def to_pandas(self) -> Any:
        """A frame with a row for each candidate, best first."""
        pandas = imported("pandas")
        columns = self._made.columns()
        frame = pandas.DataFrame({name: values for name, values in columns.items()})
        for name, kind in _KINDS.items():
            if kind == "WHOLE":
                frame[name] = frame[name].astype("Int64")
            elif kind == "FLOAT":
                frame[name] = frame[name].astype("float64")
        return frame

    def to_arrow(self) -> "ArrowTable":
        """The same as an object with `__arrow_c_stream__`, for `polars.from_arrow` or `pyarrow.table`."""
        from . import _arrow

        return _arrow.ArrowTable(self._made.columns(), {name: getattr(_arrow, kind) for name, kind in _KINDS.items()})

    def _repr_html_(self) -> str:
        """A table of the best, and charts, for notebooks."""
        heads = ("rank", "id", "status", "score", "fuel", "code_bytes")
        body = []
        for candidate in self.rows[:10]:
            row = candidate.row
            score = candidate.score
            cells = [row["rank"], row["id"], row["status"], None if score is None else f"{score:.6g}"]
            cells += [row["fuel"], row["code_bytes"]]
            body.append("".join(f"<td>{html.escape('' if cell is None else str(cell))}</td>" for cell in cells))
        head = "".join(f"<th>{name}</th>" for name in heads)
        table = f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in body) + "</table>"
        best = ""
        if len(self) and self.rows[0].rank is not None:
            best = f"<pre>{html.escape(self.best.source)}</pre>"
        return f"<p>{html.escape(str(self._made.summary()).strip())}</p>{table}{best}{self._made.chart()}"

    def __str__(self) -> str:
        return self._made.table(10).rstrip("\n")

    def __repr__(self) -> str:
        state = "" if self.complete else ", interrupted"
        return f"<Ranking of {len(self)} candidates on {self._facts['cases']} cases{state}>"
