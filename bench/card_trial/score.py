#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores programs that were written from the language card alone: docs/card_trial.md says how they were drawn.

    bench/card_trial/score.py KOMUZ                     the table of programs.jsonl
    bench/card_trial/score.py KOMUZ --programs FILE     … of other programs, {"id": task, "source": text} a line
    bench/card_trial/score.py KOMUZ --failures          … and why each program that fails does
    bench/card_trial/score.py KOMUZ --least 113 114     fails if fewer pass at once, or after `komuz fix`

tasks.jsonl has the tasks: {"id", "kind", "title", "description", "types", "signature", "examples", "cases"} a line. A program passes
if it gives what is expected of all cases of its task, floats within 1e-9 of it.
"""
import argparse
import collections
import json
import math
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def outcome(komuz, program, cases, *options):
    """The row of a program in the report, as an object."""
    run = subprocess.run(
        [komuz, "eval", program, "--cases", cases, "--tolerance", "1e-9", "--json", "-", *options],
        capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"{program}: {run.stderr}")
    return json.loads(run.stdout)["results"][0]


def passes(row):
    return row["status"] == "ok" and row["passed"] == row["cases"]


def interval(good, count):
    """Wilson's interval of a share, at 95 %."""
    z = 1.959964
    share, spread = good / count, z * z / count
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / count + spread / (4 * count))
    return f"{100 * (middle - half):.0f} to {100 * (middle + half):.0f} %"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("komuz")
    arguments.add_argument("--programs", type=pathlib.Path, default=FOLDER / "programs.jsonl")
    arguments.add_argument("--failures", action="store_true")
    arguments.add_argument("--least", type=int, nargs=2, metavar=("ONCE", "FIXED"))
    given = arguments.parse_args()
    sources = {row["id"]: row["source"] for row in read_lines(given.programs)}
    counts, failures = collections.defaultdict(collections.Counter), []
    with tempfile.TemporaryDirectory() as folder:
        for task in read_lines(FOLDER / "tasks.jsonl"):
            program, cases = pathlib.Path(folder, task["id"] + ".komuz"), pathlib.Path(folder, task["id"] + ".jsonl")
            program.write_text(sources[task["id"]])
            cases.write_text("".join(json.dumps(case) + "\n" for case in task["cases"]))
            row = outcome(given.komuz, program, cases)
            mended = row if passes(row) else outcome(given.komuz, program, cases, "--fix")
            if not passes(row):
                failures.append((task["id"], row, mended))
            for kind in (task["kind"], "all"):
                counts[kind].update(programs=1, once=passes(row), fixed=passes(mended))
    print("| kind | programs | pass at once | pass after `komuz fix` |\n| --- | --- | --- | --- |")
    for kind, count in counts.items():
        if kind == "all":
            continue
        print(f"| {kind} | {count['programs']} | {count['once']} | {count['fixed']} |")
    total = counts["all"]
    shares = [f"**{total[name]}** ({100 * total[name] / total['programs']:.1f} %; {interval(total[name], total['programs'])})"
              for name in ("once", "fixed")]
    print(f"| all | {total['programs']} | {shares[0]} | {shares[1]} |")
    if given.failures:
        for name, row, mended in failures:
            why = row["diagnostics"][0]["message"] if row["diagnostics"] else json.dumps(row["first_failure"])
            print(f"{name}: {row['status']}{', mended' if passes(mended) else ''}: {why}")
    if given.least and (total["once"] < given.least[0] or total["fixed"] < given.least[1]):
        sys.exit(f"fewer than {given.least[0]} pass at once, or than {given.least[1]} after `komuz fix`")


main()
