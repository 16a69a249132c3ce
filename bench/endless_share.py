#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long `komuz eval` takes on a pool of which a part comes to no end, beside the same pool without that part.

Usage: bench/endless_share.py KOMUZ [--tries N] [--percent P] [--threads N] [--score NAME]

The pool is that of examples/regression. An endless candidate stands in place of every (100 / P)-th one. There are several kinds:
endless on all cases or on some, a loop that counts, a loop that stays where it is, nested loops, a recursion. The pools with and
without endless candidates are run by turns. A line for each pool says the median of N tries (9), and the last line says their ratio.
The ranking of all other candidates is compared: it has to be the same. The best is a loop of 10⁵ ticks a case, which has to be first.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = "pub fn f(x: f64, v: f64, l: f64) -> f64 { "
LIMIT = "limit 4000000000"
ENDLESS = [
    "var k = %d; while true LIMIT { k += 1; } f64(k)",
    "var k = x; while k < 1e300 LIMIT { k = k * 0.5 + %d.0; } k",
    "var k = x; while k > 0.0 LIMIT { k += %d.0; } k",
    "var s = %d.0; for i in 0..100000 { for j in 0..100000 { s += x / (1.0 + f64(j)); } } s",
    "var a = %d.0; var b = 1.0; while a != b LIMIT { b = (a + b) / 2.0 + v; a += 1e-9; } a",
]


def pools(percent):
    """The candidates without and with endless ones, and the ids of these."""
    without = (ROOT / "examples/regression/candidates.jsonl").read_text().splitlines()
    step = round(100 / percent)
    best = next(json.loads(line)["source"] for line in without if '"c07342"' in line)
    loop = "var k = 0; while k < 99990 limit 100000 { k += 1; } "
    slow = best.replace("{", "{ " + loop, 1)
    without[4321] = json.dumps({"id": "honest", "source": slow})
    without[7341] = without[0]
    with_endless, ids = list(without), set()
    for k in range(step // 2, len(without), step):
        if k == 4321:
            continue
        name, body = json.loads(without[k])["id"], ENDLESS[k // step % len(ENDLESS)] % (k + 1)
        with_endless[k] = json.dumps({"id": name, "source": HEAD + body.replace("LIMIT", LIMIT) + " }"})
        ids.add(name)
    return without, with_endless, ids


def run(command):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return seconds


def ranked(command, report, left_out):
    """Ids and scores, best first, of those that are in both pools."""
    run([*command, "--json", report])
    rows = json.loads(report.read_text())["results"]
    return [(row["id"], row["score"]) for row in rows if row["id"] not in left_out and row["score"] is not None]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("komuz")
    parser.add_argument("--tries", type=int, default=9)
    parser.add_argument("--percent", type=float, default=1)
    parser.add_argument("--threads", default="")
    parser.add_argument("--score", default="squared")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        without, with_endless, ids = pools(args.percent)
        commands = []
        for label, lines in (("without", without), ("with", with_endless)):
            (folder / f"{label}.jsonl").write_text("\n".join(lines) + "\n")
            command = [args.komuz, "eval", folder / f"{label}.jsonl", "--cases",
                       ROOT / "examples/regression/cases.csv", "--score", args.score]
            commands.append(command + (["--threads", args.threads] if args.threads else []))
        first, second = (ranked(command, folder / "report.json", ids) for command in commands)
        if first != second or first[0][0] != "honest":
            raise SystemExit("the ranking of the others has changed")
        seconds = [[], []]
        for _ in range(args.tries):
            for k, command in enumerate(commands):
                seconds[k].append(run(command))
        medians = [statistics.median(tries) for tries in seconds]
        print(f"without  {1000 * medians[0]:8.1f} ms")
        print(f"with     {1000 * medians[1]:8.1f} ms  ({len(ids)} of {len(without):,} endless)")
        print(f"ratio    {medians[1] / medians[0]:8.2f}")


if __name__ == "__main__":
    main()
