# SPDX-License-Identifier: Apache-2.0
"""What the calls of a process share. It has threads, so it does not survive a fork."""
from __future__ import annotations

import atexit
import os
import threading
import weakref
from typing import TYPE_CHECKING, Optional

from ._errors import ForkError

if TYPE_CHECKING:
    from ._komuz import Session
    from ._pool import Pool

_lock = threading.Lock()
_session: Optional["Session"] = None
_process = 0
closed_at_end: "weakref.WeakSet[Pool]" = weakref.WeakSet()
"""Pools, whose threads need the interpreter."""


def session() -> "Session":
    """The session of this process."""
    global _session, _process
    if _session is None:
        from . import _komuz

        with _lock:
            if _session is None:
                _process = os.getpid()
                atexit.register(_end)
                _session = _komuz.Session()
    if _process != os.getpid():
        raise ForkError(
            "this process was forked from one that has used komuz, whose threads it does not have",
            remedy="start workers by multiprocessing.get_context('spawn'), or use komuz only in them",
        )
    return _session


def _end() -> None:
    """Closes pools, stops what other threads still do, and waits for machine code that is being made, since nobody can stop that."""
    global _session
    if _process == os.getpid():
        from . import _komuz

        for pool in list(closed_at_end):
            pool.close_left()
        _komuz.end_threads()
        _session = None
