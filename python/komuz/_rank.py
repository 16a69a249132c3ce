# SPDX-License-Identifier: Apache-2.0
"""komuz.rank and komuz.search."""
from __future__ import annotations

import math
import os
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from ._candidates import Candidates, read_candidates
from ._cases import Cases, read_cases
from ._errors import Error, InputError, InterruptedWarning, OptionError
from ._given import Given
from ._options import check_flag, raise_in_python, words_of
from ._outputs import Outputs
from ._progress import Shown, progress_of
from ._ranking import Ranking
from ._session import session
from ._sketch import Sketch
from ._warn import warn

Path = Union[str, "os.PathLike[str]"]
Progress = Union[None, bool, Callable[[int, Optional[int]], object]]


def rank(
    candidates: Any,
    cases: Any = None,
    y: Any = None,
    *,
    columns: Optional[Sequence[str]] = None,
    signature: Optional[str] = None,
    held_out: Any = None,
    harness: Union[None, str, "os.PathLike[str]"] = None,
    weights: Any = None,
    skip_missing: bool = False,
    progress: Progress = None,
    log: Optional[Path] = None,
    resume: Optional[Path] = None,
    wait: Union[None, float, str] = None,
    client: Any = None,
    shards: Optional[int] = None,
    folder: Union[None, str, "os.PathLike[str]"] = None,
    **options: Any,
) -> Ranking:
    """Compiles candidates, runs each on all cases, and ranks them.

    Args:
        candidates: texts of programs; tuples of an id and a text; expressions, whose parameters `signature` has; a
            path of a `.jsonl`, of a program or of a folder of them; a generator of texts; or a `Sketch`, whose
            variants are meant.
        cases: the arguments of each case, with the expected values as `y`: an array of shape (rows,) or
            (rows, columns), a frame, or a dict of columns. Or pairs `(args, expected)`. Or the path of a CSV or JSONL.
            A column goes to the parameter of its name; columns of arrays, which have none, go to parameters in order.
        y: the expected values, an array of shape (rows,); or the name of a column of a frame or a dict. For programs that give a tuple of k values: an array of shape
            (rows, k), a list of k arrays, a frame, or a dict of columns.
        columns: names of the columns of `cases`; or those of a frame that are meant.
        signature: of the entry, `"fn(x: f64, y: f64) -> f64"`; by default the first that fits the cases.
        held_out: more cases, which do not affect the ranking: a tuple `(X, y)`, pairs or a path.
        harness: the path of a program that scores candidates.
        weights: what errors of cases are multiplied by: an array of shape (rows,), or the name of a column.
        skip_missing: leave out rows in which a number is missing (NaN).
        progress: True for a bar, or a function that is called with the number of candidates that are done, and that of
            all, or None.
        log: a path: each result is written to this new file as it comes, as `komuz eval --log` does it.
        resume: the same of a log that may exist: its candidates are not run again.
        wait: seconds to wait if another process writes the log.
        client: a `distributed.Client`, on whose workers the run goes in parts (docs/cluster.md). The ranking is the
            same.
        shards: how many parts, with a client; by default some for each worker.
        folder: with a client, a folder that all workers see, in which parts keep their logs: a run that is started
            again goes on with what is there.
        options: those of `komuz eval` by the same names: `score="squared"`, `tolerance=1e-9`, `first_failure=True`,
            `fuel=10_000` (ticks of a case), `threads=2`, `case_scores=True`, `fix=True`, … (docs/cli.md). `json`, `best` and
            `plot` are paths of files to write.

    Raises:
        InputError: candidates or cases are wrong, with the place and what to do.
        OptionError: an option is wrong.
        ClusterError: with a client, there are no workers any more, or they die again and again.

    Ctrl-C ends the run within some milliseconds. The ranking is then that of the candidates before,
    `ranking.complete` is False, and a warning says so.

    >>> import komuz
    >>> X = [[1.0, 2.0], [3.0, 4.0]]
    >>> ranking = komuz.rank(["x * y", "x + y"], X, [2.0, 12.0], signature="fn(x: f64, y: f64) -> f64")
    >>> ranking.best.id, ranking.best.score
    ('1', 2.0)
    """
    found = read_candidates(candidates, signature)
    outputs = Outputs(options)
    words = words_of("eval", options) + log_words(log, resume, wait)
    if signature is not None:
        words.append(f"--signature={signature}")
    if client is None and (shards is not None or folder is not None):
        name = "shards" if shards is not None else "folder"
        raise OptionError(f"`{name}` is for runs on a cluster", remedy="give a `client`, or leave it out")
    if client is not None:
        _check_parts({**options, "held_out": held_out, "log": log, "resume": resume, "wait": wait}, "client")
    words += outputs.words
    given = _given(False, found, cases, y, columns, held_out, harness, weights, skip_missing, words)
    if client is None:
        return _ended(_run(given, progress), outputs)
    from . import _cluster

    total = candidates.variants if isinstance(candidates, Sketch) else found.total
    if total is not None and isinstance(options.get("samples"), int):
        total = min(total, options["samples"])
    ranking = _shown(progress, lambda shown: _cluster.rank_on(client, given, total, shards, folder, shown))
    return _ended(ranking, outputs)


def search(
    sketch: Union[Sketch, str, "os.PathLike[str]"],
    cases: Any = None,
    y: Any = None,
    *,
    columns: Optional[Sequence[str]] = None,
    held_out: Any = None,
    harness: Union[None, str, "os.PathLike[str]"] = None,
    weights: Any = None,
    skip_missing: bool = False,
    progress: Progress = None,
    log: Optional[Path] = None,
    resume: Optional[Path] = None,
    wait: Union[None, float, str] = None,
    client: Any = None,
    islands: Optional[int] = None,
    migrate_every: Optional[int] = None,
    migrants: Optional[int] = None,
    **options: Any,
) -> Ranking:
    """Finds good variants of a sketch, generation by generation.

    Args:
        sketch: a `Sketch`, its text, or the path of its file.
        options: those of `komuz search` by the same names: `generations=20`, `population=500`, `method="lexicase"`,
            `time=10` (seconds), `seed=1`, `target=0.0`, … (docs/cli.md).
        client: a `distributed.Client`, on whose workers the islands are (docs/cluster.md).
        islands: so many searches in place of one, each with a seed of its own that follows from `seed`, and with as
            many generations. The result is the same with any client, and without one. With a client, 4 by default.
        migrate_every: generations, after which the best variants of each island go to the next one (default 10).
        migrants: so many of them (default 5).

    The other arguments, and what is raised, are as for `rank`.

    >>> import komuz
    >>> text = "pub fn f(x: f64) -> f64 { ?a(0.0..=4.0, steps: 5) * x + ?b(0.0..=4.0, steps: 5) }"
    >>> found = komuz.search(text, [0.0, 1.0, 2.0], [1.0, 4.0, 7.0], score="squared")
    >>> found.best.score
    0.0
    >>> print(found.best.source, end="")
    pub fn f(x: f64) -> f64 { 3.0 * x + 1.0 }
    """
    if isinstance(sketch, str) and ("fn " in sketch or "\n" in sketch):
        sketch = Sketch(sketch)
    found = read_candidates(sketch, None)
    outputs = Outputs(options)
    words = words_of("search", options) + log_words(log, resume, wait)
    words += outputs.words
    if client is None and islands is None:
        for name, value in (("migrate_every", migrate_every), ("migrants", migrants)):
            if value is not None:
                raise OptionError(f"`{name}` is for islands", remedy="give `islands`, or leave it out")
        given = _given(True, found, cases, y, columns, held_out, harness, weights, skip_missing, words)
        return _ended(_run(given, progress), outputs)
    from . import _islands, _komuz

    _check_parts({**options, "held_out": held_out, "log": log, "resume": resume, "wait": wait}, "islands" if islands is not None else "client")
    count = 4 if islands is None else islands
    every, leaving = 10 if migrate_every is None else migrate_every, 5 if migrants is None else migrants
    _islands.check_islands(count, every, leaving)
    given = _given(True, found, cases, y, columns, held_out, harness, weights, skip_missing, words)
    limits = _komuz.limits()
    tries = [options.get("generations", limits["generations"]), options.get("population", limits["population"]), count]
    most = math.prod(tries) if all(isinstance(number, int) for number in tries) else None
    ranking = _shown(
        progress,
        lambda shown: _islands.search_on_islands(
            given, count, every, leaving, client, options.get("target") is not None, most, shown
        ),
    )
    return _ended(ranking, outputs)


def _check_parts(options: Dict[str, Any], which: str) -> None:
    from . import _cluster

    _cluster.check_options([name for name, value in options.items() if value is not None and value is not False], which)


def _held_out(held_out: Any, columns: Optional[Sequence[str]], skip_missing: bool) -> Optional[Cases]:
    if held_out is None:
        return None
    if isinstance(held_out, tuple) and len(held_out) == 2:
        return read_cases(held_out[0], held_out[1], columns, skip_missing, None)
    if isinstance(held_out, tuple):
        raise InputError(f"`held_out` is a tuple of {len(held_out)}", remedy="give `(X, y)`, pairs or a path")
    return read_cases(held_out, None, columns, skip_missing, None)


def case_words(
    cases: Any,
    y: Any,
    columns: Optional[Sequence[str]],
    held_out: Any,
    harness: Optional[Path],
    weights: Any,
    skip_missing: bool,
) -> Tuple[Optional[Cases], Optional[Cases], List[str]]:
    """The cases, those that are held out, and the words that name them and the harness."""
    words: List[str] = []
    given: Optional[Cases] = None
    skip_missing = check_flag("skip_missing", skip_missing)
    more = _held_out(held_out, columns, skip_missing)
    if cases is not None:
        given = read_cases(cases, y, columns, skip_missing, weights)
        words += ["--cases", given.name] + given.words
        if given.table is None and skip_missing:
            words.append("--skip-missing")
    elif y is not None:
        raise OptionError("`y` is given, and no cases", remedy="give the arguments of the cases before it")
    if more is not None:
        words += ["--held-out", more.name]
    if harness is not None:
        words += ["--harness", os.fspath(harness)]
    return given, more, words


def log_words(log: Optional[Path], resume: Optional[Path], wait: Union[None, float, str]) -> List[str]:
    """Those that name the log."""
    paths = {"log": None if log is None else os.fspath(log), "resume": None if resume is None else os.fspath(resume)}
    return words_of("eval", {**paths, "wait": wait}, {})


def _given(
    is_search: bool,
    candidates: Candidates,
    cases: Any,
    y: Any,
    columns: Optional[Sequence[str]],
    held_out: Any,
    harness: Any,
    weights: Any,
    skip_missing: bool,
    options: List[str],
) -> Given:
    given, more, of_cases = case_words(cases, y, columns, held_out, harness, weights, skip_missing)
    words = list(candidates.words) + ["--json", "report"] + options + of_cases
    return Given(is_search, words, candidates, given, more)


def _shown(progress: Progress, run: Callable[[Optional[Shown]], Ranking]) -> Ranking:
    """Calls a run with who is told how far it has come. Errors speak of keywords."""
    shown = progress_of(progress)
    try:
        return run(shown)
    except Error as error:
        raise_in_python(error)
    finally:
        if shown:
            shown.end()


def _run(given: Given, progress: Progress) -> Ranking:
    from . import _komuz

    def rank_here(shown: Optional[Shown]) -> Ranking:
        return Ranking(
            _komuz.rank(
                session(),
                given.is_search,
                given.words,
                given.candidates.texts,
                given.candidates.total,
                given.sketch,
                given.cases.given if given.cases else None,
                given.held_out.given if given.held_out else None,
                shown.tell if shown else None,
            )
        )

    ranking = _shown(progress, rank_here)
    if ranking._facts["was_interrupted"]:
        warn(f"interrupted: the ranking is that of the first {len(ranking)} candidates", InterruptedWarning)
    return ranking


def _ended(ranking: Ranking, outputs: Outputs) -> Ranking:
    """With what options ask for when a run has ended."""
    try:
        ranking.end_run()
        outputs.write(ranking)
    except Error as error:
        error.ranking = ranking  # what the run has found is not lost
        raise_in_python(error)
    return ranking
