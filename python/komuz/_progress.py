# SPDX-License-Identifier: Apache-2.0
"""How far a run has come: a function that is called, or a bar in terminals and notebooks."""
from __future__ import annotations

import importlib
import sys
from typing import Any, Callable, Optional

from ._errors import OptionError


class Shown:
    """Calls a function of the user."""

    def __init__(self, call: Callable[[int, Optional[int]], object]) -> None:
        self.tell = call

    def end(self) -> None:
        pass


class Bar(Shown):
    """A line that grows; by tqdm, where it is installed."""

    def __init__(self) -> None:
        super().__init__(self._tell)
        self._bar: Any = None
        self._is_wide = False

    def _tell(self, done: int, total: Optional[int]) -> None:
        if self._bar is None:
            try:
                tqdm: Any = importlib.import_module("tqdm.auto").tqdm
                self._bar = tqdm(total=total, unit=" candidates")
            except ImportError:
                self._bar = False
        if self._bar:
            self._bar.update(done - self._bar.n)
            return
        of = f" of {total}" if total is not None else ""
        sys.stderr.write(f"\r{done}{of} candidates")
        sys.stderr.flush()
        self._is_wide = True

    def end(self) -> None:
        if self._bar:
            self._bar.close()
        elif self._is_wide:
            sys.stderr.write("\n")


def check_progress(progress: Any) -> None:
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise OptionError(f"`progress` is {progress!r}", remedy="give True for a bar, or a function")


def progress_of(progress: Any) -> Optional[Shown]:
    """What `progress` stands for; None: nobody is told."""
    check_progress(progress)
    if progress is None or progress is False:
        return None
    return Bar() if progress is True else Shown(progress)
