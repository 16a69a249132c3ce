#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does what `komuz export` writes mean the same? Runs random programs, and each mathematical function, in a target and compares
the results with those of Komuz.

usage: check_targets.py TARGET WRITE_EXPORTS [COUNT [SEED]]

TARGET is python, numpy, c, cuda_host, cuda, rust, javascript, sympy, sqlite, duckdb, excel or notation. Results of programs without
mathematical functions are compared to the bit. Those of mathematical functions may differ by as many units in the last place as
services/export/measured.def says. Programs are run in one process. Exits with 77 where the target is not installed."""

import os
import sys
import tempfile

from compiled_targets import check_c, check_cuda, check_javascript, check_rust
from exported import run
from python_targets import check_numpy, check_python, check_sympy
from table_targets import check_duckdb, check_excel, check_notation, check_sqlite

CHECKS = {
    "python": check_python, "numpy": check_numpy, "c": check_c, "cuda_host": lambda folder: check_c(folder, "cuda_host"),
    "cuda": check_cuda, "rust": check_rust, "javascript": check_javascript, "sympy": check_sympy, "sqlite": check_sqlite, "duckdb": check_duckdb,
    "excel": check_excel, "notation": check_notation,
}

# Of write_exports, where they are called otherwise than the target.
FILES = {"cuda_host": ["cuda"], "sqlite": ["sql"], "notation": ["latex", "mathml"]}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    target, writer = sys.argv[1:3]
    count = sys.argv[3] if len(sys.argv) > 3 else "300"
    seed = sys.argv[4] if len(sys.argv) > 4 else "1"
    with tempfile.TemporaryDirectory() as folder:
        keep = os.environ.get("KOMUZ_KEEP")
        if keep:
            os.makedirs(keep, exist_ok=True)
            folder = keep
        print(run([writer, folder, count, seed, *FILES.get(target, [target])], "write_exports").strip())
        CHECKS[target](folder)


if __name__ == "__main__":
    main()
