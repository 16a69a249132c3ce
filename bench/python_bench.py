#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of the package of Python, side by side in one run: komuz.rank and a round of a komuz.Pool beside `komuz eval`,
compiled functions beside NumPy and, where it is installed, numexpr (python3-numexpr of Debian).

    PYTHONPATH=build/release/python bench/python_bench.py build/release/bin/komuz

Without the name of a command, of the functions alone. These are of one thread each, in processor time.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy as np

import komuz

ROUNDS = 7
POOL_ROUNDS = 40


def by_turns(*calls, clock=time.perf_counter, rounds=ROUNDS):
    """The best time of each, in seconds."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for k, call in enumerate(calls):
            begin = clock()
            call()
            best[k] = min(best[k], clock() - begin)
    return best


def expressions(count, seed=1):
    drawn = random.Random(seed)

    def grow(depth):
        if depth == 0 or drawn.random() < 0.2:
            return drawn.choice(["x", "y", "z", f"{drawn.uniform(0.1, 9):.3f}"])
        return f"({grow(depth - 1)} {drawn.choice('+-*/')} {grow(depth - 1)})"

    return [grow(3) for _ in range(count)]


def table(rows):
    drawn = np.random.default_rng(1)
    columns = {name: drawn.normal(size=rows) for name in "xyz"}
    return columns, columns["x"] * columns["y"] - columns["z"]


def programs(count, seed=1):
    return [f"pub fn f(x: f64, y: f64, z: f64) -> f64 {{ {text} }}" for text in expressions(count, seed)]


def write_candidates(path, texts):
    path.write_text("".join(json.dumps({"id": str(k + 1), "source": text}) + "\n" for k, text in enumerate(texts)))


def write_cases(path, columns, y):
    rows = zip(*(column.tolist() for column in columns.values()), y.tolist())
    path.write_text("x,y,z,expected\n" + "".join(",".join(map(repr, row)) + "\n" for row in rows))


def rank(komuz_executable, folder):
    columns, y = table(256)
    texts = programs(10_000)
    candidates, cases = folder / "candidates.jsonl", folder / "cases.csv"
    write_candidates(candidates, texts)
    write_cases(cases, columns, y)
    report = folder / "report.json"
    command = [komuz_executable, "eval", candidates, "--cases", cases, "--score", "squared", "--json", report]
    here, there = by_turns(
        lambda: komuz.rank(texts, columns, y, score="squared"),
        lambda: subprocess.run(command, check=False, capture_output=True),
    )
    assert komuz.rank(texts, columns, y, score="squared").to_json() == report.read_bytes()
    print(f"rank, 10,000 expressions x 256 rows   {here * 1e3:8.1f} ms   komuz eval {there * 1e3:8.1f} ms   {here / there:.2f}")


def rounds(komuz_executable, folder):
    """A round of new programs each time, from texts to scores in Python, on both sides."""
    columns, y = table(200)
    candidates, cases, report = folder / "round.jsonl", folder / "cases.csv", folder / "report.json"
    write_cases(cases, columns, y)
    command = [komuz_executable, "eval", candidates, "--cases", cases, "--score", "squared", "--json", report]
    batches = iter([programs(500, seed) for seed in range(2, 2 + 2 * POOL_ROUNDS)])
    scores = []

    def here():
        scores.append([c.score for c in pool.rank(next(batches))])

    def there():
        write_candidates(candidates, next(batches))
        subprocess.run(command, check=False, capture_output=True)
        rows = json.loads(report.read_bytes())["results"]
        scores.append({row["id"]: row["score"] for row in rows})

    with komuz.Pool(columns, y, score="squared") as pool:
        one, other = by_turns(here, there, rounds=POOL_ROUNDS)
    assert all(len(found) == 500 for found in scores)
    print(f"a round of a pool, 500 x 200 cases    {one * 1e3:8.1f} ms   komuz eval {other * 1e3:8.1f} ms   1/{other / one:.1f}")


# In Komuz, NumPy and numexpr.
FUNCTIONS = {
    "a polynomial of degree 5": (
        "((((0.5 * x - 1.0) * x + 2.0) * x - 3.0) * x + 4.0) * x - 5.0",
        lambda x, y: ((((0.5 * x - 1.0) * x + 2.0) * x - 3.0) * x + 4.0) * x - 5.0,
        "((((0.5 * x - 1.0) * x + 2.0) * x - 3.0) * x + 4.0) * x - 5.0",
    ),
    "exp(-x*x/2)*cos(y)": (
        "exp(-x * x / 2.0) * cos(y)",
        lambda x, y: np.exp(-x * x / 2.0) * np.cos(y),
        "exp(-x * x / 2.0) * cos(y)",
    ),
    "a branch": (
        "if x > y { x * 2.0 } else { y - 1.0 }",
        lambda x, y: np.where(x > y, x * 2.0, y - 1.0),
        "where(x > y, x * 2.0, y - 1.0)",
    ),
}
WARM_SECONDS = 2  # of calls before the first that counts: native code comes where it pays
FUNCTION_ROUNDS = 40


def functions():
    try:
        import numexpr

        numexpr.set_num_threads(1)
    except ImportError:
        numexpr = None
    x, y = np.random.default_rng(2).normal(size=(2, 1_000_000))
    for name, (text, numpy_function, numexpr_text) in FUNCTIONS.items():
        f = komuz.compile(text, signature="fn(x: f64, y: f64) -> f64")
        calls = [lambda: f(x, y, threads=1), lambda: numpy_function(x, y)]
        if numexpr is not None:
            values = {"x": x, "y": y}
            calls.append(lambda: numexpr.evaluate(numexpr_text, values))
        until = time.perf_counter() + WARM_SECONDS
        while time.perf_counter() < until:
            calls[0]()
        here, *others = by_turns(*calls, clock=time.process_time, rounds=FUNCTION_ROUNDS)
        beside = "".join(
            f"   {other} {there * 1e3:6.2f} ms {there / here:5.1f} times as fast"
            for other, there in zip(("NumPy", "numexpr"), others)
        )
        print(f"{name:26}  {here * 1e3:6.2f} ms{beside}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with tempfile.TemporaryDirectory() as folder:
            rank(sys.argv[1], pathlib.Path(folder))
            rounds(sys.argv[1], pathlib.Path(folder))
    functions()
