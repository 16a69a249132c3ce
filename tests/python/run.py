# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of one file, test_PART.py, by pytest. 77: a package is missing that they need."""
import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

NEEDED = {"estimators": ["sklearn"], "docs": ["sklearn"], "dask": ["distributed"]}
missing = [name for name in ["pytest", "numpy", "pandas"] + NEEDED.get(sys.argv[1], []) if importlib.util.find_spec(name) is None]
if missing:
    option = "--cluster" if missing == ["distributed"] else "--test"
    print(f"{', '.join(missing)} not installed (scripts/setup {option})")
    sys.exit(77)

if __name__ == "__main__":  # workers that tests spawn import this file
    import pytest

    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", str(HERE), str(HERE / f"test_{sys.argv[1]}.py")]))
