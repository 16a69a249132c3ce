# SPDX-License-Identifier: Apache-2.0
"""Runs in parts on a cluster of Dask. What workers call is here, too: it only needs the package komuz where they are."""
from __future__ import annotations

import contextlib
import fcntl
import importlib
import os
import pathlib
import queue
import re
import tempfile
import threading
import time
import uuid
import warnings
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ._errors import ClusterError, Error, InterruptedWarning, OptionError
from ._given import Given, Sent
from ._options import raise_in_python
from ._progress import Shown
from ._ranking import Ranking
from ._session import session
from ._warn import warn

_PARTS_OF_A_WORKER = 8  # so the last one to end is not waited for long
_PATIENCE = 60.0  # seconds without a worker, after which somebody has to know

# What depends on all candidates, and what takes its place.
_NOT_IN_PARTS = {
    "held_out": "rank the best with it: `komuz.rank([ranking.best.source], …, held_out=…)`",
    "split": "hold out cases of your own, and rank the best on them afterwards",
    "cut_off": "leave it out: what it stops depends on all candidates",
    "shard": "`shards=` says how many parts there are",
    "log": "`folder=` names a folder for the logs of the parts",
    "resume": "`folder=` names a folder for the logs of the parts, and what is there is not run again",
    "optimise": "optimise the best: `komuz.rank([ranking.best.source], …, optimise=1)`",
    "by": "optimise the best: `komuz.rank([ranking.best.source], …, optimise=1)`",
    "unprotect": "rank the best with it: `komuz.rank([ranking.best.source], …, unprotect=True)`",
    "stats": "leave it out: each worker has its own",
    "wait": "leave it out: parts wait for logs",
}


def check_options(names: Sequence[str], which: str = "client") -> None:
    """Raises what does not go with a client or with islands."""
    for name in names:
        if name not in _NOT_IN_PARTS:
            continue
        is_log = which == "islands" and name in ("log", "resume", "wait")
        remedy = "leave it out: each island has a log of its own" if is_log else _NOT_IN_PARTS[name]
        raise OptionError(f"`{name}` does not go with `{which}`", remedy=remedy)


def check_client(client: Any) -> None:
    if not hasattr(client, "submit") or not hasattr(client, "scheduler_info"):
        raise OptionError(
            f"`client` is a {type(client).__name__}", remedy="give a `distributed.Client`, such as `Client('tcp://host:8786')`"
        )
    if getattr(client, "status", "running") not in ("running", "connecting"):
        raise OptionError(f"`client` is {client.status}", remedy="make another one")
    if getattr(client, "asynchronous", False):
        raise OptionError("`client` is asynchronous", remedy="give one that waits, `Client(…, asynchronous=False)`")


def workers_of(client: Any) -> List[str]:
    """The addresses of the workers that there are."""
    try:
        return sorted(client.scheduler_info()["workers"])
    except Exception as error:
        said = f": {error}" if str(error) and not isinstance(error, KeyError) else ""
        raise ClusterError(f"the scheduler does not answer{said}", remedy="start it again") from error


# Called by workers.

class _Threads:
    """The threads of a worker, shared by the tasks that it runs at once: each waits until there are enough for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = 0

    @contextlib.contextmanager
    def take(self, wanted: int, most: int, is_wanted: Callable[[], bool]) -> Iterator[None]:
        wanted = min(wanted, most)
        with self._changed:
            while self._taken and self._taken + wanted > most and is_wanted():
                self._changed.wait(0.1)
            self._taken += wanted
        try:
            yield
        finally:
            with self._changed:
                self._taken -= wanted
                self._changed.notify_all()


_threads = _Threads()
_forgotten: Dict[str, bool] = {}  # runs that nobody waits for any more


class _NobodyWaits(Exception):
    """The run was ended where it was started."""


def _stop_if_forgotten(run: str) -> None:
    if run in _forgotten:
        raise _NobodyWaits(run)


def worker_threads(words: Sequence[str], share: int = 1) -> Tuple[int, int]:
    """How many threads a task has, one of so many that share a worker, and how many the worker has."""
    worker = _worker()
    most = int(getattr(getattr(worker, "state", None), "nthreads", 0) or getattr(worker, "nthreads", 0) or 1)
    for word in words:
        if word.startswith("--threads="):
            return max(1, int(word.partition("=")[2])), most
    return max(1, most // share), most


def worker_address() -> str:
    return str(_worker().address)


def _worker() -> Any:
    distributed: Any = importlib.import_module("distributed")
    return distributed.get_worker()


def scratch() -> "tempfile.TemporaryDirectory[str]":
    """A folder that goes with the worker: what one leaves that was killed is removed by the next on its machine."""
    return tempfile.TemporaryDirectory(prefix="komuz-", dir=getattr(_worker(), "local_directory", None))


def same(given: Sent) -> Sent:
    """The task that holds what all others need: it is sent once, and made again where its worker has gone."""
    return given


def log_name(part: int, of: int) -> str:
    return f"shard-{part}-of-{of}.jsonl"


def _wait_for_log(path: str, run: str) -> None:
    """Another process may still write the log: one that a worker has left which was killed."""
    if not os.path.exists(path):
        return
    with open(path, "r+b") as log:  # folders of a network lock only what may be written
        while True:
            _stop_if_forgotten(run)
            try:
                fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.1)
                continue
            except OSError:  # it knows no locks: the engine says what it can do
                pass
            return


def run_part(given: Sent, part: int, of: int, folder: Optional[str]) -> Tuple[Optional[bytes], int]:
    """A task: the log of a part, unless it is left in the folder, and how many candidates it has."""
    from . import _komuz

    threads, most = worker_threads(given.words)
    log: Optional[bytes] = None
    candidates = 0
    with _threads.take(threads, most, lambda: given.run not in _forgotten), scratch() as own:
        _stop_if_forgotten(given.run)
        path = os.path.join(folder or own, log_name(part, of))
        _wait_for_log(path, given.run)
        words = [word for word in given.words if not word.startswith("--threads=")]
        words += [f"--threads={threads}", "--resume", path, "--wait", "60s"]
        words += ["--shard", f"{part}/{of}"] if of > 1 else []
        texts = iter(given.texts) if given.texts is not None else None
        total = len(given.texts) if given.texts is not None else None
        made = _komuz.rank(
            session(), False, words, texts, total, given.sketch, given.cases, None,
            lambda done, total: _stop_if_forgotten(given.run),
        )
        candidates = made.facts()["candidates"]
        if folder is None:
            with open(path, "rb") as file:
                log = file.read()
    return log, candidates


def forget(run: str) -> None:
    """Ends what a worker still does for a run."""
    from . import _islands

    _forgotten[run] = True
    _islands.forget_states(run)


# Called where the run is started.

class Tasks:
    """Tasks on a client, whose results are taken as they come. What is left is cancelled at the end of the `with`."""

    def __init__(self, client: Any, run: str) -> None:
        self._client, self._run = client, run
        self._ended: "queue.Queue[Any]" = queue.Queue()
        self._labels: Dict[str, Tuple[Any, Any]] = {}  # by the future's key
        self._submitted = 0
        self._seen_workers = time.monotonic()
        self._next_look = self._seen_workers + 1.0
        self._has_warned = False

    def __enter__(self) -> "Tasks":
        return self

    def __exit__(self, *error: Any) -> None:
        left = [future for future, _ in self._labels.values()]
        self._labels.clear()
        if error[0] is None and not left:
            return
        with contextlib.suppress(Exception):
            self._client.cancel(left)
        with contextlib.suppress(Exception):
            self._client.run(forget, self._run)

    def submit(self, label: Any, function: Callable[..., Any], *args: Any, **more: Any) -> None:
        self._submitted += 1
        key = f"komuz_{function.__name__}-{self._run}-{self._submitted}"
        future = self._client.submit(function, *args, key=key, pure=False, **more)
        self._labels[key] = (future, label)
        future.add_done_callback(self._ended.put)

    def hold(self, given: Sent) -> Any:
        """A future of what all tasks are given."""
        with warnings.catch_warnings():  # it is one, and meant to be
            warnings.filterwarnings("ignore", message="Large object")
            return self._client.submit(same, given, key=f"komuz_given-{self._run}", pure=False)

    def take(self) -> List[Tuple[Any, Any, Any]]:
        """The labels, results and errors of tasks that have ended; waits for one."""
        while True:
            ended = []
            with contextlib.suppress(queue.Empty):
                ended.append(self._ended.get(timeout=1.0))
                while True:
                    ended.append(self._ended.get_nowait())
            known = [(future, self._labels.pop(future.key)[1]) for future in ended if future.key in self._labels]
            if known:
                self._seen_workers = time.monotonic()
                return self._outcomes(known)
            self._look_at_workers()

    def _outcomes(self, ended: Sequence[Tuple[Any, Any]]) -> List[Tuple[Any, Any, Any]]:
        # In one request, where none has failed.
        if len(ended) > 1 and all(future.status == "finished" for future, _ in ended):
            with contextlib.suppress(Exception):
                results = self._client.gather([future for future, _ in ended])
                return [(label, result, None) for (_, label), result in zip(ended, results)]
        return [(label, *self._outcome(future)) for future, label in ended]

    def _outcome(self, future: Any) -> Tuple[Any, Optional[BaseException]]:
        if future.cancelled():
            raise ClusterError(
                "tasks were cancelled, or the scheduler has gone", remedy="look at what the scheduler and its log say"
            )
        try:
            return future.result(), None
        except Exception as error:
            return None, error

    def _look_at_workers(self) -> None:
        """Dask itself waits for a worker without an end."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + 5.0
        if workers_of(self._client):
            self._seen_workers = now
        cluster = getattr(self._client, "cluster", None)
        is_own = type(cluster).__name__ == "LocalCluster" and getattr(cluster, "_adaptive", None) is None
        waited = now - self._seen_workers
        if is_own and waited > _PATIENCE:
            raise ClusterError(
                "all workers of the local cluster have ended, and nobody starts others",
                remedy="make a new cluster; where its machine is busy, after "
                "`dask.config.set({'distributed.deploy.lost-worker-timeout': '10m'})`",
            )
        if waited > _PATIENCE and not self._has_warned:
            self._has_warned = True
            warn(f"there has been no worker for {_PATIENCE:.0f} s: {len(self._labels)} tasks wait for one")


class Retries:
    """Which tasks may run again whose workers died. Dask gives up on a task with the fourth worker that dies with it, whatever
    the reason; it is submitted again as long as others come to their end meanwhile."""

    def __init__(self) -> None:
        self._ended = 0
        self._ended_before: Dict[Any, int] = {}

    def note_end(self) -> None:
        self._ended += 1

    def is_worth_it(self, label: Any) -> bool:
        before = self._ended_before.get(label, 0)
        self._ended_before[label] = self._ended
        return before < self._ended


def is_killed(error: BaseException) -> bool:
    return type(error).__name__ == "KilledWorker"


def raise_from_worker(error: BaseException, what: str) -> None:
    """Raises what a task has raised, as a run in this process would."""
    if is_killed(error):
        raise ClusterError(
            f"{what} has ended four workers, and nothing else came to its end meanwhile",
            remedy="look at the logs of the workers: they may be short of memory",
        ) from error
    if isinstance(error, Error):
        raise_in_python(error)
    if isinstance(error, ImportError):
        raise ClusterError(
            f"workers cannot import the package komuz: {error}", remedy="install it wherever workers run"
        ) from error
    raise error


def default_shards(total: Optional[int], workers: int, folder: Optional[pathlib.Path]) -> int:
    """As many as the folder has logs of; else some for each worker, and no more than there are blocks."""
    if folder is not None and folder.is_dir():
        for name in sorted(os.listdir(folder)):
            known = re.fullmatch(r"shard-[0-9]+-of-([0-9]+)\.jsonl", name)
            if known:
                return int(known.group(1))
    from . import _komuz

    limits = _komuz.limits()
    most = limits["most_shards"]
    if total is not None:
        most = min(most, -(-total // limits["shard_block"]))
    return max(1, min(most, _PARTS_OF_A_WORKER * max(1, workers)))


def run_id() -> str:
    return uuid.uuid4().hex[:12]


def merged(given: Given, paths: Sequence[str], is_partial: bool) -> Ranking:
    from . import _komuz

    made = _komuz.merge(
        session(), given.is_search, given.words, given.sketch, given.case_text, list(paths), is_partial
    )
    ranking = Ranking(made)
    if made.facts()["was_interrupted"] and not is_partial:
        warn_of_interrupt(ranking)
    return ranking


def warn_of_interrupt(ranking: Ranking) -> None:
    warn(f"interrupted: the ranking is that of the {len(ranking)} candidates that had come", InterruptedWarning)


def rank_on(
    client: Any,
    given: Given,
    total: Optional[int],
    shards: Optional[int],
    folder: Union[None, str, "os.PathLike[str]"],
    progress: Optional[Shown],
) -> Ranking:
    """The ranking of a run whose parts are tasks."""
    from . import _komuz

    check_client(client)
    most = _komuz.limits()["most_shards"]
    if shards is not None and not (isinstance(shards, int) and 1 <= shards <= most):
        raise OptionError(f"`shards` is {shards!r}", remedy=f"give 1 to {most}")
    _komuz.check_run(session(), False, given.words, given.sketch, given.case_text, None)
    texts = None if given.candidates.texts is None else list(given.candidates.texts)
    if texts is not None:
        total = len(texts)
    kept = pathlib.Path(folder).absolute() if folder is not None else None
    of = shards or default_shards(total, len(workers_of(client)), kept)
    sent = Sent(given.words, texts, given.sketch, given.case_text, run_id())
    with tempfile.TemporaryDirectory(prefix="komuz-") as own:
        place = kept or pathlib.Path(own)
        place.mkdir(parents=True, exist_ok=True)
        paths = _run_parts(client, sent, of, place, kept is not None, total, progress)
        is_partial = len(paths) < of
        if is_partial and not paths:
            raise KeyboardInterrupt
        ranking = merged(given, [paths[part] for part in sorted(paths)], is_partial)
        if is_partial:
            warn_of_interrupt(ranking)
        return ranking


def _run_parts(
    client: Any, sent: Sent, of: int, place: pathlib.Path, is_shared: bool, total: Optional[int], progress: Optional[Shown]
) -> Dict[int, str]:
    """The logs of the parts; after Ctrl-C, of those that had ended."""
    paths: Dict[int, str] = {}
    retries = Retries()
    done = 0
    folder = str(place) if is_shared else None
    try:
        with Tasks(client, sent.run) as tasks:
            held = tasks.hold(sent)
            for part in range(1, of + 1):
                tasks.submit(part, run_part, held, part, of, folder)
            while len(paths) < of:
                for part, told, error in tasks.take():
                    if error is not None:
                        if not (is_killed(error) and retries.is_worth_it(part)):
                            raise_from_worker(error, f"part {part}/{of}")
                        tasks.submit(part, run_part, held, part, of, folder)
                        continue
                    retries.note_end()
                    log, candidates = told
                    path = place / log_name(part, of)
                    if log is not None:
                        path.write_bytes(log)
                    paths[part] = str(path)
                    done += candidates
                    if progress:
                        progress.tell(done, total)
    except KeyboardInterrupt:
        pass
    return paths
