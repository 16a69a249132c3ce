#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches for 39 formulas of the benchmarks of symbolic regression from rows of numbers alone, and counts those that are found.

The formulas are those of Nguyen, Keijzer, Vladislavleva and Pagie, and three rational functions (R), as in "Genetic programming needs better
benchmarks" (McDermott and others, 2012). Each has its own random rows: some to search on, by `--score correlation`, and 1,000 fresh ones. It is found if
the coefficient of determination of the best program, with the line of its score, is above 0.999999 on the fresh rows. The sketches
are those of formula_sketches.py.

    bench/regression_search.py --variants 200000 --sketch all --sketch listed --only Keijzer
    bench/regression_search.py --seconds 8 --threads 1
"""
import argparse
import json
import math
import pathlib
import random
import tempfile

import feynman_search
import formula_sketches

FRESH_ROWS = 1000
NAMES = ["x", "y", "z", "u", "v"]


def powers(x, most):
    return sum(x ** k for k in range(1, most + 1))


def keijzer_4(x):
    return x ** 3 * math.exp(-x) * math.cos(x) * math.sin(x) * (math.sin(x) ** 2 * math.cos(x) - 1)


# Name: the formula, and the range of each variable.
PROBLEMS = {
    "Nguyen 1": (lambda x: powers(x, 3), (-1, 1)),
    "Nguyen 2": (lambda x: powers(x, 4), (-1, 1)),
    "Nguyen 3": (lambda x: powers(x, 5), (-1, 1)),
    "Nguyen 4": (lambda x: powers(x, 6), (-1, 1)),
    "Nguyen 5": (lambda x: math.sin(x * x) * math.cos(x) - 1, (-1, 1)),
    "Nguyen 6": (lambda x: math.sin(x) + math.sin(x + x * x), (-1, 1)),
    "Nguyen 7": (lambda x: math.log(x + 1) + math.log(x * x + 1), (0, 2)),
    "Nguyen 8": (math.sqrt, (0, 4)),
    "Nguyen 9": (lambda x, y: math.sin(x) + math.sin(y * y), (0, 1), (0, 1)),
    "Nguyen 10": (lambda x, y: 2 * math.sin(x) * math.cos(y), (0, 1), (0, 1)),
    "Nguyen 11": (lambda x, y: x ** y, (0, 1), (0, 1)),
    "Nguyen 12": (lambda x, y: x ** 4 - x ** 3 + y * y / 2 - y, (0, 1), (0, 1)),
    "Keijzer 1": (lambda x: 0.3 * x * math.sin(2 * math.pi * x), (-1, 1)),
    "Keijzer 2": (lambda x: 0.3 * x * math.sin(2 * math.pi * x), (-2, 2)),
    "Keijzer 3": (lambda x: 0.3 * x * math.sin(2 * math.pi * x), (-3, 3)),
    "Keijzer 4": (keijzer_4, (0, 10)),
    "Keijzer 5": (lambda x, y, z: 30 * x * z / ((x - 10) * y * y), (-1, 1), (1, 2), (-1, 1)),
    "Keijzer 6": (lambda x: sum(1 / k for k in range(1, round(x) + 1)), range(1, 51)),
    "Keijzer 7": (math.log, (1, 100)),
    "Keijzer 8": (math.sqrt, (0, 100)),
    "Keijzer 9": (math.asinh, (0, 100)),
    "Keijzer 10": (lambda x, y: x ** y, (0, 1), (0, 1)),
    "Keijzer 11": (lambda x, y: x * y + math.sin((x - 1) * (y - 1)), (-3, 3), (-3, 3)),
    "Keijzer 12": (lambda x, y: x ** 4 - x ** 3 + y * y / 2 - y, (-3, 3), (-3, 3)),
    "Keijzer 13": (lambda x, y: 6 * math.sin(x) * math.cos(y), (-3, 3), (-3, 3)),
    "Keijzer 14": (lambda x, y: 8 / (2 + x * x + y * y), (-3, 3), (-3, 3)),
    "Keijzer 15": (lambda x, y: x ** 3 / 5 + y ** 3 / 2 - y - x, (-3, 3), (-3, 3)),
    "Vladislavleva 1": (lambda x, y: math.exp(-((x - 1) ** 2)) / (1.2 + (y - 2.5) ** 2), (0.3, 4), (0.3, 4)),
    "Vladislavleva 2": (keijzer_4, (0.05, 10)),
    "Vladislavleva 3": (lambda x, y: keijzer_4(x) * (y - 5), (0.05, 10), (0.05, 10.05)),
    "Vladislavleva 4": (lambda *x: 10 / (5 + sum((k - 3) ** 2 for k in x)), *[(0.05, 6.05)] * 5),
    "Vladislavleva 5": (lambda x, y, z: 30 * (x - 1) * (z - 1) / (y * y * (x - 10)), (0.05, 2), (1, 2), (0.05, 2)),
    "Vladislavleva 6": (lambda x, y: 6 * math.sin(x) * math.cos(y), (0.1, 5.9), (0.1, 5.9)),
    "Vladislavleva 7": (lambda x, y: (x - 3) * (y - 3) + 2 * math.sin((x - 4) * (y - 4)), (0.05, 6.05), (0.05, 6.05)),
    "Vladislavleva 8": (lambda x, y: ((x - 3) ** 4 + (y - 3) ** 3 - (y - 3)) / ((y - 2) ** 4 + 10), (0.05, 6.05), (0.05, 6.05)),
    "Pagie 1": (lambda x, y: 1 / (1 + x ** -4) + 1 / (1 + y ** -4), (-5, 5), (-5, 5)),
    "R 1": (lambda x: (x + 1) ** 3 / (x * x - x + 1), (-1, 1)),
    "R 2": (lambda x: (x ** 5 - 3 * x ** 3 + 1) / (x * x + 1), (-1, 1)),
    "R 3": (lambda x: (x ** 6 + x ** 5) / (x ** 4 + x ** 3 + x * x + x + 1), (-1, 1)),
}


def write_rows(path, problem, count, chance):
    formula, *ranges = problem
    lines = [",".join(NAMES[:len(ranges)] + ["expected"])]
    for _ in range(count):
        row = [float(chance.choice(values)) if isinstance(values, range) else chance.uniform(*values) for values in ranges]
        lines.append(",".join(repr(value) for value in [*row, float(formula(*row))]))
    path.write_text("\n".join(lines) + "\n")
    return NAMES[:len(ranges)]


def search(options, population, sketch, training, fresh, folder):
    """R² of the best program on the fresh rows, and its text."""
    best = folder / "best.komuz"
    end = ["--generations", "1000000", *feynman_search.FOUND] if options.seconds else [
        "--generations", str(max(1, options.variants // population))]
    threads = ["--threads", str(options.threads)]
    feynman_search.run([options.komuz, "search", sketch, "--cases", training, "--score", "correlation", *threads, "--population",
                        str(population), *end, "--seed", str(options.seed), "--top", "1", "--best", best], options.seconds)
    report = json.loads(feynman_search.run([options.komuz, "eval", best, "--cases", fresh, "--score", "r2", *threads, "--json", "-"]))
    return feynman_search.score_of(report["results"][0]), best.read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--komuz", default="build/release/bin/komuz")
    parser.add_argument("--sketch", action="append", choices=formula_sketches.SKETCHES, help="once for each (default: all)")
    parser.add_argument("--variants", type=int, default=1_000_000, help="to look at for each formula (default: 1,000,000)")
    parser.add_argument("--seconds", type=float, help="of processor time for each formula, in the place of --variants")
    parser.add_argument("--rows", type=int, default=1000, help="to search on (default: 1,000)")
    parser.add_argument("--population", type=int, help="default: what suits the sketch")
    parser.add_argument("--depth", type=int, default=6, help="of the space of one expression (default: 6)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="formulas with this in their name")
    parser.add_argument("--show", action="store_true", help="print the programs that were found")
    options = parser.parse_args()
    kinds = options.sketch or ["all"]
    counts = dict.fromkeys(kinds, 0)
    problems = {name: problem for name, problem in PROBLEMS.items() if not options.only or options.only in name}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, problem in problems.items():
            chance = random.Random(f"{name} {options.seed}")
            training, fresh, sketch = folder / "training.csv", folder / "fresh.csv", folder / "sketch.komuz"
            names = write_rows(training, problem, options.rows, chance)
            write_rows(fresh, problem, FRESH_ROWS, chance)
            line = f"{name:16}"
            for kind in kinds:
                sketch.write_text(formula_sketches.fill(formula_sketches.SKETCHES[kind], names, options.depth))
                r2, program = search(options, options.population or formula_sketches.POPULATIONS[kind], sketch, training, fresh, folder)
                is_found = r2 > feynman_search.LEAST_R2
                counts[kind] += is_found
                line += f"  {kind}: {'found' if is_found else '-':5} {r2:.9f}"
                if options.show:
                    line += "\n" + program
            print(line, flush=True)
    print(f"{len(problems)} formulas: " + ", ".join(f"{kind} {count} found" for kind, count in counts.items()))


if __name__ == "__main__":
    main()
