#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures cheaper code in runs (docs/neural.md), on the virtual machine and as native code.

Usage: bench/tier_ways.py [--bin FOLDER] [--rounds N] [--cases N]

Prints a row for each program: processor time of `komuz eval`, less that of the same with one case, less what cases take to be read, in milliseconds: as it is and as cheaper
code (`--tier traditional` and `neural`), on the virtual machine and natively (`--native never` and `always`); what `hybrid` takes, and the
share of the time that cheaper code saves in each way. Each figure is the least of the rounds. It fails where reports differ.
"""

import argparse
import os
import random
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


def processor_ms(command):
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    report = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit("%s ends with %d" % (command, process.returncode))
    return 1e3 * (used.ru_utime + used.ru_stime), report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases", type=int, default=200_000)
    options = parser.parse_args()
    drawn = random.Random(1)
    ways = [(native, tier) for native in ("never", "always") for tier in ("traditional", "neural")] + [("never", "hybrid")]
    print("| program | as it is | cheaper | saved | natively as it is | natively cheaper | saved | hybrid |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for count, name in ((1, "one.csv"), (options.cases, "many.csv")):
            Path(folder, name).write_text("n,expected\n" + "".join("%d,0\n" % drawn.randint(0, 10_000) for _ in range(count)))
        def measure(name, text, ways):
            """The processor time of all cases but one, by way; the reports have to be the same."""
            program = Path(folder, name + ".komuz")
            program.write_text(text)
            least, reports = {}, set()
            for _ in range(options.rounds):
                for native, tier in ways:
                    for cases in ("one.csv", "many.csv"):
                        command = [options.bin / "komuz", "eval", program, "--cases", Path(folder, cases), "--threads", "1", "--device", "cpu",
                                   "--native", native, "--tier", tier, "--json", "-"]
                        ms, report = processor_ms(command)
                        key = (native, tier, cases)
                        least[key] = min(ms, least.get(key, ms))
                        if cases == "many.csv":
                            reports.add(report)
            if len(reports) != 1:
                sys.exit("%s: reports differ" % name)
            return {way: least[way + ("many.csv",)] - least[way + ("one.csv",)] for way in ways}

        reading = measure("same", "pub fn f(n: i64) -> i64 { n }", ways[:1])[ways[0]]
        for name, text in PROGRAMS.items():
            took = {way: ms - reading for way, ms in measure(name, text, ways).items()}
            row = []
            for native in ("never", "always"):
                plain, cheaper = took[native, "traditional"], took[native, "neural"]
                row += ["%.1f" % plain, "%.1f" % cheaper, "%.0f %%" % (100 * (1 - cheaper / plain))]
            print("| %s | %s | %.1f |" % (name, " | ".join(row), took["never", "hybrid"]), flush=True)


if __name__ == "__main__":
    main()
