#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the ranking of a finished evaluation in an editor the one of `komuz eval` on the same file, row by row?

  check_ranking.py KOMUZ
"""
import json
import math
import os
import subprocess
import sys
import tempfile

from stdio_client import Client

SKETCHES = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "sketches")


def wait_for_ranking(client, uri):
    """Until it is done."""
    def is_done(params):
        assert params["state"] in ("running", "done"), params
        return params["uri"] == uri and params["state"] == "done"
    client.wait_for("komuz/rankingChanged", is_done)


def number(value):
    return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(value, value)


def rows_of_eval(komuz, sketch, cases, score, samples):
    options = ["--samples", str(samples), "--seed", "0"] if samples else []
    # It says by its exit code whether any variant has a score.
    run = subprocess.run([komuz, "eval", sketch, "--cases", cases, "--score", score, "--json", "-", "--threads", "2", *options],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    assert run.returncode in (0, 1), run
    rows = []
    for row in json.loads(run.stdout)["results"]:
        if row["duplicate_of"] is not None or row["rank"] is None:
            continue
        score = {"inf": math.inf, "-inf": -math.inf}.get(row["score_text"], row["score"])
        rows.append((row["rank"], row["id"], row["status"], score, row["fuel"], row["code_bytes"]))
    return rows


def check(komuz, folder, name, source, cases, score):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("//! cases: %s\n//! score: %s\n%s" % (cases, score, source))
    client = Client([komuz, "lsp"], folder, options={"komuz": {"ranking": True}})
    uri = "file://" + path
    with open(path, encoding="utf-8") as file:
        client.open(uri, "komuz", file.read())
    wait_for_ranking(client, uri)
    rows = []
    while True:
        part = client.ask("komuz/ranking", textDocument={"uri": uri}, first=len(rows), count=5000)
        assert part["state"] == "done", part["state"]
        if not part["rows"]:
            break
        rows += part["rows"]
    assert len(rows) == part["total"], (len(rows), part["total"])
    ours = [(row["rank"], "#" + row["variant"], row["status"], number(row["score"]), row["fuel"], row["bytes"]) for row in rows]
    wanted = rows_of_eval(komuz, path, os.path.join(folder, cases), score, part["evaluated"] if part["isSample"] else None)
    assert wanted, "eval has ranked nothing"
    # Rows that trapped have no fuel that counts.
    for mine, theirs in zip(ours, wanted):
        if theirs[3] is None:
            mine, theirs = mine[:4], theirs[:4]
        assert mine == theirs, (name, mine, theirs)
    assert len(ours) == len(wanted), (name, len(ours), len(wanted))
    assert client.end() == 0
    print("%s by %s: %d rows, the same" % (name, score, len(ours)))


def main():
    komuz = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        with open(os.path.join(SKETCHES, "periods.csv"), encoding="utf-8") as file:
            periods = file.read()
        with open(os.path.join(folder, "periods.csv"), "w", encoding="utf-8") as file:
            file.write(periods)
        with open(os.path.join(SKETCHES, "formula.komuz"), encoding="utf-8") as file:
            formula = file.read()
        for score in ("relative", "squared", "exact", "r2"):
            check(komuz, folder, "formula.komuz", formula, "periods.csv", score)
        # More than an editor evaluates: a sample, the same one.
        large = "pub fn period(l: f64, a: f64) -> f64 { ?(0.0..1.0, steps: 1000) * l + ?(0.0..1.0, steps: 1000) * a + ?(0.0..1.0, steps: 1000) }\n"
        check(komuz, folder, "large.komuz", large, "periods.csv", "squared")
        # Some trap, some are equal, some have no number.
        odd = "pub fn period(l: f64, a: f64) -> f64 { ?[l / (a - a), l, 1.0 * l, l * 1.0, f64(1 / (i64(a) - i64(a)))] }\n"
        check(komuz, folder, "odd.komuz", odd, "periods.csv", "absolute")
    return 0


if __name__ == "__main__":
    sys.exit(main())
