# SPDX-License-Identifier: Apache-2.0
"""Packages that only some calls need."""
from __future__ import annotations

import importlib
from typing import Any

from ._errors import PackageError


def imported(name: str) -> Any:
    """The package of this name. Raises `PackageError` if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise PackageError(f"this needs {name}, which cannot be imported: {error}", remedy=f"install {name}") from error
