# SPDX-License-Identifier: Apache-2.0
"""The report of komuz.rank has the bytes of the command line's."""
import json
import random

import numpy as np
import pandas as pd
import pytest

import komuz

CANDIDATES = "examples/regression/candidates.jsonl"
CASES = "examples/regression/cases.csv"


def test_paths(at_root, report):
    ranking = komuz.rank(CANDIDATES, CASES, score="squared", tier="traditional")
    assert ranking.to_json() == report("eval", CANDIDATES, "--cases", CASES, "--score", "squared")


def test_all_kinds_of_options(at_root, report):
    ranking = komuz.rank(
        CANDIDATES, CASES, score="absolute", case_scores=True, split=0.25, split_seed=3, programs=3, worst=2, fuel=1000
    )
    words = "--score absolute --case-scores --split 0.25 --split-seed 3 --programs 3 --worst 2 --fuel 1000"
    assert ranking.to_json() == report("eval", CANDIDATES, "--cases", CASES, *words.split())


def test_a_folder_with_first_failure(at_root, report):
    ranking = komuz.rank(
        "examples/collatz", "examples/collatz/cases.jsonl", input="input1", output="output1", first_failure=True
    )
    words = "--input input1 --output output1 --first-failure"
    assert ranking.to_json() == report("eval", "examples/collatz", "--cases", "examples/collatz/cases.jsonl", *words.split())


def test_a_harness(at_root, report):
    folder = "examples/braking/"
    ranking = komuz.rank(
        folder + "candidates", folder + "roads.csv", harness=folder + "harness.komuz", minimize=True
    )
    words = [folder + "candidates", "--harness", folder + "harness.komuz", "--cases", folder + "roads.csv", "--minimize"]
    assert ranking.to_json() == report("eval", *words)


@pytest.fixture
def table():
    drawn = random.Random(5)
    X = np.array([[drawn.uniform(-3, 3), drawn.uniform(-3, 3)] for _ in range(60)])
    y = X[:, 0] * X[:, 1] - X[:, 1]
    return X, y


TEXTS = [f"pub fn f(x: f64, v: f64) -> f64 {{ x * v - {k}.5 * v / x }}" for k in range(40)]
TEXTS += ["pub fn f(x: f64, v: f64) -> f64 { x * v - v }", "pub fn f(x: f64) -> f64 { x", "pub fn f(v: f64) -> f64 { v }"]


def written(tmp_path, frame):
    cases, candidates = tmp_path / "cases.csv", tmp_path / "candidates.jsonl"
    frame.to_csv(cases, index=False)
    rows = [json.dumps({"id": str(k + 1), "source": text}) for k, text in enumerate(TEXTS)]
    candidates.write_text("\n".join(rows) + "\n")
    return cases, candidates


@pytest.mark.parametrize("form", ["frame", "dict", "array", "fortran", "rows", "generator"])
def test_arrays_are_the_csv_that_means_the_same(form, table, tmp_path, report):
    X, y = table
    frame = pd.DataFrame(X, columns=["x", "v"])
    given = {
        "frame": frame,
        "dict": {"x": X[:, 0], "v": list(X[:, 1])},
        "array": X,
        "fortran": np.asfortranarray(X),
        "rows": X.tolist(),
        "generator": frame,
    }[form]
    texts = (text for text in TEXTS) if form == "generator" else TEXTS
    columns = ["x", "v"] if form in ("array", "fortran", "rows") else None
    cases, candidates = written(tmp_path, frame.assign(expected=y))
    ranking = komuz.rank(texts, given, y, columns=columns, score="squared")
    assert ranking.to_json() == report("eval", candidates, "--cases", cases, "--score", "squared")


def test_columns_without_names_go_to_parameters_in_order(table, tmp_path, report):
    X, y = table
    frame = pd.DataFrame(X, columns=["x0", "x1"])
    cases, candidates = written(tmp_path, frame.assign(expected=y))
    ranking = komuz.rank(TEXTS, X, y, score="squared")
    words = "--score squared --input x0 --input x1"
    expected = report("eval", candidates, "--cases", cases, *words.split())
    assert ranking.to_json() == expected.replace(str(cases).encode(), b"X and y")  # which messages name
    assert ranking.best.source == TEXTS[40]


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "uint64", "float32", "bool"])
def test_kinds_of_numbers(dtype, tmp_path, report):
    x = np.array([0, 1, 1, 0, 1]).astype(dtype)
    kind = {"bool": "bool", "float32": "f32"}.get(dtype, "i64" if dtype != "uint64" else "u64")
    text = f"pub fn f(x: {kind}) -> {kind} {{ x }}"
    candidates, cases = tmp_path / "c.jsonl", tmp_path / "c.csv"
    candidates.write_text(json.dumps({"id": "1", "source": text}) + "\n")
    pd.DataFrame({"x": x, "expected": x}).to_csv(cases, index=False)
    ranking = komuz.rank([text], {"x": x}, x)
    assert ranking.best.score == 5
    assert ranking.to_json() == report("eval", candidates, "--cases", cases)


def test_pairs_are_the_jsonl_that_means_the_same(tmp_path, report):
    text = "pub fn f(a: i64, b: List[i64, 4]) -> i64 { a / b[0] }"
    pairs = [((6, [3]), 2), ({"a": 1, "b": [0, 1]}, komuz.Trap("DIV_ZERO")), ((9, [2, 2]), 5)]
    candidates, cases = tmp_path / "c.jsonl", tmp_path / "c.jsonl2"
    candidates.write_text(json.dumps({"id": "1", "source": text}) + "\n")
    pairs = pairs[:1] + pairs[2:]
    cases.write_text("".join(json.dumps({"args": list(a), "expected": e}) + "\n" for a, e in pairs))
    ranking = komuz.rank([text], pairs)
    assert ranking.to_json() == report("eval", candidates, "--cases", cases)
    assert ranking.best.failures[0]["args"] == {"a": 9, "b": [2, 2]}
    trapping = komuz.rank([text], [((1, [0]), komuz.Trap("DIV_ZERO"))])
    assert trapping.best.score == 1


SKETCH = "pub fn f(x: f64, v: f64) -> f64 { ?[x * v, x + v, x - v] - ?c(0.0..=2.0, steps: 5) * v }"


def test_sketches(table, tmp_path, report):
    X, y = table
    frame = pd.DataFrame(X, columns=["x", "v"])
    cases, _ = written(tmp_path, frame.assign(expected=y))
    sketch = tmp_path / "sketch.komuz"
    sketch.write_text(SKETCH)
    ranking = komuz.rank(komuz.Sketch(SKETCH), frame, y, score="squared")
    assert ranking.to_json() == report("eval", sketch, "--cases", cases, "--score", "squared")
    assert komuz.rank(sketch, cases, score="squared").to_json() == ranking.to_json()
    assert "x * v" in ranking.best.source
    found = komuz.search(SKETCH, frame, y, score="squared", generations=3, population=10, seed=2)
    words = "--score squared --generations 3 --population 10 --seed 2"
    assert found.to_json() == report("search", sketch, "--cases", cases, *words.split())


def test_threads_do_not_show(table):
    X, y = table
    one, two = (komuz.rank(TEXTS, X, y, score="squared", threads=n).to_json() for n in (1, 2))
    assert one == two
