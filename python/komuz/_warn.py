# SPDX-License-Identifier: Apache-2.0
"""Warnings that point to the line of the user that called the package."""
from __future__ import annotations

import sys
import warnings
from typing import Type

_PACKAGE = __name__.partition(".")[0]


def warn(message: str, category: Type[Warning] = UserWarning) -> None:
    """Warns at the first frame that is none of this package."""
    level = 1
    frame = sys._getframe(0)
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == _PACKAGE:
        frame = frame.f_back  # type: ignore[assignment]
        level += 1
    warnings.warn(message, category, stacklevel=level)
