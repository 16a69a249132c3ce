# SPDX-License-Identifier: Apache-2.0
"""komuz.Pool: candidates that come in rounds, as from a language model."""
from __future__ import annotations

import os
import threading
import weakref
from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Sequence, Union

from ._candidates import read_candidates
from ._cases import Cases
from ._errors import Error, InputError, InterruptedWarning, OptionError
from ._not_pickled import NotPickled
from ._options import NOT_IN_PYTHON, raise_in_python, words_of
from ._progress import progress_of
from ._rank import Path, Progress, case_words, log_words
from ._ranking import Candidate, CandidateList, Ranking, Rows
from ._session import closed_at_end, session
from ._warn import warn

if TYPE_CHECKING:
    from ._komuz import Pool as Made


# What a run writes or looks for at its end, which rounds have not.
_ELSEWHERE = {
    **NOT_IN_PYTHON,
    "json": "`pool.ranking().to_json()` is the report",
    "best": "`pool.ranking().best_file(path)` has the bytes of such a file",
    "plot": "`pool.ranking().chart()` is the SVG",
    "optimise": "rank the best ones again by `komuz.rank(…, optimise=…)`",
    "by": "rank the best ones again by `komuz.rank(…, optimise=…)`",
    "samples": "a pool takes programs; `komuz.rank` takes sketches",
    "seed": "a pool takes programs; `komuz.rank` takes sketches",
    "expand": "a pool takes programs; `komuz.rank` takes sketches",
    "unprotect": "rank the best one again by `komuz.rank(…, unprotect=True)`",
}


class Round(NotPickled, Iterator[Candidate]):
    """The candidates of a batch, in its order, each as soon as it is known: for `for` and `async for`.

    The round goes on while nobody looks. `rank` of these candidates is None: the pool's ranking has it.
    """

    def __init__(self, made: "Made", entry: str, number: int, first: int) -> None:
        self._made, self._entry, self._number = made, entry, number
        self._next = self._ready = first
        self._has_ended = False
        self._lock = threading.Lock()

    def _is_waiting(self) -> bool:
        return self._next >= self._ready and not self._has_ended

    def _wait(self, wakes: int) -> None:
        """Waits for the next candidates, the end, or a call of `wake` behind so many of them."""
        while self._is_waiting() and self._made.wakes() == wakes:
            try:
                ready, has_ended = self._made.wait(self._number, self._ready, wakes)
                with self._lock:  # another thread may know of more
                    self._ready, self._has_ended = max(ready, self._ready), has_ended or self._has_ended
            except Error as error:
                raise_in_python(error)
            except KeyboardInterrupt:  # between two waits: what ends it is said by the next
                self._made.interrupt()

    def _take(self) -> Optional[Candidate]:
        """The next one; several threads may share the candidates of a round."""
        with self._lock:
            number = self._next
            if number < self._ready:
                self._next = number + 1
                return Candidate(self._made, number, self._entry)
        if self._has_ended and self._made.was_interrupted():
            warn("interrupted: the pool takes no more candidates", InterruptedWarning)
        return None

    def __iter__(self) -> "Round":
        return self

    def __next__(self) -> Candidate:
        while True:
            candidate = self._take()
            if candidate is not None:
                return candidate
            if self._has_ended:
                raise StopIteration
            session()
            self._wait(self._made.wakes())

    def __aiter__(self) -> "Round":
        return self

    async def __anext__(self) -> Candidate:
        import asyncio

        while True:
            candidate = self._take()
            if candidate is not None:
                return candidate
            if self._has_ended:
                raise StopAsyncIteration
            session()
            try:
                await asyncio.get_running_loop().run_in_executor(None, self._wait, self._made.wakes())
            except asyncio.CancelledError:  # such as by Ctrl-C: the thread is to wait no more
                self._made.wake()
                raise


class Arrivals(CandidateList):
    """All candidates of a pool so far, in the order in which they came."""


class Pool(NotPickled):
    """Ranks candidates that come in rounds, each as soon as it is known; all rounds have one ranking.

    What stays the same is done once: the harness is compiled, the cases are read and laid out, threads and devices
    stay. A program with the tokens of one of an earlier round is not run again. The ranking has the bytes of that of
    all candidates in one run.

    Args:
        cases, y, columns, signature, held_out, harness, weights, skip_missing, progress: as for `komuz.rank`.
        log: a path: each result is written to this new file as it comes, as `komuz eval --log` does it.
        resume: the same of a log that may exist: its candidates are known again, and not run.
        wait: seconds to wait if another process writes the log.
        options: those of `komuz eval` by the same names, but `shard` and `cut_off`. `fix=True` mends programs.

    Raises:
        InputError: cases or the log are wrong, with the place and what to do.
        OptionError: an option is wrong.

    >>> import komuz
    >>> X, y = [1.0, 2.0, 3.0], [1.0, 4.0, 9.0]
    >>> with komuz.Pool(X, y, signature="fn(x: f64) -> f64", score="squared") as pool:
    ...     for c in pool.rank(["x", "x + x", "sin("]):
    ...         print(c.id, c.status, c.score)
    ...     for c in pool.rank(["x  +  x", "2.0 * x", "x * x"]):
    ...         print(c.id, c.score, c.duplicate_of, c.same_behaviour_as)
    ...     pool.best.source
    1 ok 40.0
    2 ok 10.0
    3 compile_error None
    4 10.0 2 None
    5 10.0 None 2
    6 0.0 None None
    'pub fn f(x: f64) -> f64 { x * x }'
    """

    def __init__(
        self,
        cases: Any = None,
        y: Any = None,
        *,
        columns: Optional[Sequence[str]] = None,
        signature: Optional[str] = None,
        held_out: Any = None,
        harness: Optional[Path] = None,
        weights: Any = None,
        skip_missing: bool = False,
        progress: Progress = None,
        log: Optional[Path] = None,
        resume: Optional[Path] = None,
        wait: Union[None, float, str] = None,
        **options: Any,
    ) -> None:
        from . import _komuz

        self._signature = signature
        words = ["candidates.jsonl", "--json", "report"] + words_of("eval", options, _ELSEWHERE) + log_words(log, resume, wait)
        if signature is not None:
            words.append(f"--signature={signature}")
        given: Optional[Cases]
        given, more, of_cases = case_words(cases, y, columns, held_out, harness, weights, skip_missing)
        self._shown = progress_of(progress)
        try:
            self._made = _komuz.Pool(
                session(),
                words + of_cases,
                given.given if given else None,
                more.given if more else None,
                self._shown.tell if self._shown else None,
            )
        except Error as error:
            raise_in_python(error)
        self._entry = str(self._made.facts()["entry"])
        self._last_first = 0
        self._counted = 0
        self._wrong: Dict[str, int] = {}
        # When it is collected, and at the end of the process.
        self._finalizer = weakref.finalize(self, _close, self._made, os.getpid())
        closed_at_end.add(self)

    def rank(self, batch: Any) -> Round:
        """Begins a round, and gives its candidates as they become known.

        Args:
            batch: what `komuz.rank` takes as candidates, but no sketch: texts, tuples of an id and a text, expressions
                with the pool's `signature`, a generator of these, or a path. Those without an id have their numbers,
                from 1 on over all rounds.

        A round that is under way is waited for. Ctrl-C ends the round with the candidates so far, and the pool takes no
        more. An exception of a generator comes behind the candidates before it, and the pool goes on.
        """
        session()
        if isinstance(batch, (list, tuple)):
            batch = list(batch)  # it is read while its owner may change it
        found = read_candidates(batch, self._signature)
        if found.sketch is not None:
            raise InputError("a sketch is no batch of candidates", remedy="`komuz.rank` and `komuz.search` take it")
        try:
            number, first = self._made.begin_round(found.texts, found.total, list(found.words))
        except Error as error:
            raise_in_python(error)
        self._last_first = first
        return Round(self._made, self._entry, number, first)

    def ranking(self) -> Ranking:
        """The ranking of all rounds so far, which stays as it is when others follow."""
        session()
        try:
            return Ranking(self._made.ranking())
        except Error as error:
            raise_in_python(error)

    @property
    def rows(self) -> Rows:
        """All candidates, best first: `ranking().rows`."""
        return self.ranking().rows

    @property
    def best(self) -> Candidate:
        """The best candidate so far. Raises `InputError` if none has a rank."""
        return self.ranking().best

    @property
    def candidates(self) -> Arrivals:
        """All candidates so far, in the order in which they came; first those of a log that went on."""
        return Arrivals(self._made, self._entry)

    def __len__(self) -> int:
        return len(self._made)

    def feedback(
        self, n: int = 3, *, failed: int = 3, common: int = 3, of: Optional[Sequence[Candidate]] = None
    ) -> str:
        """What the next prompt may tell a model: Markdown, with a heading for each part that has something to say.

        Args:
            n: so many of the best programs with a score, each of another behaviour.
            failed: so many programs of the last round that have no score, or failed a case, with what is wrong.
            common: so many of the mistakes that several programs of all rounds have made, with what they mean.
            of: candidates whose failures are meant, in place of those of the last round.

        >>> import komuz
        >>> with komuz.Pool([(3, 6)], signature="fn(x: i64) -> i64") as pool:
        ...     ranked = list(pool.rank(["2 * x", "x + y"]))
        >>> print(pool.feedback())
        # The best programs so far
        <BLANKLINE>
        ## 1: score 1
        ```komuz
        pub fn f(x: i64) -> i64 { 2 * x }
        ```
        <BLANKLINE>
        # Programs that failed
        <BLANKLINE>
        ## 2: compile_error
        ```komuz
        pub fn f(x: i64) -> i64 { x + y }
        ```
        1:31: there is no `y` here
        <BLANKLINE>
        """
        from ._feedback import feedback

        for name, value in (("n", n), ("failed", failed), ("common", common)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise OptionError(f"`{name}` is {value!r}", remedy="give a whole number, 0 or more")
        if of is None:
            of = self.candidates[self._last_first :]
        of = list(of)
        strangers = [one for one in of if not isinstance(one, Candidate)]
        if strangers:
            raise InputError(
                f"`of` has a {type(strangers[0]).__name__}", remedy="give candidates, as `pool.rank` and `pool.rows` have them"
            )
        new = self.candidates[self._counted :]
        self._counted += len(new)
        return feedback(self.rows, of, new, self._wrong, n, failed, common)

    def close(self) -> None:
        """Ends the log, if there is one. A round that is under way is waited for; a generator is read no further.

        What the pool knows stays: candidates, `ranking()`, `feedback()`.
        """
        self._end(self._made.close)

    def close_left(self) -> None:
        """Closes it at the end of the process, unless somebody has."""
        self._finalizer()

    def _end(self, way: Any) -> None:
        session()
        self._finalizer.detach()
        try:
            way()
        except Error as error:
            raise_in_python(error)
        finally:
            if self._shown:
                self._shown.end()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        # The candidates of a round that broke off are not those of its batch: the log has no end, and can go on.
        self._end(self._made.close if kind is None else self._made.abandon)

    def __repr__(self) -> str:
        state = ", closed" if self._made.is_closed() else ""
        return f"<Pool of {len(self)} candidates on {self._made.facts()['cases']} cases{state}>"


def _close(made: "Made", process: int) -> None:
    """Of a pool that nobody has closed. In a forked process it has no threads, and is left as it is."""
    if os.getpid() == process:
        made.close()
