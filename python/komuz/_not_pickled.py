# SPDX-License-Identifier: Apache-2.0
"""What belongs to one process: rankings and pools, whose candidates are in the engine's memory."""
from __future__ import annotations

from typing import NoReturn

from ._errors import InputError


class NotPickled:
    """A base of classes that say what to do in place of pickling or copying them."""

    _instead = "keep what you need of it, such as `source` and `score`"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise InputError(
            f"a `{type(self).__name__}` cannot be pickled or copied, as it belongs to this process", remedy=self._instead
        )
