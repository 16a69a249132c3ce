# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of one file, test_PART.py, by pytest. 77: a package is missing that they need."""
import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

needed = ["pytest", "numpy", "pandas"] + (["sklearn"] if sys.argv[1] in ("estimators", "docs") else [])
missing = [name for name in needed if importlib.util.find_spec(name) is None]
if missing:
    print(f"{', '.join(missing)} not installed (scripts/setup --test)")
    sys.exit(77)

if __name__ == "__main__":  # workers that tests spawn import this file
    import pytest

    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", str(HERE), str(HERE / f"test_{sys.argv[1]}.py")]))
