#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the session is, beside those of others that are installed, on one core.

Usage: bench/session_time.py KOMUZ [--rounds N] [--expressions N] [--core N]

It measures:

    distinct expressions a second through a pipe, of `komuz repl` and, in the same run and by turns, of sqlite3, python3 and
        ghci where they are installed; processor time, without the start of each process
    the time from the start of `komuz` on a terminal to its prompt
    the time from a line with 10,000 variants on 256 cases, another one each time, to the ranking
    the time from Ctrl-C to the answer, on a terminal and on all processors, at random moments of lines with a million variants
        and of a loop
"""

import argparse
import json
import os
import pty
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PYTHON = "import sys\nfor line in sys.stdin: print(eval(line))"


def peers(komuz):
    """Names, command lines, and what a line is for each."""
    all_peers = {
        "komuz repl": ([komuz, "repl"], "%s"),
        "sqlite3": (["sqlite3", ":memory:"], "select %s;"),
        "python3": (["python3", "-c", PYTHON], "%s"),
        "ghci": (["ghci", "-v0"], "%s :: Int"),
    }
    return {name: peer for name, peer in all_peers.items() if shutil.which(peer[0][0])}


def expressions(count, draw):
    found = set()
    while len(found) < count:
        found.add("%d * %d + %d" % (draw.randrange(100000), draw.randrange(1000), draw.randrange(10)))
    return sorted(found)


def processor_time(command, text, lines):
    """Seconds that the process computes; its answers have to be as many as the lines."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as answers:
        source.write(text.encode())
        source.seek(0)
        process = subprocess.Popen(command, stdin=source, stdout=answers)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        answers.seek(0)
        if process.returncode != 0 or sum(1 for _ in answers) != lines:
            sys.exit("%s: exit %d, or answers are missing" % (command[0], process.returncode))
        return used.ru_utime + used.ru_stime


def measure_rates(komuz, count, rounds, draw):
    lines = expressions(count, draw)
    found = {name: [] for name in peers(komuz)}
    for _ in range(rounds):
        for name, (command, form) in peers(komuz).items():
            some = lines[: len(lines) // 50] if name == "ghci" else lines
            taken = processor_time(command, "".join(form % line + "\n" for line in some), len(some))
            found[name].append(len(some) / (taken - processor_time(command, "", 0)))
    print("| %d expressions | a second, median | least, most | over the slowest round of komuz |" % count)
    print("| --- | --- | --- | --- |")
    slowest = min(found["komuz repl"])
    for name, rates in found.items():
        print("| %s | %s | %s, %s | %.3f |" % (name, f"{statistics.median(rates):,.0f}", f"{min(rates):,.0f}",
                                               f"{max(rates):,.0f}", statistics.median(rates) / slowest))


def start_on_terminal(komuz):
    """The process and its terminal."""
    process, terminal = pty.fork()
    if process == 0:
        os.execve(komuz, [komuz], {**os.environ, "TERM": "xterm-256color"})
    return process, terminal


def read_until(terminal, text):
    seen = b""
    while text not in seen:
        seen += os.read(terminal, 65536)
    return seen


def end_on_terminal(process, terminal):
    os.write(terminal, b"\x04")
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:  # it has closed the terminal
        pass
    os.close(terminal)
    os.waitpid(process, 0)


def time_to_prompt(komuz):
    start = time.perf_counter()
    process, terminal = start_on_terminal(komuz)
    read_until(terminal, b"> ")
    taken = time.perf_counter() - start
    end_on_terminal(process, terminal)
    return taken


def measure_prompt(komuz, tries):
    times = [time_to_prompt(komuz) * 1000 for _ in range(tries)]
    print("From the start to the prompt, %d times: median %.1f ms, most %.1f" % (tries, statistics.median(times), max(times)))


def measure_variants(komuz, tries, draw):
    with tempfile.TemporaryDirectory() as name:
        cases = Path(name) / "cases.csv"
        rows = ("%.6f,%.6f,%.6f" % (draw.random(), draw.random(), draw.random()) for _ in range(256))
        cases.write_text("x,y,expected\n" + "\n".join(rows) + "\n")
        inputs = [":cases %s" % cases, ":score squared"]
        for k in range(tries):
            inputs.append("?a(0.0..=%d.5, steps: 100) * x + ?b(-1.0..=%d.25, steps: 100) * y" % (k + 1, k + 1))
        answers = subprocess.run([komuz, "repl", "--json"], input="\n".join(inputs) + "\n", capture_output=True,
                                 text=True, check=True).stdout.splitlines()
    parsed = [json.loads(answer) for answer in answers[2:]]
    if any(answer["evaluated"] != 10000 or answer["cases"] != 256 for answer in parsed):
        sys.exit("these are not 10,000 variants on 256 cases")
    times = [answer["time_ns"] / 1e6 for answer in parsed]
    print("10,000 variants on 256 cases, %d lines: median %.1f ms, least %.1f, most %.1f; the first one %.1f"
          % (tries, statistics.median(times), min(times), max(times), times[0]))


def time_to_stop(komuz, inputs, moment, sign):
    """Milliseconds from Ctrl-C to what is told, that included."""
    process, terminal = start_on_terminal(komuz)
    read_until(terminal, b"> ")
    for text in inputs:
        os.write(terminal, text.encode() + b"\r")
        time.sleep(0.1)
    time.sleep(moment)
    start = time.perf_counter()
    os.write(terminal, b"\x03")
    told = read_until(terminal, sign)
    taken = time.perf_counter() - start
    end_on_terminal(process, terminal)
    return taken * 1000, told


def measure_interrupts(komuz, tries, draw):
    line = "sin(?(0.0..10.0, steps: 3000) + ?(0.0..1.0, steps: 3000))"
    kinds = {
        "a million variants": ([":score maximize", ":samples 1000000", line], b"looks for good ones"),
        "a loop": ([":fuel 1000000000000", "{ var s = 0; for i in 0..100_000_000_000 { s += i; }; s }"], b"interrupted"),
    }
    for kind, (inputs, sign) in kinds.items():
        results = []
        while len(results) < tries:
            found = time_to_stop(komuz, inputs, 0.8 * draw.random(), sign)
            if b"interrupted" in found[1]:  # otherwise it had ended by then
                results.append(found)
        times = [taken for taken, _ in results]
        counts = [int(n.replace(b",", b"")) for _, told in results for n in re.findall(rb"after ([\d,]+) variants", told)]
        print("From Ctrl-C to what is told, %s, %d times: median %.1f ms, most %.1f%s"
              % (kind, tries, statistics.median(times), max(times),
                 f", after {min(counts):,} to {max(counts):,}" if counts else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("komuz")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--expressions", type=int, default=100000)
    parser.add_argument("--core", type=int, default=0, help="the processor that all of it runs on")
    options = parser.parse_args()
    komuz = str(Path(options.komuz).resolve())
    everything = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {options.core})
    draw = random.Random(1)
    measure_rates(komuz, options.expressions, options.rounds, draw)
    measure_prompt(komuz, 50)
    measure_variants(komuz, 20, draw)
    os.sched_setaffinity(0, everything)
    measure_interrupts(komuz, 20, draw)


if __name__ == "__main__":
    main()
