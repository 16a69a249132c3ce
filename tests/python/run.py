# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of one file, test_PART.py, by pytest. 77: a package is missing that they need.

--sanitized: the module is made with sanitizers, whose runtime (KOMUZ_ASAN_LIBRARY) Python has to load first.
"""
import importlib.util
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

NEEDED = {"estimators": ["sklearn"], "docs": ["sklearn"], "dask": ["distributed"]}
missing = [name for name in ["pytest", "numpy", "pandas"] + NEEDED.get(sys.argv[1], []) if importlib.util.find_spec(name) is None]
if missing:
    print(f"{', '.join(missing)} not installed (scripts/setup --test)")
    sys.exit(77)

if __name__ == "__main__":  # workers that tests spawn import this file
    if "--sanitized" in sys.argv and "LD_PRELOAD" not in os.environ:
        # Where there is a GPU, its driver wants addresses that the sanitizer keeps for itself, but for the last option.
        options = "detect_leaks=0:abort_on_error=1:protect_shadow_gap=0"
        os.environ.update(LD_PRELOAD=os.environ["KOMUZ_ASAN_LIBRARY"], ASAN_OPTIONS=options)
        os.execv(sys.executable, [sys.executable, *sys.argv])
    import pytest

    words = ["-q", "-p", "no:cacheprovider", "--rootdir", str(HERE), str(HERE / f"test_{sys.argv[1]}.py")]
    if "--sanitized" in sys.argv:
        words.append("--capture=no")  # the report of a process that is aborted would be lost
    sys.exit(pytest.main(words))
