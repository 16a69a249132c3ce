#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches for the 100 Feynman equations from rows of numbers alone, and counts those that are found.

Each equation has some rows that are searched on, by `--score correlation`: a formula is as good as the best line through
what it gives, and `--best` writes both. They are judged on 1,000 fresh rows: an equation is found if the coefficient of
determination there is above 0.999999. All equations have the same sketch, with their own
variables. Without --seconds a search ends after so many variants, and finds the same on any machine.

    examples/feynman/sample.py --rows 2000 build/feynman
    bench/feynman_search.py build/feynman --method evolve --method random
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

import formula_sketches

LEAST_R2 = 0.999999
FRESH_ROWS = 1000

# What ends a search by time: only rounding is left.
FOUND = ["--target", "0.999999999999"]
INTERRUPTED = 130  # what komuz exits with after Ctrl-C: it has written what it had found


def processor_seconds(pid):
    """What a process has taken until now: user and system."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(command, seconds=None):
    """`seconds` of processor time, then an interrupt. So other work on the machine makes no difference."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    is_over = threading.Event()

    def watch():
        while not is_over.wait(0.01):
            try:
                if processor_seconds(process.pid) >= seconds:
                    return process.send_signal(signal.SIGINT)
            except (FileNotFoundError, ProcessLookupError):  # it has ended by itself
                return

    watcher = threading.Thread(target=watch) if seconds else None
    if watcher:
        watcher.start()
    output, errors = process.communicate()
    is_over.set()
    if watcher:
        watcher.join()
    if process.returncode not in ([0, INTERRUPTED] if seconds else [0]):
        sys.exit(f"{' '.join(map(str, command))}\n{errors}")
    return output


def split(rows, training_rows, folder):
    lines = rows.read_text().splitlines()
    needed = training_rows + FRESH_ROWS
    if len(lines) < needed + 1:
        sys.exit(f"{rows} has fewer than {needed} rows; write them by sample.py --rows {needed}")
    header = lines[0].split(",")
    names = header[:header.index("expected")]
    training, fresh = folder / "training.csv", folder / "fresh.csv"
    training.write_text("\n".join(lines[:1 + training_rows]) + "\n")
    fresh.write_text("\n".join([lines[0], *lines[-FRESH_ROWS:]]) + "\n")
    return names, training, fresh


def score_of(result):
    score = result["score"]
    return float("-inf") if score is None else score


def search(options, method, names, training, fresh, folder):
    sketch, found = folder / "sketch.komuz", folder / "found.komuz"
    sketch.write_text(formula_sketches.fill(formula_sketches.SKETCHES[options.sketch], names, options.depth))
    threads = ["--threads", str(options.threads)]
    population = options.population or formula_sketches.POPULATIONS[options.sketch]
    generations = options.variants // population
    end = ["--generations", "1000000", *FOUND] if options.seconds else ["--generations", str(generations)]
    output = run([options.komuz, "search", sketch, "--cases", training, "--score", "correlation", *threads, "--method",
                  method, "--population", str(population), *end, "--seed", str(options.seed), "--top", "1",
                  "--best", found], options.seconds)
    looked_at = next(line.split()[0] for line in output.splitlines() if " candidates on " in line)
    report = json.loads(run([options.komuz, "eval", found, "--cases", fresh, "--score", "r2", *threads, "--json", "-"]))
    return score_of(report["results"][0]), looked_at, found.read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="folder of rows, by sample.py")
    parser.add_argument("--komuz", default="build/release/bin/komuz")
    parser.add_argument("--method", action="append", help="of komuz search; once for each (default: evolve)")
    parser.add_argument("--variants", type=int, default=1_000_000, help="to look at for each equation (default: 1,000,000)")
    parser.add_argument("--seconds", type=float, help="of processor time for each equation, in the place of --variants")
    parser.add_argument("--rows", dest="training_rows", type=int, default=256, help="to search on (default: 256)")
    parser.add_argument("--sketch", choices=formula_sketches.SKETCHES, default="listed", help="of formula_sketches.py (default: listed)")
    parser.add_argument("--population", type=int, help="default: what suits the sketch, 500 for the listed one")
    parser.add_argument("--depth", type=int, default=6, help="of the space of one expression (default: 6)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="equations with this in their name")
    parser.add_argument("--every", type=int, default=1, help="each so many-th equation alone …")
    parser.add_argument("--first", type=int, default=0, help="… from this one on, which is a number from 0")
    parser.add_argument("--show", action="store_true", help="print the programs that were found")
    options = parser.parse_args()
    methods = options.method or ["evolve"]
    counts = dict.fromkeys(methods, 0)
    files = [path for path in sorted(options.folder.glob("*.csv")) if not options.only or options.only in path.stem]
    files = files[options.first::options.every]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for rows in files:
            names, training, fresh = split(rows, options.training_rows, folder)
            line = f"{rows.stem:12}"
            for method in methods:
                score, looked_at, program = search(options, method, names, training, fresh, folder)
                is_found = score > LEAST_R2
                counts[method] += is_found
                line += f"  {method} {'found' if is_found else f'{score:9.6f}':>9} after {looked_at:>9}"
            print(line, flush=True)
            if options.show:
                print(program)
    print(", ".join(f"{method}: {count} of {len(files)}" for method, count in counts.items()))


if __name__ == "__main__":
    main()
