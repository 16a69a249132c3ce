#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures automatic tier-up: whole commands with `--native=never`, `auto` and `always`, in turn.

Usage: bench/native_tier.py [--bin FOLDER] [--rounds N]

  moves       processor time with `auto` over the better one of the other two, on programs and amounts of work that are
              and are not worth a compile; the start of the process is in all three
  stays       processor time with `auto` over that with `never`, of runs that must not start the tier; the number of
              compiles is shown
  first       time to the first native result of a session, and memory: with `always` over `never`
  packing     a search of packing heuristics with `auto` over that with `never`

All times are of the processor, with all threads, medians of the rounds.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

POLY = "pub fn f(x: f64) -> f64 { let a = ((x * 0.25 + 1.5) * x - 3.0) * x + 0.75; let b = (x * 0.5 - 7.0) * x + 1.25; a * b + (a - b) * (x + 2.0) }\n"
WAVE = "pub fn f(x: f64) -> f64 { exp(-0.001 * x) * cos(2.0 * x) + 0.5 * x }\n"
COLLATZ = "pub fn f(n: i64) -> i64 { var k = n; var s = 0; while k != 1 { k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 }; s += 1; } s }\n"
SORT = """pub fn f(seed: i64) -> i64 {
    var xs = [0; 32];
    var s = seed;
    for i in 0..32 { s = (s * 1103 + 12345) % 65536; xs[i] = s; }
    for i in 1..32 {
        let x = xs[i];
        var j = i;
        while j > 0 && xs[j - 1] > x { xs[j] = xs[j - 1]; j -= 1; }
        xs[j] = x;
    }
    xs[0] + 3 * xs[16] + 7 * xs[31]
}
"""
FIB = "pub fn f(n: i64) -> i64 { fib(10 + n % 8) }\nfn fib(n: i64) -> i64 rec 40 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }\n"
STEPS = "pub fn f(n: i64) -> i64 { steps(n) }\nfn steps(n: i64) -> i64 rec 400 { if n == 1 { 0 } else if n % 2 == 0 { 1 + steps(n / 2) } else { 1 + steps(3 * n + 1) } }\n"
SUM = "pub fn f(n: i64) -> i64 { sum(n % 400) }\nfn sum(n: i64) -> i64 rec 400 { if n == 0 { 0 } else { n + sum(n - 1) } }\n"
COUNT = "pub fn f(n: i64) -> i64 { var t = 0; for i in 0..n { t = (t * 31 + i) % 10007; } t }\n"
HISTOGRAM = "pub fn f(n: i64) -> i64 { var c = [0; 64]; var s = 1; for _ in 0..n { s = (s * 1103 + 12345) % 65536; c[s % 64] += 1; } c[5] }\n"
LONG_FIB = "pub fn f(n: i64) -> i64 rec 60 { if n < 2 { n } else { f(n - 1) + f(n - 2) } }\n"

# Programs on so many cases, and single cases with such an argument.
MANY = [("poly", POLY, 1_000), ("poly", POLY, 300_000), ("wave", WAVE, 300_000), ("collatz", COLLATZ, 1_000), ("collatz", COLLATZ, 100_000),
        ("sort", SORT, 1_000), ("sort", SORT, 20_000), ("sort", SORT, 200_000), ("tree", FIB, 500), ("tree", FIB, 20_000), ("steps", STEPS, 500),
        ("steps", STEPS, 50_000), ("sum", SUM, 100_000)]
ALONE = [("count", COUNT, 30_000), ("count", COUNT, 30_000_000), ("histogram", HISTOGRAM, 30_000_000), ("tree", LONG_FIB, 20), ("tree", LONG_FIB, 33)]


def processor_ms(command):
    """Of a process with its threads."""
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit("%s ends with %d" % (command, process.returncode))
    return 1e3 * (used.ru_utime + used.ru_stime)


def in_turn(command, choices, rounds):
    """The median processor time with each choice."""
    at = command.index("--") if "--" in command else len(command)
    times = {choice: [] for choice in choices}
    for _ in range(rounds):
        for choice in choices:
            times[choice].append(processor_ms([*command[:at], "--native", choice, *command[at:]]))
    return [statistics.median(times[choice]) for choice in choices]


def moves(options, folder):
    """Pairs of a name, and the ratio."""
    rows, longest = [], max(count for _, _, count in MANY)
    drawn = random.Random(1)
    numbers = [drawn.randint(1, 10_000) for _ in range(longest)]
    works = []
    for name, text, count in MANY:
        program, cases = folder / ("%s.komuz" % name), folder / ("%s_%d.csv" % (name, count))
        program.write_text(text)
        column = "x" if "x: f64" in text else "n"
        column = "seed" if "seed" in text else column
        cases.write_text("%s,expected\n" % column + "".join("%d,0\n" % n for n in numbers[:count]))
        works.append(("%s, %s cases" % (name, format(count, ",")), [options.komuz, "eval", program, "--cases", cases, "--threads", "1", "--score", "absolute"]))
    for name, text, argument in ALONE:
        program = folder / ("long_%s.komuz" % name)
        program.write_text(text)
        works.append(("%s, one case, n = %s" % (name, format(argument, ",")), [options.komuz, "run", program, "--fuel", "1000000000000", "--", argument]))
    for name, command in works:
        never, auto, always = in_turn(command, ("never", "auto", "always"), options.rounds)
        rows.append((name, never, auto, always, auto / min(never, always)))
    return rows


def compiles(command):
    said = subprocess.run([str(word) for word in [*command, "--stats"]], capture_output=True, text=True).stderr
    found = re.search(r"native: ([\d,]+) programs? compiled", said)
    return int(found[1].replace(",", "")) if found else None


def feynman(folder):
    """A search as those of bench/feynman_search.py."""
    sys.path.insert(0, str(Path(__file__).parent))
    import feynman_search
    drawn = random.Random(2)
    sketch, cases = folder / "sketch.komuz", folder / "feynman.csv"
    sketch.write_text(feynman_search.fill(feynman_search.SKETCH, ["m", "v", "c"], 6))
    rows = ["m,v,c,expected"]
    for _ in range(256):
        m, v, c = drawn.uniform(1, 5), drawn.uniform(1, 2), drawn.uniform(3, 10)
        rows.append("%r,%r,%r,%r" % (m, v, c, m / (1 - v * v / c / c) ** 0.5))
    cases.write_text("\n".join(rows) + "\n")
    return ["search", sketch, "--cases", cases, "--score", "correlation", "--threads", "1", "--population", "500", "--generations", "40", "--seed", "0"]


def stays(options, folder):
    example = ROOT / "examples/regression"
    works = [("10,000 candidates × 256 cases", ["eval", example / "candidates.jsonl", "--cases", example / "cases.csv", "--score", "squared", "--threads", "1"]),
             ("a search of the Feynman equations", feynman(folder))]
    rows = []
    for name, words in works:
        command = [options.komuz, *words]
        never, auto = in_turn(command, ("never", "auto"), 3 * options.rounds)
        rows.append((name, never, auto, auto / never, compiles(command)))
    return rows


def first(options):
    """Milliseconds and MB that the first native result takes beyond a run without: the least of many sessions."""
    found = {"never": [], "always": []}
    for _ in range(7 * options.rounds):
        for choice, values in found.items():
            with subprocess.Popen([options.komuz, "repl", "--native", choice], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as session:
                session.stdin.write("1 + 1\n")
                session.stdin.flush()
                session.stdout.readline()
                start = time.perf_counter()
                session.stdin.write("(0..1000).fold(1, (t, i) => (t * 31 + i) % 10007)\n")
                session.stdin.flush()
                session.stdout.readline()
                taken = 1e3 * (time.perf_counter() - start)
                status = Path("/proc/%d/status" % session.pid).read_text()
                values.append((taken, int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024))
                session.stdin.close()
    least = {choice: [min(column) for column in zip(*values)] for choice, values in found.items()}
    return [a - n for a, n in zip(least["always"], least["never"])]


def packing(options, folder):
    example = ROOT / "examples/packing"
    odd = folder / "odd.jsonl"
    odd.write_text("".join((example / "or3.jsonl").read_text().splitlines(keepends=True)[0::2]))
    command = [options.komuz, "search", example / "worth.komuz", "--cases", odd, "--harness", example / "by_room.komuz", "--minimize", "--threads", "1",
               "--population", "100", "--generations", "8", "--seed", "0"]
    return in_turn(command, ("never", "auto"), options.rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    options.komuz = options.bin.resolve() / "komuz"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        rows = moves(options, folder)
        print("| work | never, ms | auto | always | auto over the best |\n| --- | --- | --- | --- | --- |")
        for row in rows:
            print("| %s | %.0f | %.0f | %.0f | %.2f |" % row)
        ratios = [row[-1] for row in rows]
        print("mean %.2f, worst %.2f" % (statistics.geometric_mean(ratios), max(ratios)))
        for row in stays(options, folder):
            print("%s: never %.0f ms, auto %.0f ms, ratio %.3f, %s compiles" % row)
        print("first native result: %.1f ms by the clock, %.1f MB" % tuple(first(options)))
        print("packing: never %.0f ms, auto %.0f ms" % tuple(packing(options, folder)))


if __name__ == "__main__":
    main()
