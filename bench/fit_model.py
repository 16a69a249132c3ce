#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures runs of many sizes by `komuz model --measure`, and fits the constants of `komuz model` to them.

Usage: bench/fit_model.py build/release/bin/komuz [--rows ROWS.jsonl] [--use TEXT] [--write]

Takes some ten minutes. The measurements go to ROWS.jsonl (default: model_rows.jsonl). What is printed are the rows of
services/model/constants.def, and how well the constants from every other size predict the rest; the exit code is 1 if a time or a
memory is further off than 25 %; of the neural way the median time counts, as a single proof may take a second. --write writes constants.def; --use says what else the machine did.

tests/services/model/measured.jsonl are the rows of one such run.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTANTS = ROOT / "services/model/constants.def"
PASSES = 5  # over all sizes: of each the least time counts, as other work only adds
MOST_ERROR = 25  # per cent
# programs, bytes, cases. The neural way takes some 45 µs for a byte.
SIZES = {
    "traditional": [
        (programs, size, cases)
        for programs in (500, 2_000, 10_000)
        for size in (120, 400, 1_000, 3_000)
        for cases in (16, 256, 2_048)
        if programs * size * cases <= 10_000_000_000
    ],
    # Longer programs have several windows.
    "neural": [(programs, size, cases) for programs in (16, 48, 96) for size in (120, 200, 300, 400, 500, 600) for cases in (16, 256)],
}
SIZES["hybrid"] = SIZES["traditional"][::2]
KEPT = ("programs", "size", "cases", "threads")


def measure(komuz, way, programs, size, cases):
    command = [komuz, "model", "--measure", "--json", "--tier", way, "--rounds", 1,
               "--programs", programs, "--size", size, "--cases", cases]
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=True)
    said = json.loads(done.stdout)
    return {name: said[name] for name in KEPT} | {"measured": said["measured"]}


def worst_of(said):
    """Per cent. Of the neural way the median counts: how long a single proof takes is no matter of the size."""
    worst = 0
    for way, *errors in re.findall(r"(?m)^(\w+): .*times are predicted within (\d+) % \(median (\d+) %\), memory within (\d+) %", said):
        time, median, memory = (int(error) for error in errors)
        worst = max(worst, median if way == "neural" else time, memory)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("komuz")
    parser.add_argument("--rows", default="model_rows.jsonl")
    parser.add_argument("--use", default="nothing else to do")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    rows = {}
    runs = [(way, size) for _ in range(PASSES) for way, sizes in SIZES.items() for size in sizes]
    for number, (way, size) in enumerate(runs):
        print(f"\r{number + 1} of {len(runs)}   ", end="", file=sys.stderr)
        row = measure(options.komuz, way, *size)
        kept = rows.setdefault((way, size), row)
        if row["measured"]["processor_seconds"] < kept["measured"]["processor_seconds"]:
            rows[way, size] = row
    print(file=sys.stderr)
    with open(options.rows, "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows.values())

    said = subprocess.run([options.komuz, "model", "--fit", options.rows], stdout=subprocess.PIPE, text=True, check=True).stdout
    print(said, end="")
    if options.write:
        processor = next(iter(rows.values()))["measured"]["processor"]
        text = CONSTANTS.read_text()
        head = text[: text.index("\nMACHINE(") + 1]
        machine = f'MACHINE("{processor}", "{datetime.date.today()}", "{options.use}")\n'
        fitted = "".join(line + "\n" for line in said.splitlines() if line.startswith("WAY("))
        CONSTANTS.write_text(head + machine + fitted + "#undef MACHINE\n#undef WAY\n")
    return 0 if worst_of(said) <= MOST_ERROR else 1


if __name__ == "__main__":
    sys.exit(main())
