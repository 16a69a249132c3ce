#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares searches for the Feynman equations with `--propose neural` and without, by processor time.

Every search is that of bench/feynman_search.py, and ends with what it looks for. The sides of one problem and seed run by turns, so that both have the
same machine. A row says which side found it, after how many variants and how much processor time, all of the process. The end says how many are found
within limits, with the exact test of McNemar on what only one side finds, and a bootstrap over equations of the difference in 100 searches (95 %).

    examples/feynman/sample.py --rows 1300 build/feynman
    bench/proposal_search.py build/feynman --seeds 0 1 2 -o rows.csv
    bench/proposal_search.py --judge rows.csv
"""
import argparse
import csv
import math
import os
import pathlib
import re
import random
import subprocess
import sys
import tempfile

import feynman_search as feynman
import formula_sketches

TARGET = 0.9999995
FIELDS = ["equation", "seed", "side", "found", "variants", "seconds", "score"]


def timed(command):
    """(what it printed, processor seconds)."""
    before = os.times()
    result = subprocess.run(command, capture_output=True, text=True)
    after = os.times()
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout, after.children_user + after.children_system - before.children_user - before.children_system


def search(options, side, seed, names, training, fresh, folder):
    sketch, found = folder / "sketch.komuz", folder / "found.komuz"
    sketch.write_text(formula_sketches.fill(formula_sketches.EXPRESSION, names, options.depth))
    output, seconds = timed([options.komuz, "search", sketch, "--cases", training, "--score", "correlation", "--threads", "1", "--population",
                             str(options.population), "--generations", str(options.variants // options.population), "--seed", str(seed), "--top", "1",
                             "--target", str(TARGET), "--best", found, "--propose", side])
    variants = int(re.search(r"([\d,]+) candidates on ", output)[1].replace(",", ""))
    report = feynman.json.loads(feynman.run([options.komuz, "eval", found, "--cases", fresh, "--score", "r2", "--threads", "1", "--json", "-"]))
    return feynman.score_of(report["results"][0]), variants, seconds


def measure(options):
    files = sorted(options.folder.glob("*.csv"))[options.first::options.every]
    with tempfile.TemporaryDirectory() as folder, open(options.output, "a", newline="", encoding="utf-8") as text:
        folder = pathlib.Path(folder)
        out = csv.writer(text)
        if text.tell() == 0:
            out.writerow(FIELDS)
        for seed in options.seeds:
            for rows in files:
                names, training, fresh = feynman.split(rows, options.training_rows, folder)
                for side in options.sides:
                    score, variants, seconds = search(options, side, seed, names, training, fresh, folder)
                    out.writerow([rows.stem, seed, side, int(score > feynman.LEAST_R2), variants, f"{seconds:.3f}", score])
                    text.flush()


def mc_nemar(a, b):
    """The two-sided exact test: a and b are how often only one side has it."""
    n, k = a + b, min(a, b)
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2 ** n) if n else 1.0


def judge(paths):
    rows = {}
    for path in paths:
        with open(path, encoding="utf-8") as text:
            for row in csv.DictReader(text):
                rows[row["equation"], int(row["seed"]), row["side"]] = (row["found"] == "1", int(row["variants"]), float(row["seconds"]))
    sides = list(dict.fromkeys(side for _, _, side in rows))
    problems = [key for key in dict.fromkeys((e, s) for e, s, _ in rows) if all((*key, side) in rows for side in sides)]
    print(f"{len(problems)} searches a side, {len({e for e, _ in problems})} equations")
    for side in sides:
        mine = [rows[e, s, side] for e, s in problems]
        print(f"{side:8} found {sum(f for f, _, _ in mine)}, {sum(v for _, v, _ in mine):,} variants, {sum(t for _, _, t in mine):.1f} s, "
              f"{1e6 * sum(t for _, _, t in mine) / sum(v for _, v, _ in mine):.2f} µs each")
    base = sides[0]
    for kind, at, limits in (("variants", 1, (10_000, 20_000, 40_000, 100_000, 200_000)), ("seconds", 2, (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 4.0))):
        for limit in limits:
            have = {side: {p for p in problems if rows[(*p, side)][0] and rows[(*p, side)][at] <= limit} for side in sides}
            line = f"{limit:>9,} {kind}: " + ", ".join(f"{side} {len(have[side])}" for side in sides)
            for side in sides[1:]:
                more, less = len(have[side] - have[base]), len(have[base] - have[side])
                low, high = interval(have[side], have[base], problems)
                line += f"; {side}: {more} only here, {less} only {base}, p = {mc_nemar(more, less):.2g}, of 100 {low:+.1f} to {high:+.1f}"
            print(line)


def interval(one, other, problems):
    """The difference in found of 100, 95 %: a bootstrap over equations, as the seeds of one are alike."""
    equations = sorted({e for e, _ in problems})
    difference = {e: [] for e in equations}
    for p in problems:
        difference[p[0]].append((p in one) - (p in other))
    means = [sum(d) / len(d) for d in difference.values()]
    rng = random.Random(0)
    drawn = sorted(100 * sum(rng.choices(means, k=len(means))) / len(means) for _ in range(4000))
    return drawn[100], drawn[3899]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="?", help="folder of rows, by sample.py")
    parser.add_argument("--judge", nargs="+", metavar="ROWS")
    parser.add_argument("--komuz", default="build/release/bin/komuz")
    parser.add_argument("--sides", nargs="+", default=["plain", "neural"])
    parser.add_argument("--variants", type=int, default=100_000)
    parser.add_argument("--rows", dest="training_rows", type=int, default=256)
    parser.add_argument("--population", type=int, default=500)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("-o", dest="output", default="proposal_search.csv")
    options = parser.parse_args()
    if options.judge:
        judge(options.judge)
    else:
        options.threads = 1
        measure(options)


if __name__ == "__main__":
    main()
