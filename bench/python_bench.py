#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of the package of Python, side by side in one run: komuz.rank beside `komuz eval`, compiled functions beside NumPy.

    PYTHONPATH=build/release/python bench/python_bench.py build/release/bin/komuz
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


def by_turns(*calls):
    """The best time of each, in seconds."""
    best = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for k, call in enumerate(calls):
            begin = time.perf_counter()
            call()
            best[k] = min(best[k], time.perf_counter() - begin)
    return best


def expressions(count):
    drawn = random.Random(1)

    def grow(depth):
        if depth == 0 or drawn.random() < 0.2:
            return drawn.choice(["x", "y", "z", f"{drawn.uniform(0.1, 9):.3f}"])
        return f"({grow(depth - 1)} {drawn.choice('+-*/')} {grow(depth - 1)})"

    return [grow(3) for _ in range(count)]


def rank(komuz_executable, folder):
    drawn = np.random.default_rng(1)
    columns = {name: drawn.normal(size=256) for name in "xyz"}
    y = columns["x"] * columns["y"] - columns["z"]
    texts = [f"pub fn f(x: f64, y: f64, z: f64) -> f64 {{ {text} }}" for text in expressions(10_000)]
    candidates, cases = folder / "candidates.jsonl", folder / "cases.csv"
    candidates.write_text("".join(json.dumps({"id": str(k + 1), "source": text}) + "\n" for k, text in enumerate(texts)))
    rows = zip(*(column.tolist() for column in columns.values()), y.tolist())
    cases.write_text("x,y,z,expected\n" + "".join(",".join(map(repr, row)) + "\n" for row in rows))
    report = folder / "report.json"
    command = [komuz_executable, "eval", candidates, "--cases", cases, "--score", "squared", "--json", report]
    here, there = by_turns(
        lambda: komuz.rank(texts, columns, y, score="squared"),
        lambda: subprocess.run(command, check=False, capture_output=True),
    )
    assert komuz.rank(texts, columns, y, score="squared").to_json() == report.read_bytes()
    print(f"rank, 10,000 expressions x 256 rows   {here * 1e3:8.1f} ms   komuz eval {there * 1e3:8.1f} ms   {here / there:.2f}")


FUNCTIONS = {
    "a polynomial of degree 5": (
        "((((0.5 * x - 1.0) * x + 2.0) * x - 3.0) * x + 4.0) * x - 5.0",
        lambda x, y: ((((0.5 * x - 1.0) * x + 2.0) * x - 3.0) * x + 4.0) * x - 5.0,
    ),
    "exp(-x*x/2)*cos(y)": ("exp(-x * x / 2.0) * cos(y)", lambda x, y: np.exp(-x * x / 2.0) * np.cos(y)),
    "a branch": ("if x > y { x * 2.0 } else { y - 1.0 }", lambda x, y: np.where(x > y, x * 2.0, y - 1.0)),
}


def functions():
    x, y = np.random.default_rng(2).normal(size=(2, 1_000_000))
    for name, (text, numpy_function) in FUNCTIONS.items():
        f = komuz.compile(text, signature="fn(x: f64, y: f64) -> f64")
        for _ in range(20):
            f(x, y, threads=1)  # native code comes where it pays
        here, there = by_turns(lambda: f(x, y, threads=1), lambda: numpy_function(x, y))
        print(f"{name:36}  {here * 1e3:8.2f} ms   NumPy {there * 1e3:8.2f} ms   {there / here:.1f} times as fast")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        rank(sys.argv[1], pathlib.Path(folder))
    functions()
