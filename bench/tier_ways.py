#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures cheaper code in runs (docs/neural.md), on the virtual machine and as native code.

Usage: bench/tier_ways.py [--bin FOLDER] [--rounds N] [--cases N]

Prints a row for each program: nanoseconds of a case on the virtual machine, as it is and as `komuz optimise` makes it, in turn on the same inputs;
milliseconds of 20,000 calls as native code of both (`komuz run --native always`); the share of the time that is saved in each; then, in milliseconds of the
processor, the whole of `komuz eval` with `traditional`, `hybrid` and `neural`, less what cases take to be read. Each figure is the least of the
rounds. It fails where reports or results differ.
"""

import argparse
import random
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PROGRAMS = {
    # Windows in a loop, which have cheaper code.
    "bools": """pub fn f(n: i64) -> i64 {
  var s = 0;
  for i in 0..200 {
    let a = (n ^ i) & 1 == 0;
    let b = (n & i) % 3 == 0;
    let c = i > n % 64;
    s = s ^ (if (a && !b && !c) || (!a && b && !c) || (!a && !b && c) { i } else { n });
  }
  s
}""",
    "clamp": """pub fn f(n: i64) -> i64 {
  var s = 0;
  for i in 0..200 {
    let x = (n ^ i) & 255;
    let y = if x < 32 { 32 } else { if x > 96 { 96 } else { x } };
    let z = if y < i { y } else { i };
    s = s ^ (if z == y { z } else { y });
  }
  s
}""",
    "floats": """pub fn f(n: i64) -> i64 {
  var s = 0.0;
  for i in 0..200 {
    let x = f64(n) / 128.0 + f64(i);
    s = (x * 2.0 + 2.0 * x) / 4.0 + exp(-x / 4.0) * 1.0 + (if x > s { x } else { s }) / 8.0;
  }
  if s > 100.0 { 1 } else { 0 }
}""",
    "hash": """pub fn f(n: i64) -> i64 {
  var s = 7;
  for i in 0..200 {
    let x = (s ^ n) *% 2654435761;
    let r = (x & 15) | (x & 240);
    s = (if r < 100 { r } else { (r % 1024) ^ ((x / 16) & 255) }) ^ i;
  }
  s
}""",
    # The same without a loop.
    "straight": "pub fn f(n: i64) -> i64 { let a = n % 2 == 0; let b = n % 3 == 0; (if (a && !b) || (!a && b) { 1 } else { 0 }) + (if n < 50 { n } else { 50 }) }",
    # Nothing is cheaper.
    "nothing": "pub fn f(n: i64) -> i64 { var s = 0; for i in 0..200 { s = s ^ (n +% i); } s }",
}


def run(command):
    """Processor time of a process with its threads, what it writes, and what `--stats` says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    report, said = process.communicate()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode not in (0, 1):
        sys.exit("%s ends with %d: %s" % (command, process.returncode, said.decode()))
    return 1e3 * (used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime), report, said.decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases", type=int, default=200_000)
    options = parser.parse_args()
    drawn = random.Random(1)
    print("| program | as it is | cheaper | saved | native | cheaper and native | saved | traditional | hybrid | neural |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        numbers = "".join("%d,0\n" % drawn.randint(0, 10_000) for _ in range(options.cases))
        Path(folder, "cases.csv").write_text("n,expected\n" + numbers)

        def measure(name, text):
            """The processor time of all, by tier."""
            program = Path(folder, name + ".komuz")
            program.write_text(text)
            whole, reports = {}, set()
            for _ in range(options.rounds):
                for tier in ("traditional", "hybrid", "neural"):
                    ms, report, _ = run([options.bin / "komuz", "eval", program, "--cases", Path(folder, "cases.csv"), "--threads", "1", "--device", "cpu",
                                         "--native", "never", "--tier", tier, "--json", "-"])
                    reports.add(report)
                    whole[tier] = min(ms, whole.get(tier, ms))
            if len(reports) != 1:
                sys.exit("%s: reports differ" % name)
            return whole

        def cheaper_runs(name, text):
            """Of the program, and of what is made of it: nanoseconds of a case here, milliseconds of calls natively."""
            program = Path(folder, name + "_calls.komuz")
            program.write_text(text + "\npub fn calls(k: i64) -> i64 { var t = 0; for j in 0..k { t = t ^ f(j); } t }\n")
            cheaper = program.with_suffix(".kbc")
            _, _, said = run([options.bin / "komuz", "optimise", program, "-o", cheaper, "--by", "all", "--stats"])
            found = re.search(r"optimise: f takes [\d.]+ of the time on the virtual machine, ([\d.]+) → ([\d.]+) ns", said)
            here = [float(found[1]), float(found[2])] if found else [None, None]
            least, results = [], set()
            for file in (program, cheaper):
                times = []
                for _ in range(options.rounds):
                    _, result, said = run([options.bin / "komuz", "run", file, "--entry", "calls", "--fuel", "1000000000000", "--native", "always",
                                           "--stats", "--", "20000"])
                    results.add(result)
                    times.append(1e3 * float(re.search(r"native: 1 case in ([\d.]+) s", said)[1]))
                least.append(min(times))
            if len(results) != 1:
                sys.exit("%s: results differ" % name)
            return here, least

        reading = measure("same", "pub fn f(n: i64) -> i64 { n }")["traditional"]
        for name, text in PROGRAMS.items():
            whole = measure(name, text)
            row = []
            for plain, cheaper in cheaper_runs(name, text):
                row += ["-" if figure is None else "%.1f" % figure for figure in (plain, cheaper)]
                row.append("%.0f %%" % (100 * (1 - cheaper / plain)) if plain else "-")
            row += ["%.0f" % (whole[tier] - reading) for tier in ("traditional", "hybrid", "neural")]
            print("| %s | %s |" % (name, " | ".join(row)), flush=True)


if __name__ == "__main__":
    main()
