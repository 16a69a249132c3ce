#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what has a target on the processor of this machine, and prints it as a table beside the targets.

Usage: bench/measure.py [--bin FOLDER] [--core N] [--rounds N] [--write FILE]

`scripts/bench` builds what is measured and calls this. Everything runs on one core unless its row says otherwise. Times are
processor times, medians of the rounds. --write replaces the lines of FILE between `<!-- measured -->` and `<!-- end of measured -->`.
KOMUZ_EXPRTK may name the file extensive_no_functions.txt of the ExprTk benchmark; without it expressions are generated.
"""

import argparse
import datetime
import hashlib
import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import native_tier

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- measured -->\n", "<!-- end of measured -->\n"


class Bench:
    """The medians of an executable's benchmarks, by name, as Google Benchmark counts them."""

    def __init__(self, options, name, chosen, environment={}):
        print("… %s" % name, file=sys.stderr)
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            subprocess.run(
                [options.bin / name, "--benchmark_filter=%s" % chosen, "--benchmark_repetitions=%d" % options.rounds, "--benchmark_min_time=0.2",
                 "--benchmark_enable_random_interleaving=true", "--benchmark_report_aggregates_only=true",
                 "--benchmark_out=%s" % out.name, "--benchmark_out_format=json"],
                check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **environment})
            rows = json.load(out)["benchmarks"]
        self.rows = {row["run_name"]: row for row in rows if row["aggregate_name"] == "median"}

    def __call__(self, name, figure="cpu_time"):
        return self.rows[name][figure] if name in self.rows else None

    def over(self, name, other):
        return self(name) / self(other)


@dataclass
class Row:
    """What was measured, beside its targets; None: there is no figure."""

    what: str
    measured: float | None
    form: str  # how a figure is printed, such as "{:.0f} ms"
    must: float = None
    goal: float = None
    more_is_better: bool = False

    def verdict(self):
        if self.must is None or self.measured is None:
            return ""
        reached = (lambda target: self.measured >= target) if self.more_is_better else (lambda target: self.measured <= target)
        if reached(self.goal):
            return "goal reached"
        if reached(self.must):
            return "must reached"
        share = self.measured / self.must if self.more_is_better else self.must / self.measured
        return "**missed: %.1f %% of the must**" % (100 * share)

    def markdown(self):
        measured = "not measured" if self.measured is None else self.form.format(self.measured)
        cells = [self.what, measured, self.target(self.must), self.target(self.goal), self.verdict()]
        return "| %s |" % " | ".join(cells)

    def target(self, value):
        """As a measured figure is said, without zeros behind the point."""
        return "" if value is None else re.sub(r"(\.\d*?)0+(?= )", r"\1", self.form.format(value)).replace(". ", " ")


def more(what, measured, form, must=None, goal=None):
    return Row(what, measured, form, must, goal, more_is_better=True)


def less(what, measured, form, must=None, goal=None):
    return Row(what, measured, form, must, goal)


def run(command, **how):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, cwd=ROOT, **how).stdout


def processor_seconds(command):
    """Of a process, all of its threads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def front_end(options):
    bench = Bench(options, "frontend_bench", "lex/1MB|^compile/(programs|expressions)|over_")
    lexers = [bench(name, "bytes_per_second") for name in bench.rows if name.startswith("lex/")]
    rows = [
        more("programs of about 1 KB, source to optimised, checked code", bench("compile/programs", "bytes_per_second") / 1e6, "{:.0f} MB/s", 60, 150),
        more("expressions as one function each, the same (%s)" % expressions(), bench("compile/expressions", "items_per_second"), "{:,.0f} a second", 300_000, 1_000_000),
        more("lexing", max(lexers) / 1e9, "{:.2f} GB/s", 0.5, 1.5),
    ]
    for kind, said in (("programs", "programs"), ("expressions", "expressions"), ("own_heads", "expressions with a head of its own each")):
        rows.append(less("time over the recursive-descent compiler of `bench/`, %s" % said,
                         bench("frontend_over_recursive_descent/" + kind, "ratio"), "{:.2f} times", 1.25, 1))
    for kind in ("programs", "expressions"):
        rows.append(less("time with optimisation over time without, %s" % kind,
                         bench("optimised_over_plain/" + kind, "ratio"), "{:.2f} times", 2, 1.5))
    rows.append(less("a batch of which every program fails, over a sound one", bench("failing_over_sound/programs", "ratio"), "{:.2f} times", 1.1, 1.05))
    return rows


def scaling(options):
    """On two cores."""
    everything = os.sched_getaffinity(0)
    os.sched_setaffinity(0, options.all_cores)
    bench = Bench(options, "frontend_bench", "compile_by_threads")
    os.sched_setaffinity(0, everything)
    one, two = (bench("compile_by_threads/expressions/real_time/threads:%d" % n, "items_per_second") for n in (1, 2))
    return [more("expressions a second on two cores over those on one, by the clock", two / one if two else None, "{:.2f} times", 1.8, 1.9)]


LOOPS = {"collatz": "collatz", "gcd": "gcd", "even_squares": "even squares", "count_odds": "count odds"}


def batch_machine(options):
    bench = Bench(options, "vm_bench", "run_expressions/[fi](32|64)(_quotients|_sums_compared|_products)?$|budget_over_none|^run_(batch|reference)/(%s)$" % "|".join(LOOPS))
    expressions = [
        ("f32 expressions without `/`", "f32", 15, 40), ("the same in f64", "f64", 8, 18),
        ("f32, a quarter of the operators `/`", "f32_quotients", 12, 25), ("the same in f64", "f64_quotients", 6, 9),
        ("i64, checked: `+`, `-` and comparisons", "i64_sums_compared", 5, 10), ("i64 `*`", "i64_products", 2, 4),
        ("i64 `/` and `%`", "i64_quotients", 0.5, 1),
    ]
    rows = [more(what, bench("run_expressions/" + name, "nodes") / 1e9, "{:.1f} G nodes/s", must, goal)
            for what, name, must, goal in expressions]
    for name, said in LOOPS.items():
        rows.append(more("%s over 256 cases, times as fast as the reference interpreter" % said,
                         bench.over("run_reference/" + name, "run_batch/" + name), "{:.1f} times", 10, 25))
    for name in bench.rows:
        if name.startswith("budget_over_none/"):
            rows.append(less("checks of the budget, %s: time over that without them" % LOOPS[name.split("/")[1]], bench(name, "ratio"), "{:.3f} times", 1.03, 1))
    return rows


NATIVE = ("Straight/poly", "Straight/pendulum", "Straight/lorentz", "Loops/collatz", "ArrayLoops/sort", "ArrayLoops/packing")


def native_code(options):
    """Code for sixteen cases beside the batch machine, each with all that the processor has, and each without AVX-512; code for one
    beside gcc's."""
    if not (options.bin / "komuz_backend.so").exists():
        return []
    rows = []
    names = ", ".join(name.split("/")[1] for name in NATIVE)
    for said, environment, goal in (("", {}, 2.5), (", without AVX-512", {"KOMUZ_SIMD": "avx2", "KOMUZ_CPU": "x86-64-v3"}, 3)):
        bench = Bench(options, "native_bench", "many/(Straight|Loops|ArrayLoops)/.*/lanes:16$", environment)
        ratios = [bench("many/%s/lanes:16" % name, "ratio") for name in NATIVE]
        rows.append(more("native code for 16 cases at a time, times as fast as the batch machine, geometric mean of %s%s" % (names, said),
                         mean_of(ratios), "{:.2f} times", 1.5, goal))
    bench = Bench(options, "native_bench", "(many|alone)/Recursion/.*/lanes:1$|compile/(poly|pendulum|lorentz|collatz|sort|packing)/")
    rows += [more("recursion that differs from case to case, native code for one case: times as fast as the batch machine (steps)",
                  bench("many/Recursion/steps/lanes:1", "ratio"), "{:.1f} times", 6, 10),
             more("a tree of calls in a single case, the same", bench("alone/Recursion/long_tree/lanes:1", "ratio"), "{:.1f} times", 6, 10),
             more("recursion that is alike in all cases, the same (chain, sum)",
                  mean_of([bench("many/Recursion/%s/lanes:1" % name, "ratio") for name in ("chain", "sum")]), "{:.2f} times")]
    for lanes in (1, 16):
        times = [bench("compile/%s/lanes:%d" % (name.split("/")[1], lanes)) for name in NATIVE]
        rows.append(less("compiling one of the six for %d %s at a time, mean" % (lanes, "case" if lanes == 1 else "cases"),
                         statistics.mean(times) if all(times) else None, "{:.1f} ms"))
    bench = Bench(options, "native_peers", "over_gcc")
    peers = sorted({name.split("/")[1] for name in bench.rows})
    for effort, said in ((1, "of the tier"), (2, "of `komuz build`")):
        rows += [less("native code for one case over gcc -O2 with the same checks, effort %s, geometric mean of %s" % (said, ", ".join(peers)),
                      mean_of([bench("over_gcc/%s/effort:%d" % (name, effort), "ratio") for name in peers]), "{:.2f} times", 1.1, 0.95),
                 less("compiling 64 functions with their loops over rows over gcc -O2's time for the C of them, the same effort",
                      mean_of([bench("compile_over_gcc/%s/effort:%d/iterations:1" % (name, effort), "ratio") for name in peers]),
                      "{:.2f} times", 0.35, 0.2)]
    return rows + native_tier_rows(options)


def native_tier_rows(options):
    """What becomes native by itself, in whole commands (bench/native_tier.py)."""
    print("… native_tier", file=sys.stderr)
    tier = argparse.Namespace(komuz=options.bin / "komuz", rounds=options.rounds)
    with tempfile.TemporaryDirectory() as scratch:
        ratios = [row[-1] for row in native_tier.moves(tier, Path(scratch))]
        rows = [less("programs and amounts of work that do and do not pay for a compile: processor time by itself over the best of never and always, mean",
                     statistics.geometric_mean(ratios), "{:.2f} times", 1.15, 1.05),
                less("the same, the worst of %d" % len(ratios), max(ratios), "{:.2f} times", 2, 1.5)]
        for name, _, _, ratio, compiled in native_tier.stays(tier, Path(scratch)):
            rows.append(less("%s: processor time over that with `--native=never` (%d compiles)" % (name, compiled), ratio, "{:.3f} times", 1.02, 1))
        ms, megabytes = native_tier.first(tier)
        rows += [less("the first native result of a session, beyond that of the virtual machine", ms, "{:.0f} ms", 40, 20),
                 less("memory for it", megabytes, "{:.0f} MB", 60, 45)]
        never, auto = native_tier.packing(tier, Path(scratch))
        rows.append(less("a search of packing heuristics, whose variants differ in constants: processor time over that with `--native=never`",
                         auto / never, "{:.2f} times", 0.8, 0.5))
    return rows


def mean_of(ratios):
    return statistics.geometric_mean(ratios) if ratios and all(ratios) else None


def sketches(options):
    bench = Bench(options, "sketch_bench", "bind_variants|expand_variants|rank_variants/distinct_bound")
    expanded = min(bench("expand_variants/" + name, "variants/s") for name in ("choices", "space"))
    bound = bench("rank_variants/distinct_bound", "variants/s")
    return [
        more("variants of a sketch, expanded, to checked code", expanded, "{:,.0f} a second", 500_000, 2_000_000),
        more("the same, bound", bench("bind_variants/choices", "variants/s") / 1e6, "{:.1f} M a second"),
        less("10,000 bound variants on 256 cases, the sketch's text to ranking", 1e4 / bound * 1e3, "{:.1f} ms", 30, 10),
    ]


def end_to_end(options):
    print("… end_to_end", file=sys.stderr)
    environment = {name: value for name, value in os.environ.items() if name != "KOMUZ_EXPRTK"}
    said = run([options.bin / "end_to_end", 10000, 256, options.rounds], env=environment)
    rows = []
    for name, target in (("Komuz, JSONL text to ranking", (60, 25)), ("LuaJIT, compile and score", ()), ("libtcc, compile and score", ())):
        found = re.search(r"^%s +([\d.]+) " % re.escape(name), said, re.MULTILINE)
        if found is None:
            continue
        what = "10,000 candidates × 256 cases, JSONL text to ranking"
        what += "" if target else ": " + name.split(",")[0]
        rows.append(less(what, float(found[1]), "{:.1f} ms", *target))
    return rows


def packing(options):
    """1,000 heuristics on the instances of OR3."""
    print("… packing", file=sys.stderr)
    folder = ROOT / "examples/packing"
    with tempfile.TemporaryDirectory() as scratch:
        proposals = Path(scratch) / "proposals.jsonl"
        proposals.write_text(run([folder / "propose.py", 1000]))
        command = [options.bin / "komuz", "eval", proposals, "--harness", folder / "by_room.komuz", "--cases", folder / "or3.jsonl",
                   "--minimize", "--device", "cpu", "--threads", 1, "--json", Path(scratch) / "report.json"]
        taken = statistics.median(processor_seconds(command) for _ in range(options.rounds))
    return [less("1,000 packing heuristics on the 20 instances of OR3", taken, "{:.2f} s", 4, 1)]


def tool(options):
    print("… komuz", file=sys.stderr)
    komuz = options.bin / "komuz"
    times = []
    for _ in range(50):
        start = time.perf_counter()
        run([komuz, "repl", "-e", "1 + 1"])
        times.append((time.perf_counter() - start) * 1e3)
    rows = [less("from the start of `komuz repl -e '1 + 1'` to its exit, by the clock, with that of Python's `subprocess`", statistics.median(times), "{:.1f} ms", 20, 5)]
    example = ROOT / "examples/regression"
    digests = set()
    os.sched_setaffinity(0, options.all_cores)
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        for threads in (1, 2, 16):
            run([komuz, "eval", example / "candidates.jsonl", "--cases", example / "cases.csv", "--score", "squared",
                 "--threads", threads, "--json", report])
            digests.add(hashlib.sha256(report.read_bytes()).hexdigest())
    os.sched_setaffinity(0, {options.core})
    rows.append(less("different reports of 10,000 candidates by 1, 2 and 16 threads", len(digests), "{:d}", 1, 1))
    return rows


def machine():
    cpu = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    family = re.findall(r"^(?:cpu family|model)\s*: (\d+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[:2]
    compiler = run(["g++", "-dumpfullversion"]).strip()
    return "%s (family %s, model %s), %d cores, Linux %s, g++ %s `-O3`" % (
        cpu[1] if cpu else platform.machine(), *(family or ("?", "?")), os.cpu_count(), platform.release().split("-")[0], compiler)


# Each row states what has to be reached, and the goal.
PARTS = [("The front end", front_end), ("", scaling), ("Running", batch_machine), ("", native_code), ("Sketches", sketches), ("From text to ranking", end_to_end),
         ("", packing), ("The tool", tool)]


def expressions():
    path = os.environ.get("KOMUZ_EXPRTK")
    return "generated" if path is None else "%d of %s" % (len(Path(path).read_text().splitlines()), Path(path).name)


def measure(options):
    lines = []
    for title, part in PARTS:
        if title:
            lines.append("| **%s** | | | | |" % title)
        lines += [row.markdown() for row in part(options)]
    # The load of the last minute, so that a build just before does not count.
    head = ["%s; %s; medians of %d rounds; load at the end %.1f, of which 1 is the measuring itself." % (
        machine(), datetime.date.today(), options.rounds, os.getloadavg()[0]), "",
        "| what | measured | must | goal | |", "| --- | --- | --- | --- | --- |"]
    return "\n".join(head + lines) + "\n"


def write_between_marks(path, text, begin=BEGIN, end=END):
    old = path.read_text()
    if begin not in old or end not in old:
        sys.exit("%s: the marks %s and %s are not there" % (path, begin.strip(), end.strip()))
    before, rest = old.split(begin, 1)
    path.write_text(before + begin + text + end + rest.split(end, 1)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin", help="the folder of the executables")
    parser.add_argument("--core", type=int, default=min(os.sched_getaffinity(0)), help="the processor that one thread runs on")
    parser.add_argument("--rounds", type=int, default=5, help="3 or more")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table into the file, too")
    options = parser.parse_args()
    if options.rounds < 3:
        parser.error("--rounds: medians take 3 or more")
    options.bin = options.bin.resolve()
    options.all_cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {options.core})
    text = measure(options)
    print(text, end="")
    if options.write:
        write_between_marks(options.write, text)


if __name__ == "__main__":
    main()
