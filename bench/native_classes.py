#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what native code gains and what it costs by the class of a program: the figures of
engine/native/code_classes.def.

Usage: bench/native_classes.py [--bin FOLDER] [--rounds N]

The table has a row for each class, company and number of lanes:

  gain     the batch machine's processor time over that of native code, the geometric mean of the class's programs
           (bench/native_programs.h); both run in turn on the same cases, the medians of the rounds
  the programs' own ratios

Then what LLVM takes, by the number of lanes: milliseconds an instruction and a program besides, which are the
straight line through the programs' compiles that makes the sum of squared relative errors least, and milliseconds a
mathematical function, the mean of eight.
"""

import argparse
import json
import math
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def measure(binary, rounds):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([binary, "--benchmark_min_time=0.1", "--benchmark_repetitions=%d" % rounds,
                        "--benchmark_enable_random_interleaving=true", "--benchmark_report_aggregates_only=true",
                        "--benchmark_out=" + out.name, "--benchmark_out_format=json"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows = json.load(out)["benchmarks"]
    return [row for row in rows if row.get("aggregate_name") == "median" and not row.get("error_occurred")]


def fit(points):
    """The a and b of time = a * instructions + b, with b at least 0."""
    best = None
    for b in (k * 0.05 for k in range(0, 201)):
        weights = [(x / t, 1 - b / t) for x, t in points]
        a = sum(x * y for x, y in weights) / sum(x * x for x, _ in weights)
        error = sum((a * x + b - t) ** 2 / t ** 2 for x, t in points)
        if best is None or error < best[0]:
            best = (error, a, b)
    return best[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    gains, costs, kernels = {}, {}, {}
    for row in measure(options.bin.resolve() / "native_bench", options.rounds):
        parts = row["run_name"].split("/")
        lanes = int(re.search(r"lanes:(\d+)", row["run_name"])[1])
        if parts[0] in ("many", "alone", "quick"):
            gains.setdefault((parts[0], parts[1], lanes), {})[parts[2]] = row["ratio"]
        elif parts[0] == "compile":
            costs.setdefault(lanes, {})[parts[1]] = (row["instructions"], row["cpu_time"])
        elif parts[0] == "kernels":
            kernels[lanes] = row["ms"]
    print("| company | class | lanes | gain | |\n| --- | --- | --- | --- | --- |")
    for (company, name, lanes), ratios in sorted(gains.items()):
        print("| %s | %s | %d | %.2f | %s |" % (company, name, lanes, statistics.geometric_mean(ratios.values()),
                                          ", ".join("%s %.2f" % pair for pair in ratios.items())))
    print("\n| lanes | ms an instruction | ms besides | ms a function | |\n| --- | --- | --- | --- | --- |")
    for lanes, programs in sorted(costs.items()):
        a, b = fit(list(programs.values()))
        print("| %d | %.3f | %.2f | %.1f | %s |" % (lanes, a, b, kernels.get(lanes, math.nan), ", ".join(
            "%s (%d) %.1f" % (name, count, ms) for name, (count, ms) in programs.items())))


if __name__ == "__main__":
    main()
