#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the time of `komuz check` grows with a mistake that is made again and again.

Usage: bench/error_growth.py KOMUZ [--bytes N] [--times N] [--show N]

Each wrong program of tests/mistakes.txt and services/explanations/ is repeated in three ways: as items, on one line, and in the
body of its first function. It is repeated to N bytes (20,000) and to N times as many (8). The table shows those that take longest:

    seconds of the longer text
    the power of the length that the time grows by (1: in proportion; starting the process makes it less)
    how the program is repeated, and where it is from
"""

import argparse
import math
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST_RUN_S = 60


def mistakes():
    """(where, source) of each."""
    source, told = [], False
    for number, line in enumerate((ROOT / "tests/mistakes.txt").read_text().splitlines() + [""], 1):
        if line.startswith("    "):
            told = True
        elif line and not line.startswith("# "):
            source.append(line)
        elif not line:
            if source and told:
                yield f"tests/mistakes.txt:{number}", "\n".join(source)
            source, told = [], False
    for page in sorted((ROOT / "services/explanations").glob("K*.md")):
        if wrong := re.search(r"^```komuz wrong\n(.*?)^```$", page.read_text(), re.S | re.M):
            yield f"services/explanations/{page.name}", wrong.group(1)


def repeated(text):
    """How a program is repeated n times, by the name of the way."""
    yield "items", lambda n: (text + "\n") * n
    yield "line", lambda n: (text.replace("\n", " ") + " ") * n
    if body := re.search(r"\{(.*)\}", text, re.S):
        head, tail = text[:body.start() + 1], text[body.end() - 1:]
        yield "body", lambda n: head + (body.group(1) + "\n") * n + tail


def seconds(komuz, path, text):
    path.write_text(text)
    begin = time.perf_counter()
    try:
        subprocess.run([komuz, "check", "--json", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=LONGEST_RUN_S, check=False)
    except subprocess.TimeoutExpired:
        return math.inf
    return time.perf_counter() - begin


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("komuz")
    arguments.add_argument("--bytes", type=int, default=20_000)
    arguments.add_argument("--times", type=int, default=8)
    arguments.add_argument("--show", type=int, default=20)
    given = arguments.parse_args()
    if given.bytes < 1 or given.times < 2:
        sys.exit("error_growth.py: --bytes is at least 1, and --times 2")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "repeated.komuz")
        for where, text in mistakes():
            count = max(2, given.bytes // len(text))
            for way, make in repeated(text):
                short = seconds(given.komuz, path, make(count))
                long = seconds(given.komuz, path, make(count * given.times))
                rows.append((long, math.log(long / short, given.times), way, where))
    rows.sort(reverse=True)
    print(f"{len(rows)} texts, {sum(row[0] for row in rows):.1f} s for the longer ones")
    for long, power, way, where in rows[:given.show]:
        print(f"{long:6.2f} s  {power:5.2f}  {way:5}  {where}")


if __name__ == "__main__":
    main()
