#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches for the 100 Feynman equations from rows of numbers alone, and counts those that are found.

Of each equation 1,000 rows are searched on. What is found is judged on 1,000 fresh ones: an equation is found if the
coefficient of determination there is above 0.999999. The same sketch, with the equation's variables, is searched for all.

    examples/feynman/sample.py --rows 2000 build/feynman
    bench/feynman_search.py build/feynman --seconds 6 --method evolve --method random
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

LEAST_R2 = 0.999999
TRAINING_ROWS = 1000

# What formulas of physics are made of.
SKETCH = """pub fn f({parameters}) -> f64 {{
    ?scale[1.0, 0.5, 2.0, 4.0, 0.25, PI, 1.0 / (4.0 * PI), 1.0 / (2.0 * PI), 4.0 * PI, 1.5, 1.0 / 3.0] *
        ?e({arguments})
}}
space e({parameters}) -> f64 depth {depth} {{
    {variables},
    1.0,
    2.0,
    e * e,
    div0(e, e),
    e + e,
    e - e,
    sqrt0(e),
    exp(e),
    sin(e),
    cos(e),
}}
"""


def write_sketch(path, names, depth):
    path.write_text(SKETCH.format(parameters=", ".join(f"{name}: f64" for name in names),
                                  arguments=", ".join(names), variables=",\n    ".join(names), depth=depth))


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def split(rows, folder):
    lines = rows.read_text().splitlines()
    if len(lines) < 2 * TRAINING_ROWS + 1:
        sys.exit(f"{rows} has fewer than {2 * TRAINING_ROWS} rows; write them by sample.py --rows {2 * TRAINING_ROWS}")
    header = lines[0].split(",")
    names = header[:header.index("expected")]
    training, fresh = folder / "training.csv", folder / "fresh.csv"
    training.write_text("\n".join(lines[:1 + TRAINING_ROWS]) + "\n")
    fresh.write_text("\n".join([lines[0], *lines[1 + TRAINING_ROWS:1 + 2 * TRAINING_ROWS]]) + "\n")
    return names, training, fresh


def search(options, method, names, training, fresh, folder):
    sketch, report, found = folder / "sketch.komuz", folder / "report.json", folder / "found.komuz"
    write_sketch(sketch, names, options.depth)
    common = ["--score", "r2", "--threads", str(options.threads)]
    output = run([options.komuz, "search", sketch, "--cases", training, *common, "--method", method,
                  "--population", str(options.population), "--generations", "1000000", "--time",
                  str(options.seconds), "--seed", str(options.seed), "--top", "1", "--best", found])
    looked_at = next(line.split()[0] for line in output.splitlines() if " on 1,000 cases" in line)
    run([options.komuz, "eval", found, "--cases", fresh, *common, "--json", report])
    score = json.loads(report.read_text())["results"][0]["score"]
    return score if isinstance(score, (int, float)) else float("-inf"), looked_at, found.read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=pathlib.Path, help="folder of rows, by sample.py")
    parser.add_argument("--komuz", default="build/release/bin/komuz")
    parser.add_argument("--method", action="append", help="of komuz search; once for each (default: evolve)")
    parser.add_argument("--seconds", type=float, default=6, help="for each equation")
    parser.add_argument("--population", type=int, default=2000)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="equations with this in their name")
    parser.add_argument("--show", action="store_true", help="print the programs that were found")
    options = parser.parse_args()
    methods = options.method or ["evolve"]
    counts = dict.fromkeys(methods, 0)
    files = [path for path in sorted(options.rows.glob("*.csv")) if not options.only or options.only in path.stem]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for rows in files:
            names, training, fresh = split(rows, folder)
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
