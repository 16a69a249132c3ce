#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits ten formulas of physics to rows whose target has noise, and judges the formula that `komuz fit` takes on rows without noise.

The noise is normal, with a deviation that is a share of the target's. A fit gets 1,000 such rows. The formula that it takes by default, and the
one that is best on its own rows, are judged on 1,000 fresh rows of the clean formula, by the coefficient of determination. With --structures (which needs
NumPy and SciPy) it is counted, too, how often the formula taken has the right structure: with its numbers fitted to the clean rows, starting from
those that it has, it is exact, and none of its numbers is 0. --table FILE.csv judges by the rows of a table that are held out instead, for five splits.

    examples/feynman/sample.py --rows 2000 build/feynman
    bench/fit_noise.py build/feynman --seconds 8 --threads 1
    bench/fit_noise.py --table diabetes.csv --seconds 30
    bench/fit_noise.py build/feynman --operon …/operon_gp --seconds 6

--operon runs Operon in the place of Komuz, as regression_peers.py does. It has one formula.
"""
import argparse
import json
import math
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

EQUATIONS = ["I.6.2a", "I.12.2", "I.13.12", "I.14.3", "I.18.12", "I.27.6", "I.34.8", "I.43.16", "II.3.24", "II.11.28"]
ROWS, FRESH_ROWS = 1000, 1000
MOST_MISSED = 1e-12  # 1 - R² of a formula that is exact, but for rounding
LEAST_NUMBER = 1e-6  # a number that is smaller counts as 0


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def fit(options, table, *more):
    end = ["--generations", str(options.generations)] if options.generations else ["--time", f"{options.seconds}s"]
    return json.loads(run([options.komuz, "fit", table, *end, "--threads", str(options.threads), "--seed", str(options.seed),
                           "--worst", "0", "--json", "-", *more]))


def r2_on(options, program, rows, folder):
    path = folder / "formula.komuz"
    path.write_text(program)
    # Where it gives no number on some row, the command says so by its exit.
    made = subprocess.run([options.komuz, "eval", path, "--cases", rows, "--score", "r2", "--json", "-"], capture_output=True, text=True)
    if not made.stdout:
        sys.exit(made.stderr)
    report = json.loads(made.stdout)
    score = report["results"][0]["score"]
    return -math.inf if score is None else score


def has_right_structure(options, program, rows, folder):
    """Is the formula exact on the clean `rows` once its numbers are fitted to them, without a number that is then 0?"""
    import numpy
    from scipy.optimize import least_squares
    path = folder / "formula.komuz"
    path.write_text(program)
    text = run([options.komuz, "export", path, "--to", "numpy"])
    head = next(line for line in text.splitlines() if line.startswith("def expected("))
    before, body = text.split(head)
    literal = r"(?<![\w.])\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)(?![\w.])"
    start = [float(number) for number in re.findall(literal, body)]
    count = iter(range(len(start)))
    names = {}
    exec(before + head + re.sub(literal, lambda _: f"NUMBERS[{next(count)}]", body), names)  # our own export
    lines = [line.split(",") for line in rows.read_text().splitlines()]
    columns = {name: numpy.array([float(line[k]) for line in lines[1:]]) for k, name in enumerate(lines[0])}
    expected = columns["expected"]
    inputs = [columns[name.split(":")[0].strip()] for name in head[head.index("(") + 1:head.index(")")].split(",")]
    deviation = expected.std()

    def residuals(numbers):
        names["NUMBERS"] = numbers
        return numpy.nan_to_num((names["expected"](*inputs) - expected) / deviation, nan=1e9, posinf=1e9, neginf=-1e9)

    numbers = numpy.array(start)
    if start:
        numbers = least_squares(residuals, numbers, x_scale=numpy.maximum(abs(numbers), 1e-3), xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    return bool(numpy.mean(residuals(numbers) ** 2) < MOST_MISSED and (abs(numbers) > LEAST_NUMBER).all())


def operon(options, table, fresh):
    """R² of its formula on fresh rows, and the formula."""
    import regression_peers  # needs NumPy
    regression_peers.Operon.program = options.operon
    columns, expected = regression_peers.columns_of(table)
    fresh_columns, fresh_expected = regression_peers.columns_of(fresh)
    search = regression_peers.Operon(columns, expected, options.seed)
    while search.seconds() < options.seconds:
        search.step()
    search.end()
    return regression_peers.fresh_r2(search.values(columns), expected, search.values(fresh_columns), fresh_expected), search.formula


def noisy(options, equations, folder):
    """For each share of noise: how many formulas have R² above 0.999 on clean rows, of those taken and of the best on their own rows."""
    for share in options.noise:
        counts, structures = {"taken": 0, "best": 0}, 0
        for name in EQUATIONS:
            lines = [",".join(line.split(",")[:-1]) for line in (equations / f"{name}.csv").read_text().splitlines()]
            if not lines[0].endswith(",expected"):
                sys.exit(f"{equations / name}.csv: the last columns are not `expected` and `tol`")
            if len(lines) < 1 + ROWS + FRESH_ROWS:
                sys.exit(f"{equations / name}.csv has fewer than {ROWS + FRESH_ROWS} rows; write them by sample.py --rows {ROWS + FRESH_ROWS}")
            chance = random.Random(f"{name} {options.seed}")
            targets = [float(line.rsplit(",", 1)[1]) for line in lines[1:]]
            deviation = share * statistics.pstdev(targets)
            table, fresh = folder / "noisy.csv", folder / "fresh.csv"
            rows = [f"{line.rsplit(',', 1)[0]},{target + chance.gauss(0, deviation)!r}" for line, target in zip(lines[1:ROWS + 1], targets)]
            table.write_text("\n".join([lines[0], *rows]) + "\n")
            fresh.write_text("\n".join([lines[0], *lines[-FRESH_ROWS:]]) + "\n")
            if options.operon:
                r2, formula = operon(options, table, fresh)
                counts["best"] += r2 > 0.999
                print(f"{share:5}  {name:10} best {r2:.6f}  {formula}", flush=True)
                continue
            found = fit(options, table)
            if found["selected"] is None:
                sys.exit(f"{name}: no formula gives a number on all rows")
            front, taken = found["front"], found["selected"]["index"]
            r2 = {"taken": r2_on(options, front[taken]["program"], fresh, folder), "best": r2_on(options, front[-1]["program"], fresh, folder)}
            for way in counts:
                counts[way] += r2[way] > 0.999
            structure = ""
            if options.structures:
                is_right = has_right_structure(options, front[taken]["program"], fresh, folder)
                structures += is_right
                structure = "  right" if is_right else "  other"
            print(f"{share:5}  {name:10} taken {r2['taken']:.6f}  best {r2['best']:.6f}{structure}  {front[taken]['formula']}", flush=True)
        taken = "" if options.operon else f"taken {counts['taken']}, "
        print(f"{share:5}  R² above 0.999 on clean rows: {taken}best {counts['best']} of {len(EQUATIONS)}"
              + (f"; the right structure: {structures}" if options.structures else ""), flush=True)


def real(options):
    """The coefficient of determination on held-out rows, for five splits."""
    scores = []
    for split in range(5):
        found = fit(options, options.table, "--split-seed", str(split))
        formula = found["front"][found["selected"]["index"]]
        scores.append(formula["held_out"]["r2"])  # some rows are held out by default
        print(f"split {split}: {scores[-1]:.3f}  size {formula['size']}  {formula['formula']}", flush=True)
    print(f"{options.table}: R² {statistics.mean(scores):.3f} in the mean")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("equations", nargs="?", type=pathlib.Path, help="the folder of sample.py")
    parser.add_argument("--komuz", default="build/release/bin/komuz")
    parser.add_argument("--noise", type=float, action="append", help="as a share of the target's deviation (default: 0.01 and 0.1)")
    parser.add_argument("--structures", action="store_true", help="count the right structures, too (needs NumPy and SciPy)")
    parser.add_argument("--operon", metavar="PROGRAM", help="the command line of Operon, operon_gp, in the place of Komuz")
    parser.add_argument("--table", help="a table of one's own, instead")
    parser.add_argument("--seconds", type=float, default=8, help="for each fit (default: 8)")
    parser.add_argument("--generations", type=int, help="of each fit, in the place of --seconds: the same on any machine")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.noise = options.noise or [0.01, 0.1]
    if options.table:
        if options.operon:
            sys.exit("--operon is for equations, not for a --table")
        real(options)
        return
    if options.equations is None:
        sys.exit("name the folder of sample.py, or a --table")
    with tempfile.TemporaryDirectory() as folder:
        noisy(options, options.equations, pathlib.Path(folder))


if __name__ == "__main__":
    main()
