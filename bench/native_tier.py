#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures automatic tier-up: whole commands with `--native=never`, `auto` and `always`, in turn.

Usage: bench/native_tier.py [--bin FOLDER] [--rounds N]

  moves       processor time with `auto` over the better one of the other two, on programs and amounts of work that are
              and are not worth a compile; the start of the process is in all three
  stays       processor time with `auto` over that with `never`, of runs that must not start the tier; the number of
              compiles is shown
  first       time to the first native result of a session, and memory: with `always` over `never`
  packing     searches of packing heuristics, a short one and a longer one, with `auto` over those with `never`

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

# Programs of native_programs.h on so many cases, and single cases with such an argument.
MANY = [("poly", 1_000), ("poly", 300_000), ("pendulum", 300_000), ("collatz", 1_000), ("collatz", 100_000), ("sort", 1_000), ("sort", 20_000),
        ("sort", 200_000), ("tree", 500), ("tree", 20_000), ("steps", 500), ("steps", 50_000), ("sum", 100_000)]
ALONE = [("count", 30_000), ("count", 30_000_000), ("histogram", 30_000_000), ("long_tree", 20), ("long_tree", 33)]


def read_programs():
    """The texts of native_programs.h: those that run on many cases, and those of single cases."""
    lists = (ROOT / "bench/native_programs.h").read_text().split("kManyPrograms[]")[1].split("kLongPrograms[]")
    row = re.compile(r'\{"(\w+)",\s*(?:R"\((.*?)\)"|"((?:[^"\\]|\\.)*)")', re.DOTALL)
    return [{name: (raw or text.replace("\\n", "\n")).replace("@", "").replace("#", "1001") for name, raw, text in row.findall(part)} for part in lists]


def cases_of(text, numbers):
    """A table with a column for each parameter; numbers of floats are divided by 128, as in the other benchmarks."""
    parameters = re.findall(r"(\w+): (\w+)", re.search(r"pub fn f\((.*?)\)", text)[1])
    lines = [",".join([name for name, _ in parameters] + ["expected"])]
    for k, number in enumerate(numbers):
        row = [numbers[(k + 7 * p) % len(numbers)] if p else number for p in range(len(parameters))]
        lines.append(",".join([repr(n / 128) if kind == "f64" else str(n) for n, (_, kind) in zip(row, parameters)] + ["0"]))
    return "\n".join(lines) + "\n"


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
    rows, (many, alone) = [], read_programs()
    drawn = random.Random(1)
    numbers = [drawn.randint(1, 10_000) for _ in range(max(count for _, count in MANY))]
    works = []
    for name, count in MANY:
        program, cases = folder / ("%s.komuz" % name), folder / ("%s_%d.csv" % (name, count))
        program.write_text(many[name])
        cases.write_text(cases_of(many[name], numbers[:count]))
        works.append(("%s, %s cases" % (name, format(count, ",")), [options.komuz, "eval", program, "--cases", cases, "--threads", "1", "--score", "absolute"]))
    for name, argument in ALONE:
        program = folder / ("long_%s.komuz" % name)
        program.write_text(alone[name])
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
    import formula_sketches
    drawn = random.Random(2)
    sketch, cases = folder / "sketch.komuz", folder / "feynman.csv"
    sketch.write_text(formula_sketches.fill(formula_sketches.EXPRESSION, ["m", "v", "c"], 6))
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
    rows = []
    for generations in (8, 40):
        command = [options.komuz, "search", example / "worth.komuz", "--cases", odd, "--harness", example / "by_room.komuz", "--minimize", "--threads", "1",
                   "--population", "100", "--generations", generations, "--seed", "0"]
        never, auto = in_turn(command, ("never", "auto"), options.rounds)
        rows.append((generations, never, auto, auto / never, compiles(command)))
    return rows


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
        for row in packing(options, folder):
            print("packing, %d generations: never %.0f ms, auto %.0f ms, ratio %.2f, %s compiles" % row)


if __name__ == "__main__":
    main()
