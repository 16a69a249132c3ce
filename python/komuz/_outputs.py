# SPDX-License-Identifier: Apache-2.0
"""The options that name files which a run writes: `json`, `best` and `plot`."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List

from ._errors import InputError, OptionError

if TYPE_CHECKING:
    from ._ranking import Ranking

_NAMES = ("json", "plot", "best")  # the last one may have nothing to write


class Outputs:
    """Files that are written when a run has ended. Each is looked at before it begins, so that no run is in vain."""

    def __init__(self, options: Dict[str, Any]) -> None:
        """Takes the options away that name such files."""
        from . import _komuz

        self._paths: Dict[str, str] = {}
        for name in _NAMES:
            path = options.pop(name, None)
            if path is None or path is False:
                continue
            if not isinstance(path, (str, os.PathLike)):
                raise OptionError(f"`{name}` names no file: it is of the type {type(path).__name__}", remedy="give a path")
            self._paths[name] = os.fspath(path)
            if not self._paths[name]:
                raise OptionError(f"`{name}` names no file: it is an empty text", remedy="give a path")
            if name == "plot":
                _komuz.check_drawing(name, self._paths[name])
            _check(self._paths[name])
        if len({os.path.abspath(path) for path in self._paths.values()}) != len(self._paths):
            raise OptionError("two outputs have the same path", remedy="give each a file of its own")

    @property
    def words(self) -> List[str]:
        """What the engine has to know of them."""
        return [f"--best={self._paths['best']}"] if "best" in self._paths else []

    def write(self, ranking: "Ranking") -> None:
        """Writes each; a file is there as a whole, or as it was."""
        for name, path in self._paths.items():
            if name == "json":
                _write(path, ranking.to_json())
            elif name == "best":
                _write(path, ranking.best_file(path))
            else:
                _write(path, ranking.chart().encode())


def _check(path: str) -> None:
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    if os.path.isdir(path):
        raise InputError("this is a folder", remedy="name a file to write", file=path)
    if not os.path.isdir(folder):
        raise InputError(f"there is no folder {os.path.dirname(path) or folder}", remedy="make it, or name another one", file=path)
    # A new file is made beside the old one, so that it is there as a whole or as it was.
    if not os.access(folder if _is_replaced(target) else target, os.W_OK):
        raise InputError("it may not be written", remedy="name another file, in a folder of yours", file=path)


def _is_replaced(path: str) -> bool:
    """False for devices and pipes, which take bytes as they come."""
    return not os.path.exists(path) or os.path.isfile(path)


def _write(path: str, data: bytes) -> None:
    target = os.path.realpath(path)
    try:
        if not _is_replaced(target):
            with open(target, "wb") as file:
                file.write(data)
            return
        beside = f"{target}.{os.getpid()}.new"
        try:
            with open(beside, "xb") as file:
                file.write(data)
            if os.path.exists(target):
                os.chmod(beside, os.stat(target).st_mode & 0o7777)
            os.replace(beside, target)
        except FileExistsError:
            raise
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise InputError(
            f"it cannot be written: {error.strerror}", remedy="name another file, in a folder that has room", file=path
        ) from None
