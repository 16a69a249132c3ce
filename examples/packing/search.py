#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches for a heuristic for bin packing, on half of the instances OR3, and judges it on the other half, once.

The search sees instances 1, 3, … of or3.jsonl, and others that are drawn as those of the OR-Library are: 500 items
of 20 to 100, each size with the same probability, and bins of 150. Instances 2, 4, … are looked at when it has ended.
Printed is the excess of bins, in percent, of first fit, of best fit and of what was found. The same
seed and numbers find the same.

    examples/packing/search.py -o build/found.komuz
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
HARNESS = FOLDER / "by_room.komuz"


def draw_instance(rng):
    return json.dumps({"capacity": 150, "items": [rng.randint(20, 100) for _ in range(500)]})


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def read_command_line():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--komuz", default="komuz", help="the executable, where it is not in the path")
    parser.add_argument("--sketch", type=Path, default=FOLDER / "worth.komuz", help="(%(default)s)")
    parser.add_argument("--population", type=int, default=100, help="variants of a generation (%(default)s)")
    parser.add_argument("--generations", type=int, default=150, help="(%(default)s)")
    parser.add_argument("--drawn", type=int, default=40, help="how many instances to draw (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the search and of drawn instances (%(default)s)")
    parser.add_argument("--threads", help="default: one for each processor")
    parser.add_argument("-o", "--output", type=Path, required=True, help="where to write what was found")
    return parser.parse_args()


def main():
    options = read_command_line()
    instances = (FOLDER / "or3.jsonl").read_text().splitlines()
    rng = random.Random(options.seed)
    drawn = [draw_instance(rng) for _ in range(options.drawn)]
    with tempfile.TemporaryDirectory() as folder:
        training, odd, even = (Path(folder) / f"{name}.jsonl" for name in ("training", "odd", "even"))
        training.write_text("\n".join(instances[0::2] + drawn) + "\n")
        odd.write_text("\n".join(instances[0::2]) + "\n")
        even.write_text("\n".join(instances[1::2]) + "\n")
        common = ["--harness", HARNESS, "--minimize"]
        if options.threads:
            common += ["--threads", options.threads]
        run([options.komuz, "search", options.sketch, "--cases", training, *common, "--seed", str(options.seed),
             "--population", str(options.population), "--generations", str(options.generations),
             "--best", options.output])
        print(f"{'bins too many, in percent':26}{'odd':>6}{'even':>6}")
        candidates = FOLDER / "candidates"
        for program in (candidates / "first_fit.komuz", candidates / "best_fit.komuz", options.output):
            line = f"{program.stem:26}"
            for cases in (odd, even):
                report = json.loads(run([options.komuz, "eval", program, "--cases", cases, *common, "--json", "-"]))
                line += f"{report['results'][0]['score']:6.2f}"
            print(line)


if __name__ == "__main__":
    main()
