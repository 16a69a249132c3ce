#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does docs/evaluate.md show how pandas and DuckDB read reports and logs? Runs its blocks on a report and a log.

check_readers.py pandas|duckdb KOMUZ. Skipped, with exit code 77, where the reader is not installed.
"""
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "evaluate.md"
# The system's has the packages of Debian, whichever comes first in the path.
SYSTEM_PYTHON = "/usr/bin/python3"
# Scores whose order as texts is another, that are infinite, that need all digits, or of which there is none.
SOURCES = ["x + 9.0", "x + 12.0", "x + 3e-9", "x / 0.0", "sqrt(-1.0 - x)", "x +", "x +  9.0", "x + 0.1"]


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def has_module(python, name):
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0


def block(language):
    return re.search(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)[1]


def make_files(komuz, score="absolute"):
    rows = [{"id": f"{k:04}", "source": f"pub fn f(x: f64) -> f64 {{ {text} }}"} for k, text in enumerate(SOURCES)]
    Path("pool.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("cases.csv").write_text("x,expected\n1,1\n2,2\n0.3,0.3\n")
    Path("run.jsonl").unlink(missing_ok=True)
    subprocess.run([komuz, "eval", "pool.jsonl", "--cases", "cases.csv", "--score", score, "--log", "run.jsonl", "--json",
                    "report.json"], check=True, capture_output=True)
    return json.loads(Path("report.json").read_text())["results"]


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, and not {wanted!r}")


def run_pandas(results, more_is_better):
    text, names = block("python"), {}
    if text.count("more_is_better = False") != 1:
        sys.exit("the page does not say which scores are better")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(text.replace("more_is_better = False", f"more_is_better = {more_is_better}"), names)
    scored = [r["id"] for r in results if r["score"] is not None and r["duplicate_of"] is None]
    check("the log in order", list(names["rows"]["id"])[: len(scored)], scored)
    return names, out


def check_pandas(results, komuz):
    names, out = run_pandas(results, False)
    check("the table of the report", out.getvalue().split()[:4], ["id", "score", "fuel", "0"])
    rows, report = names["rows"], names["report"]
    check("the type of scores", [str(table["score"].dtype) for table in (rows, report)], ["float64", "float64"])
    scores = {result["id"]: result["score"] for result in results if result["duplicate_of"] is None}
    found = {row["id"]: None if row["score"] != row["score"] else row["score"] for _, row in rows.iterrows()}
    check("scores of the log", found, scores)
    check("the least score", rows["score"].min(), min(score for score in scores.values() if score is not None))
    whole = rows["score"].fillna(rows["score_text"].astype(float))
    check("the largest score", whole.max(), float("inf"))
    run_pandas(make_files(komuz, "exact"), True)


def run_duckdb(query):
    if shutil.which("duckdb"):
        done = subprocess.run(["duckdb", "-json", "-c", query], capture_output=True, text=True, check=True)
        return [list(row.values()) for row in json.loads(done.stdout or "[]")]
    import duckdb
    return [list(row) for row in duckdb.sql(query).fetchall()]


def check_duckdb(results, _):
    of_log, of_report = [query for query in block("sql").split(";\n") if query.strip()]
    scored = [r for r in results if r["score"] is not None and r["duplicate_of"] is None]
    found = [row[:2] for row in run_duckdb(of_log)]
    check("the log in order", found[: len(scored)], [[r["id"], r["score"]] for r in scored])
    check("the report in order", [row[0] for row in run_duckdb(of_report)], [r["id"] for r in results if r["status"] == "ok"])
    types = {row[0]: row[1] for row in run_duckdb("describe select * from 'run.jsonl'")}
    check("the type of scores", types["score"], "DOUBLE")
    least = "select max(coalesce(score, score_text::double)) = 'inf'::double from 'run.jsonl'"
    check("the largest score is infinite", run_duckdb(least), [[True]])


def main():
    reader, komuz = sys.argv[1], str(Path(sys.argv[2]).resolve())
    if not (reader == "duckdb" and shutil.which("duckdb")) and not has_module(sys.executable, reader):
        if os.path.realpath(sys.executable) == os.path.realpath(SYSTEM_PYTHON) or not has_module(SYSTEM_PYTHON, reader):
            skip(f"{reader} is not installed")
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        results = make_files(komuz)
        {"pandas": check_pandas, "duckdb": check_duckdb}[reader](results, komuz)
        os.chdir("/")


main()
