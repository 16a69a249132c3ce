# SPDX-License-Identifier: Apache-2.0
"""Searches that exchange their best variants: in this process, or as tasks on a cluster of Dask.

An island runs to its next exchange at a time. Who comes to it are those that have left its neighbour, so what it does follows from
the seed alone, wherever it runs. Its log comes back with each of these stretches. A worker that does not have the island, because
another one had it that was killed, makes it again from the log.
"""
from __future__ import annotations

import pathlib
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._cluster import (
    Retries,
    Tasks,
    check_client,
    is_killed,
    merged,
    raise_from_worker,
    run_id,
    scratch,
    warn_of_interrupt,
    worker_address,
    worker_threads,
    workers_of,
    _NobodyWaits,
    _forgotten,
    _threads,
)
from ._errors import OptionError
from ._given import Given, Sent
from ._progress import Shown
from ._ranking import Ranking
from ._session import session

if TYPE_CHECKING:
    from ._komuz import Island as Made

_MOST_ISLANDS = 4096
_KEPT = 3600.0  # seconds after which a worker gives up an island that nobody asks for

Coming = Optional[List[str]]
"""The variants that come to an island; None: its search is to end."""


class State:
    """An island between two exchanges, and its log."""

    def __init__(self, words: Sequence[str], given: Sent, numbers: Tuple[int, int, int, int], folder: Any) -> None:
        from . import _komuz

        self._folder = folder  # a folder that goes with it, or None
        place = folder.name if hasattr(folder, "cleanup") else folder
        self.path = pathlib.Path(place) / f"island-{numbers[0] + 1}.jsonl"
        own = list(words) + ["--resume", str(self.path)]
        self._made: "Made" = _komuz.Island(session(), own, given.sketch, given.cases, numbers)
        self.stretches, self.used = 0, time.monotonic()

    def stop(self) -> None:
        """Ends the search where it is."""
        self._made.stop()

    def close(self) -> None:
        self.stop()
        if hasattr(self._folder, "cleanup"):
            self._folder.cleanup()

    def replay(self, log: bytes, comings: Sequence[Coming]) -> None:
        """Comes again to where the island was that wrote the log."""
        self.path.write_bytes(log)
        for coming in comings:
            self.go_on(coming)

    def go_on(self, coming: Coming) -> Dict[str, Any]:
        told = self._made.run(coming)
        self.stretches, self.used = self.stretches + 1, time.monotonic()
        return told

    def log_from(self, known: int) -> bytes:
        with open(self.path, "rb") as log:
            log.seek(known)
            return log.read()


# Called by workers.

_states: Dict[Tuple[str, int], State] = {}
_lock = threading.Lock()


def forget_states(run: str) -> None:
    """Ends the islands of a run, and those that nobody has asked for since long."""
    with _lock:
        old = [key for key, state in _states.items() if key[0] == run or state.used < time.monotonic() - _KEPT]
        gone = [_states.pop(key) for key in old]
    for state in gone:
        state.close()


def run_stretch(
    given: Sent,
    numbers: Tuple[int, int, int, int],
    comings: Sequence[Coming],
    stretches: int,
    known: int,
    share: int,
    log: Optional[bytes],
) -> Optional[Dict[str, Any]]:
    """A task: runs an island to its next exchange, with the last of `comings`. None: it is not here, and its log is needed.

    `stretches`: how many it has behind it. `known`: bytes of its log that are known. `log`: these, and then `comings` are all since
    the beginning.
    """
    threads, most = worker_threads(given.words, share)
    key = (given.run, numbers[0])
    with _threads.take(threads, most, lambda: given.run not in _forgotten):
        with _lock:
            state = _states.pop(key, None)
        if state is None or state.stretches != stretches:
            if stretches and log is None:
                return None
            words = [word for word in given.words if not word.startswith("--threads=")] + [f"--threads={threads}"]
            forget_states("")
            state = State(words, given, numbers, scratch())
            with _lock:
                _states[key] = state
            state.replay(log or b"", comings[:-1])
        with _lock:
            _states[key] = state
        if given.run in _forgotten:
            state.stop()
        told = state.go_on(comings[-1])
        if given.run in _forgotten:
            raise _NobodyWaits(given.run)
        told["log"], told["worker"] = state.log_from(known), worker_address()
        if told["has_ended"]:
            with _lock:
                _states.pop(key, None)
            state.close()
        return told


# Called where the search is started.

class Known:
    """What is known of an island where the search was started."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.comings: List[Coming] = []  # of the stretches that have begun
        self.leaving: List[List[str]] = []  # of those that have ended
        self.candidates = 0
        self.has_ended = self.has_reached_target = False
        self.worker: Optional[str] = None

    @property
    def stretches(self) -> int:
        return len(self.leaving)

    @property
    def is_running(self) -> bool:
        return len(self.comings) > len(self.leaving)

    def note(self, told: Dict[str, Any]) -> None:
        self.leaving.append(told["leaving"])
        self.candidates = told["candidates"]
        self.has_ended, self.has_reached_target = told["has_ended"], told["has_reached_target"]

    def left_at(self, stretch: int) -> Optional[List[str]]:
        """Who has left it behind a stretch; None: that is not known yet."""
        if stretch < len(self.leaving):
            return self.leaving[stretch]
        return [] if self.has_ended else None


class Ring:
    """Islands, the last of which is the neighbour of the first. Says who goes on, and with whom."""

    def __init__(self, places: Sequence[pathlib.Path], waits_for_all: bool) -> None:
        self.islands = [Known(place) for place in places]
        self._waits_for_all = waits_for_all  # one that has found what is wanted ends all

    @property
    def has_ended(self) -> bool:
        return all(island.has_ended for island in self.islands)

    @property
    def candidates(self) -> int:
        return sum(island.candidates for island in self.islands)

    def begin(self) -> List[int]:
        """The islands that can go on now; their `comings` have a new last element."""
        return [number for number in range(len(self.islands)) if self._begins(number)]

    def _begins(self, number: int) -> bool:
        island = self.islands[number]
        if island.has_ended or island.is_running:
            return False
        before = island.stretches - 1
        if before < 0:
            island.comings.append([])
            return True
        if self._waits_for_all:
            if any(one.left_at(before) is None for one in self.islands):
                return False
            if any(one.has_reached_target and one.stretches == before + 1 for one in self.islands):
                island.comings.append(None)
                return True
        coming = self.islands[number - 1].left_at(before)
        if coming is None:
            return False
        island.comings.append(coming)
        return True


def check_islands(islands: int, every: int, migrants: int) -> None:
    for name, value, most in (("islands", islands, _MOST_ISLANDS), ("migrate_every", every, 2**32), ("migrants", migrants, 2**20)):
        least = 0 if name == "migrants" else 1
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise OptionError(f"`{name}` is {value!r}", remedy=f"give a number from {least:,} to {most:,}")


def search_on_islands(
    given: Given,
    islands: int,
    every: int,
    migrants: int,
    client: Any,
    has_target: bool,
    most: Optional[int],
    progress: Optional[Shown],
) -> Ranking:
    """One ranking of the variants of all islands. `most`: the variants that they may try."""
    from . import _komuz

    first = (0, islands, every, migrants)
    _komuz.check_run(session(), True, given.words, given.sketch, given.case_text, first)
    sent = Sent(given.words, None, given.sketch, given.case_text, run_id())
    with tempfile.TemporaryDirectory(prefix="komuz-") as place:
        paths = [pathlib.Path(place) / f"island-{number + 1}.jsonl" for number in range(islands)]
        ring = Ring(paths, has_target)

        def tell() -> None:
            if progress:
                progress.tell(ring.candidates, most)

        if client is None:
            was_interrupted = not _run_here(sent, ring, first, tell)
        else:
            check_client(client)
            was_interrupted = not _run_on(client, sent, ring, first, tell)
        if was_interrupted and not ring.candidates:
            raise KeyboardInterrupt
        written = [str(path) for path in paths if path.exists() and path.stat().st_size]
        ranking = merged(given, written, True)
        if was_interrupted:
            warn_of_interrupt(ranking)
        return ranking


def _run_here(sent: Sent, ring: Ring, first: Tuple[int, int, int, int], tell: Callable[[], None]) -> bool:
    """False: Ctrl-C has ended it."""
    states: Dict[int, State] = {}
    try:
        while not ring.has_ended:
            for number in ring.begin():
                island = ring.islands[number]
                if number not in states:
                    states[number] = State(sent.words, sent, (number, *first[1:]), island.path.parent)
                told = states[number].go_on(island.comings[-1])
                island.note(told)
                if told["was_interrupted"]:
                    return False
                if told["has_ended"]:
                    del states[number]
                tell()
    except KeyboardInterrupt:  # it came between two stretches
        return False
    finally:
        for state in states.values():
            state.close()
    return True


def _run_on(
    client: Any, sent: Sent, ring: Ring, first: Tuple[int, int, int, int], tell: Callable[[], None]
) -> bool:
    """The same on a cluster."""
    retries = Retries()
    workers = workers_of(client)
    for number, island in enumerate(ring.islands):
        if workers:
            island.worker = workers[number % len(workers)]
    share = -(-len(ring.islands) // max(1, len(workers)))
    try:
        with Tasks(client, sent.run) as tasks:
            held = tasks.hold(sent)

            def submit(number: int, needs_log: bool) -> None:
                island = ring.islands[number]
                log = island.path.read_bytes() if island.path.exists() else b""
                tasks.submit(
                    number,
                    run_stretch,
                    held,
                    (number, *first[1:]),
                    island.comings if needs_log else island.comings[-1:],
                    island.stretches,
                    len(log),
                    share,
                    log if needs_log else None,
                    workers=[island.worker] if island.worker else None,
                    allow_other_workers=island.worker is not None,
                )

            while not ring.has_ended:
                for number in ring.begin():
                    submit(number, False)
                for number, told, error in tasks.take():
                    island = ring.islands[number]
                    if error is not None:
                        if not (is_killed(error) and retries.is_worth_it(number)):
                            raise_from_worker(error, f"island {number + 1}")
                        submit(number, True)
                        continue
                    if told is None:  # its worker has gone, or another one has taken the task
                        island.worker = None
                        submit(number, True)
                        continue
                    retries.note_end()
                    with open(island.path, "ab") as log:
                        log.write(told.pop("log"))
                    island.worker = told.pop("worker")
                    island.note(told)
                    tell()
    except KeyboardInterrupt:
        return False
    return True
