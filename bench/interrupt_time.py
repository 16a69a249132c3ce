#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long `komuz eval` and `komuz search` take from SIGINT to their table, at random moments of runs of several kinds.

Usage: bench/interrupt_time.py KOMUZ [--tries N] [--seed N] [--only WORD] [--output OUTPUT]

Each kind of run and of output has a line. It has the median and the largest time of N tries (20), in milliseconds: to the last
line that is shown, and to the exit, when the memory has been given back, too. It also says how many candidates there were when the
signal came. Times are those of the processor, of all threads, where that is less than by the clock. A run that came to its end
before the signal is tried again at an earlier moment.
"""

import argparse
import json
import os
import random
import re
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CASES = "x,expected\n1,5.5\n2,8\n3,10.5\n4,13\n"


def grid(steps):
    hole = "?%s(0.0..10.0, steps: " + str(steps) + ")"
    return "pub fn f(x: f64) -> f64 { " + hole % "a" + " * x + " + hole % "b" + " }\n"


def write_inputs(folder):
    (folder / "cases.csv").write_text(CASES)
    (folder / "300k.komuz").write_text(grid(548))
    (folder / "3m.komuz").write_text(grid(1733))
    proposals = subprocess.run([ROOT / "examples/packing/propose.py", "1000"], check=True, capture_output=True)
    (folder / "proposals.jsonl").write_bytes(proposals.stdout)
    large = "pub fn f(x: f64) -> f64 {\n" + "".join("    let a%d = x * %d.5 + x\n" % (k, k) for k in range(7000)) + "    x\n}\n"
    with (folder / "large.jsonl").open("w") as file:
        for k in range(400):
            source = large.replace("x\n}", "x + %d.0\n}" % k) if k % 2 else "pub fn f(x: f64) -> f64 { x + %d.0 }" % k
            file.write(json.dumps({"id": "c%d" % k, "source": source}) + "\n")
    with (folder / "wrong.jsonl").open("w") as file:
        for k in range(300):
            body = "".join("    let mut a%d = x as f64 * %d;\n" % (j, k) for j in range(30))
            file.write(json.dumps({"id": "c%d" % k, "source": "fn f(x: f64): f64 {\n" + body + "    return x\n}\n"}) + "\n")
    with (folder / "rows.csv").open("w") as file:
        file.write("x,y,expected\n")
        file.writelines("%d.25,%d,%d.5\n" % (k % 1000, k, 3 * k) for k in range(3000000))
    with (folder / "rows.jsonl").open("w") as file:
        file.writelines('{"x": %d.25, "y": %d, "expected": %d.5}\n' % (k % 1000, k, 3 * k) for k in range(1000000))
    (folder / "sum.komuz").write_text("pub fn f(x: f64, y: f64) -> f64 { x + y }\n")
    (folder / "space.komuz").write_text(
        "pub fn f(x: f64) -> f64 { ?e(x) }\n"
        "space e(x: f64) -> f64 depth 6 { x, 1.0, ?(0.0..10.0, steps: 64), e + e, e * e, sin(e) }\n")


def kinds(folder):
    """Names, and command lines without their outputs."""
    cases = ["--cases", folder / "cases.csv", "--score", "squared"]
    packing = ROOT / "examples/packing"
    return {
        "300,000 bound variants": ["eval", folder / "300k.komuz", *cases],
        "3,000,000 bound variants": ["eval", folder / "3m.komuz", *cases],
        "packing, by_room": [
            "eval", folder / "proposals.jsonl", "--harness", packing / "by_room.komuz",
            "--cases", packing / "or3.jsonl", "--minimize",
        ],
        "large candidates": ["eval", folder / "large.jsonl", *cases],
        "fixing": ["eval", folder / "wrong.jsonl", *cases, "--fix"],
        "search, a wide space": ["search", folder / "space.komuz", *cases, "--generations", "2000"],
        "search, 1,000,000 at a time": ["search", folder / "space.komuz", *cases, "--generations", "3", "--population", "1000000"],
        "search by cases, 20,000 at a time": [
            "search", folder / "space.komuz", *cases, "--method", "lexicase", "--generations", "5", "--population", "20000",
        ],
        "search": ["search", folder / "3m.komuz", *cases, "--generations", "2000"],
        "reading 3,000,000 cases": ["eval", folder / "sum.komuz", "--cases", folder / "rows.csv", "--score", "squared"],
        "reading 1,000,000 cases of JSONL": ["eval", folder / "sum.komuz", "--cases", folder / "rows.jsonl", "--score", "squared"],
        "a session reads 3,000,000 cases": ["repl", "--eval", ":cases %s" % (folder / "rows.csv")],
    }


def is_whole(report, candidates):
    """Is it a report that says it is not complete, with a line for each candidate?"""
    lines = 0
    with report.open("rb") as file:
        head = file.readline()
        last = b""
        for line in file:
            lines += line.startswith(b'{"id": ')
            last = line
    return b'"complete": false' in head and last.rstrip() == b"]}" and lines == candidates


def processor_time(pid):
    """Of a process that runs, in seconds, as exactly as the kernel says it."""
    taken = 0
    for task in Path("/proc/%d/task" % pid).iterdir():
        try:
            taken += int((task / "schedstat").read_text().split()[0])
        except OSError:  # it has just ended
            pass
    return taken / 1e9


def read_all(process, time_taken):
    """What it writes to standard error until it ends, and when it wrote last, there or to standard output."""
    texts = {process.stdout: b"", process.stderr: b""}
    is_open = [process.stdout, process.stderr]
    taken = 0.0
    while is_open:
        for stream in select.select(is_open, [], [])[0]:
            piece = os.read(stream.fileno(), 1 << 16)
            if piece:
                texts[stream] += piece
                taken = time_taken()
            else:
                is_open.remove(stream)
    return texts[process.stderr].decode(), taken


def run_once(command, folder, output, moment):
    """Seconds from the signal to the table and to the exit, and candidates; None: it was at its end by then."""
    for name in ("report.json", "log.jsonl"):
        (folder / name).unlink(missing_ok=True)
    options = {"table": [], "--json": ["--json", folder / "report.json"], "--log": ["--log", folder / "log.jsonl"]}
    process = subprocess.Popen([*command, *options[output]], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(moment)
    if process.poll() is not None:
        process.communicate()
        return None
    before = processor_time(process.pid)
    start = time.perf_counter()

    # On a shared machine the clock also counts the work of others. Processor time does not, but it leaves out threads
    # that have ended.
    def time_taken():
        by_clock = time.perf_counter() - start
        used = processor_time(process.pid) - before
        return min(by_clock, used) if used > 0 else by_clock

    os.kill(process.pid, signal.SIGINT)
    errors, table = read_all(process, time_taken)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    taken = table, min(time.perf_counter() - start, usage.ru_utime + usage.ru_stime - before)
    found = re.search(r"interrupted after ([\d,]+) candidate", errors)
    is_before = re.search(r"interrupted( while .* was read|\nthere are no cases)", errors)
    if process.returncode == 130 and is_before:
        return taken, 0
    if process.returncode != 130 or not found:
        if process.returncode == 0:
            return None
        sys.exit("exit %d: %s" % (process.returncode, errors))
    if output == "--json" and not is_whole(folder / "report.json", int(found[1].replace(",", ""))):
        sys.exit("the report is not that of the run")
    return taken, int(found[1].replace(",", ""))


def measure(command, folder, output, tries, draw):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    whole = time.perf_counter() - start
    results = []
    while len(results) < tries:
        result = run_once(command, folder, output, 0.05 + draw.random() * whole)
        if result is not None:
            results.append(result)
        else:
            whole *= 0.98
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("komuz")
    parser.add_argument("--tries", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds that have this word in their name")
    parser.add_argument("--output", choices=("table", "--json", "--log"), help="this one alone")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    print("| run | output | to the table: median | largest | to the exit: median | largest | candidates at the signal |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        for kind, command in kinds(folder).items():
            if options.only not in kind:
                continue
            has_outputs = command[0] != "repl"
            for output in (options.output,) if options.output else ("table", "--json", "--log") if has_outputs else ("table",):
                results = measure([options.komuz, *command], folder, output, options.tries, draw)
                times = [[1000 * taken[k] for taken, _ in results] for k in range(2)]
                shown = " | ".join("%.1f ms | %.1f ms" % (statistics.median(part), max(part)) for part in times)
                counts = [count for _, count in results]
                print(f"| {kind} | {output} | {shown} | {min(counts):,} to {max(counts):,} |", flush=True)


if __name__ == "__main__":
    main()
