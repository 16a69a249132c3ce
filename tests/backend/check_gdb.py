#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does gdb stop in a function of native code, and walk up from it?

    check_gdb.py BACKEND_TEST

Exit codes: 0, it does; 1, it does not; 77, there is no gdb, no backend, or no right to trace a process.
"""
import os
import shutil
import subprocess
import sys

TEST = "NativeLimits.RecursionUpToItsBoundAndBeyond"  # its function is `f`


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def main(backend_test):
    if not shutil.which("gdb"):
        skip("there is no gdb")
    alone = subprocess.run([backend_test, "--gtest_filter=" + TEST], capture_output=True, text=True)
    if "built without LLVM" in alone.stdout:
        skip("built without LLVM")
    commands = ["set breakpoint pending on", "set debuginfod enabled off", "break komuz::f", "run", "backtrace 4", "info symbol $pc", "delete", "continue"]
    words = ["gdb", "-nx", "-batch", *(word for command in commands for word in ("-ex", command)), "--args", backend_test, "--gtest_filter=" + TEST]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "KOMUZ_NATIVE_MAPS": "gdb"})
    said = done.stdout + done.stderr
    if "ptrace: Operation not permitted" in said or "Could not trace the inferior" in said:
        skip("this process may trace no other")
    for wanted in ("in komuz::f ()", "komuz::backend::NativeCode::run_cases", "komuz::f in section .text of <in-memory@", "[  PASSED  ] 1 test."):
        assert wanted in said, f"no `{wanted}` in\n{said}"
    print("gdb stops in komuz::f")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
