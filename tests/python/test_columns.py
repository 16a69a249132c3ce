# SPDX-License-Identifier: Apache-2.0
"""Columns reach the engine as they lie in memory, and mean what a file of CSV with the same columns means."""
import ctypes as c
import gc
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import komuz
from komuz import _arrow
from komuz._candidates import whole_program

S = "fn(x: f64, z: f64) -> f64"
TEXTS = ["x + z", "x * z", "x - 0.5", "x / z", "z"]
INTS = [0, 1, -1, 2**53 + 1, -(2**63), 2**63 - 1]
FLOATS = [0.1, -0.0, 0.0, 5e-324, -1.7976931348623157e308, float("inf")]


def text_of(value):
    """A number as Komuz writes it into a cell."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    value = float(value)
    return "Infinity" if value == float("inf") else repr(value)


def as_csv(tmp_path, **columns):
    path = tmp_path / "cases.csv"
    rows = zip(*columns.values())
    path.write_text("\n".join([",".join(columns)] + [",".join(map(text_of, row)) for row in rows]) + "\n")
    return path


def same(tmp_path, report, x, z, y, signature=S, texts=TEXTS, **options):
    """The report of arrays is that of the command line, with the CSV that means the same."""
    cases = as_csv(tmp_path, x=x, z=z, expected=y)
    candidates = tmp_path / "candidates.jsonl"
    programs = [whole_program(text, signature) for text in texts]
    candidates.write_text("".join(json.dumps({"id": str(k), "source": text}) + "\n" for k, text in enumerate(programs, 1)))
    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    ranking = komuz.rank(programs, {"x": x, "z": z}, y, **options)
    assert ranking.to_json() == report("eval", candidates, "--cases", cases, *words)
    return ranking


@pytest.mark.parametrize("score", ["squared", "exact"])
def test_floats_to_the_bit(score, tmp_path, report):
    x = np.array(FLOATS)
    same(tmp_path, report, x, x[::-1], x + 1.0, score=score)


def test_integers_beyond_53_bits(tmp_path, report):
    x = np.array(INTS)
    same(tmp_path, report, x, x[::-1], x, "fn(x: i64, z: i64) -> i64", ["x", "x / 2", "x ^ z"])
    same(tmp_path, report, x, x[::-1], x.astype("float64"))
    large = np.array([2**64 - 1, 1, 2**63, 0, 5, 6], "uint64")
    same(tmp_path, report, large, large, large, "fn(x: u64, z: u64) -> u64", ["x", "z / 3"])
    same(tmp_path, report, large, large, large)


def test_booleans(tmp_path, report):
    x = np.array([True, False, True])
    same(tmp_path, report, x, ~x, x, "fn(x: bool, z: bool) -> bool", ["x", "z", "x && z"])
    same(tmp_path, report, x, ~x, np.array([1.0, 0.0, 2.0]))


def test_a_float32_is_the_float64_of_the_same_value(tmp_path, report):
    x = np.array([0.1, 0.7, 1e-45, 3.4e38], "float32")
    same(tmp_path, report, x, x[::-1], x)
    found = komuz.rank(["x"], {"x": x}, x.astype("float64"), signature="fn(x: f64) -> f64").best
    assert found.score == 4.0 and found.status == "ok"  # all are exact
    assert list(found.predict({"x": x})) == list(x.astype("float64"))
    same(tmp_path, report, x, x[::-1], x, "fn(x: f32, z: f32) -> f32", ["x", "z", "x * z"])


@pytest.mark.parametrize("of", ["every third", "backwards", "fortran", "broadcast", "offset"])
def test_any_layout(of, tmp_path, report):
    table = np.arange(60.0).reshape(20, 3) / 7
    x = {
        "every third": table[:, 1],
        "backwards": table[::-1, 2],
        "fortran": np.asfortranarray(table)[::-2, 0],
        "broadcast": np.broadcast_to(table[:1, 1], (20,)),
        "offset": np.frombuffer(b"abc" + table[:, 0].tobytes(), "u1")[3:].view("f8"),
    }[of]
    same(tmp_path, report, x, np.ascontiguousarray(x), np.array(x) * 2.0)


def test_misaligned_numbers(tmp_path, report):
    fields = np.zeros(9, np.dtype([("a", "u1"), ("x", "f8"), ("z", "i4")]))
    fields["x"], fields["z"] = np.arange(9) / 3, np.arange(9)
    same(tmp_path, report, fields["x"], fields["z"], fields["x"] + fields["z"])


def test_bytes_in_the_other_order_are_refused():
    for given in (np.arange(3.0).astype(">f8"), np.arange(3).astype(">i4")):
        with pytest.raises(komuz.InputError, match="other order of bytes"):
            komuz.rank(["x"], {"x": given}, given, signature="fn(x: f64) -> f64")


def test_cells_that_do_not_fit_are_named():
    def said(x, y, signature):
        with pytest.raises(komuz.InputError) as error:
            komuz.rank(["x"], {"x": np.asarray(x), "z": np.arange(len(x))}, np.asarray(y), signature=signature)
        return error.value

    error = said([1.0, 2.0], [1.0, 2.0], "fn(x: i64) -> f64")
    assert (error.file, error.line, error.column) == ("X and y", 2, 1) and "`1.0` is no i64" in error.message
    error = said([1, 300], [1, 2], "fn(x: u8) -> u8")
    assert (error.line, error.column) == (3, 1) and "out of range" in error.message
    error = said([1, 30], [1.0, 2.5], "fn(x: i64) -> i64")
    assert (error.line, error.column) == (2, 5) and "the expected value: `1.0` is no i64" in error.message


def test_weights_and_held_out_are_columns(tmp_path, report):
    x, w = np.arange(8.0), np.array([1, 2, 0, 1, 1, 3, 1, 1], "uint8")
    cases = as_csv(tmp_path, x=x, w=w, expected=x * 2)
    candidates = tmp_path / "candidates.jsonl"
    text = "pub fn f(x: f64) -> f64 { x * 1.5 }"
    candidates.write_text(json.dumps({"id": "1", "source": text}) + "\n")
    held_out = tmp_path / "held_out.csv"
    held_out.write_text("x,w,expected\n9.0,2,1.0\n")
    more = {"x": np.array([9.0]), "w": np.array([2], "int16")}
    ranking = komuz.rank([text], {"x": x, "w": w}, x * 2, weights="w", held_out=(more, [1.0]), score="squared")
    expected = report("eval", candidates, "--cases", cases, "--weights", "w", "--held-out", held_out, "--score", "squared")
    assert ranking.to_json() == expected
    with pytest.raises(komuz.InputError, match="`-1` is no weight") as error:
        komuz.rank([text], {"x": x}, x, weights=w.astype("int8") - 1, score="squared")
    assert error.value.line == 4


def test_memory_is_let_go_when_the_run_has_ended():
    x = np.arange(100.0)
    before = sys.getrefcount(x)
    ranking = komuz.rank(["x"], {"x": x}, x, signature="fn(x: f64) -> f64")
    gc.collect()
    assert sys.getrefcount(x) == before
    shown = bytearray(8 * 10)
    komuz.rank(["x"], {"x": memoryview(shown).cast("d")}, np.zeros(10), signature="fn(x: f64) -> f64")
    gc.collect()
    shown.append(1)  # raises if somebody still looks at it
    x[:] = 7.0
    assert ranking.best.score == 100.0 and ranking.best.status == "ok"


BIG = """
import resource, sys
import numpy, komuz
rows = 300_000
X = numpy.random.default_rng(0).normal(size=(rows, 10))
y = X[:, 0] * X[:, 1]
signature = "fn(" + ", ".join(f"x{k}: f64" for k in range(10)) + ") -> f64"
komuz.rank(["x0"], X[:10], y[:10], signature=signature, native="never")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
komuz.rank(["x0 * x1", "x0"], X, y, signature=signature, score="squared", native="never")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / (rows * 11))
"""


def test_memory_for_a_number():
    """What a run takes beyond the arrays, in bytes for each number: as texts they would take 70 and more."""
    done = subprocess.run([sys.executable, "-c", BIG], check=True, capture_output=True, text=True)
    assert float(done.stdout) < 40


# Several columns of what is expected.


def pairs(y):
    return [tuple(row) for row in np.asarray(y).tolist()]


@pytest.mark.parametrize("form", ["array", "list", "frame", "dict", "rows"])
def test_several_expected_columns_are_a_tuple(form):
    x = np.arange(1.0, 9.0)
    y = np.column_stack([x * 2, x * x])
    given = {
        "array": y,
        "list": [y[:, 0], y[:, 1]],
        "frame": pd.DataFrame(y, columns=["twice", "square"]),
        "dict": {"twice": y[:, 0], "square": list(y[:, 1])},
        "rows": y.tolist(),
    }[form]
    texts = ["(x * 2.0, x * x)", "(x, x * x)", "(x * 2.0, x)"]
    S2 = "fn(x: f64) -> (f64, f64)"
    ranking = komuz.rank(texts, {"x": x}, given, signature=S2, score="squared", case_scores=True)
    as_pairs = komuz.rank(texts, [((a,), b) for a, b in zip(x.tolist(), pairs(y))], signature=S2, score="squared", case_scores=True)
    assert ranking.best.id == "1" and ranking.best.score == 0.0
    assert [(r.id, r.score, list(r.case_scores())) for r in ranking.rows] == [
        (r.id, r.score, list(r.case_scores())) for r in as_pairs.rows
    ]
    assert ranking.rows[1].failures[0]["expected"] == [2.0, 1.0]
    first, second = ranking.best.predict({"x": x})
    assert list(first) == list(y[:, 0]) and list(second) == list(y[:, 1])


def test_several_expected_columns_of_different_types(tmp_path, report):
    cases, candidates = tmp_path / "cases.csv", tmp_path / "candidates.jsonl"
    cases.write_text('x,expected\n1,"(2, true)"\n2,"(4, false)"\n')
    text = "pub fn f(x: i64) -> (i64, bool) { (x + x, x == 2) }"
    candidates.write_text(json.dumps({"id": "1", "source": text}) + "\n")
    ranking = komuz.rank([text], {"x": np.array([1, 2])}, [np.array([2, 4]), np.array([True, False])])
    assert ranking.to_json() == report("eval", candidates, "--cases", cases)


def test_several_expected_columns_of_a_search():
    x = np.arange(6.0)
    text = "pub fn f(x: f64) -> (f64, f64) { (x * ?a(0.0..=3.0, steps: 4), x + ?b(0.0..=3.0, steps: 4)) }"
    found = komuz.search(text, {"x": x}, np.column_stack([x * 2.0, x + 3.0]), score="squared")
    assert found.best.score == 0.0


def test_wrong_numbers_of_expected_columns():
    x = np.arange(3.0)
    with pytest.raises(komuz.InputError, match="the expected value"):
        komuz.rank(["x"], {"x": x}, np.zeros((3, 2)), signature="fn(x: f64) -> f64")
    with pytest.raises(komuz.InputError, match="`x` has 3 rows, and `expected` has 2"):
        komuz.rank(["x"], {"x": x}, [np.zeros(3), np.zeros(2)], signature="fn(x: f64) -> (f64, f64)")
    with pytest.raises(komuz.InputError, match="row 1 has a NaN in `expected`"):
        komuz.rank(["x"], {"x": x}, np.array([[1, 2], [1, np.nan], [1, 2]]), signature="fn(x: f64) -> (f64, f64)")
    with pytest.raises(komuz.InputError, match="y has no columns"):
        komuz.rank(["x"], {"x": x}, {}, signature="fn(x: f64) -> f64")


# Texts in tables that are fitted.

KINDS = ["red", "blue", "red", "green", "blue", "red"] * 20
SIZES = {"red": 1.0, "blue": 2.0, "green": 5.0}


def fitted(kind, **options):
    x = np.arange(120.0) / 10
    y = x + np.array([SIZES[k] for k in KINDS])
    return komuz.fit({"kind": kind, "x": x}, y, generations=3, population=60, operators="+ *", split=0, **options)


def arrow_of(kind):
    """The column as Arrow has it, beside one of numbers."""

    class Frame:
        def __arrow_c_stream__(self, requested_schema=None):
            self.made = _arrow.ArrowTable({"kind": kind}, {"kind": b"u"})
            return self.made.__arrow_c_stream__()

    return Frame()


class Coded:
    """A column of Arrow that is a dictionary of texts."""

    def __init__(self, numbers, texts):
        self.numbers, self.texts = np.asarray(numbers, "i4"), texts

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = _arrow.ArrowSchema(), _arrow.ArrowArray()
        words = _arrow.ArrowSchema()
        _arrow._fill_schema(words, b"u", b"", [])
        texts = _arrow._array_of(self.texts, b"u")
        _arrow._fill_schema(schema, b"i", b"kind", [])
        buffer = (c.c_uint8 * self.numbers.nbytes).from_address(self.numbers.ctypes.data)
        _arrow._fill_array(array, len(self.numbers), 0, [None, buffer], [])
        schema.dictionary, array.dictionary = c.pointer(words), c.pointer(texts)
        self.made = schema, array, words, texts
        return (
            _arrow._capsule(c.addressof(schema), b"arrow_schema", None),
            _arrow._capsule(c.addressof(array), b"arrow_array", None),
        )


FORMS = {
    "list": lambda: list(KINDS),
    "object": lambda: np.array(KINDS, dtype=object),
    "numpy texts": lambda: np.array(KINDS),
    "series": lambda: pd.Series(KINDS),
    "string": lambda: pd.Series(KINDS, dtype="string"),
    "category": lambda: pd.Series(pd.Categorical(KINDS)),
    "bare category": lambda: pd.Categorical(KINDS),
    "arrow": lambda: arrow_of(KINDS),
    "arrow dictionary": lambda: Coded([["blue", "red", "green"].index(k) for k in KINDS], ["blue", "red", "green"]),
}


@pytest.mark.parametrize("form", FORMS)
def test_texts_of_few_values_are_categories(form, tmp_path, report):
    x = np.arange(120.0) / 10
    table = pd.DataFrame({"kind": KINDS, "x": x, "y": x + np.array([SIZES[k] for k in KINDS])})
    table.to_csv(tmp_path / "table.csv", index=False)
    words = "--target y --generations 3 --population 60 --split 0"
    expected = report("fit", tmp_path / "table.csv", *words.split(), "--operators", "+ *")
    expected = expected.replace(str(tmp_path / "table.csv").encode(), b"X and y")
    made = fitted(FORMS[form]())
    assert made.to_json() == expected
    assert {"kind_blue", "kind_green"} & set(made.inputs)


def test_a_formula_takes_tables_with_texts():
    made = fitted(list(KINDS))
    x = np.arange(120.0) / 10
    expected = made.best({"kind": KINDS, "x": x})
    for form in FORMS.values():
        assert list(made.best({"kind": form(), "x": x})) == list(expected)
    frame = pd.DataFrame({"kind": pd.Categorical(KINDS), "x": x})
    assert list(made.best(frame)) == list(expected)


def test_an_array_of_objects_may_hold_texts():
    x = np.arange(120.0) / 10
    X = np.array([KINDS, x], dtype=object).T
    y = x + np.array([SIZES[k] for k in KINDS])
    made = komuz.fit(X, y, generations=3, population=60, operators="+ *", split=0)
    assert {"x0_blue", "x0_green"} & set(made.inputs)
    np.testing.assert_array_equal(made.best(X), made.best(X.tolist()))


def test_missing_texts():
    kinds = [None if k % 30 == 7 else kind for k, kind in enumerate(KINDS)]
    for given in (kinds, pd.Categorical(kinds), pd.Series(kinds, dtype="string")):
        with pytest.raises(komuz.InputError, match="`kind` has no number in 4 of 120 rows"):
            fitted(given)
        made = fitted(given, skip_missing=True)
        assert made.report["rows"]["left_out"] == 4


def test_texts_that_are_no_categories():
    made = fitted([f"n{k}" for k in range(120)])
    assert any("holds texts, such as `n0`" in note for note, _ in made.notes)
    with pytest.raises(komuz.InputError, match="row 1 is \\[1\\], which is neither a number nor a text"):
        fitted(["red", [1]] * 60)
    with pytest.raises(komuz.InputError, match="holds object|no number"):
        komuz.rank(["x"], {"x": ["a", "b"]}, [1.0, 2.0], signature="fn(x: f64) -> f64")


def test_a_fit_of_several_columns_is_refused():
    x = np.arange(30.0)
    y = np.column_stack([x, 2 * x])
    with pytest.raises(komuz.InputError, match=r"y has 2 columns, and a formula gives one number; fit each column by itself"):
        komuz.fit(x, y)
    frame = pd.DataFrame(y, columns=["a", "b"])
    with pytest.raises(komuz.InputError, match="y has 2 columns"):
        komuz.fit(x, frame)
    made = komuz.fit(x, frame, target="b", generations=2, population=50)
    assert made.target == "b" and made.best(np.array([4.0]))[0] == 8.0
    assert komuz.fit(x, frame[["a"]], generations=2, population=50).best.r2 == 1.0


def test_y_may_be_the_name_of_a_column():
    frame = pd.DataFrame({"x": [1.0, 2.0], "v": [3.0, 4.0], "expected": [3.0, 8.0]})
    texts = ["pub fn f(x: f64, v: f64) -> f64 { x * v }"]
    named = komuz.rank(texts, frame, "expected")
    assert named.best.score == 2
    assert named.to_json() == komuz.rank(texts, frame[["x", "v"]], frame["expected"]).to_json()
    assert komuz.rank(texts, {name: list(frame[name]) for name in frame}, "expected").best.score == 2
    with pytest.raises(komuz.InputError, match="X has no column `z` of expected values"):
        komuz.rank(texts, frame, "z")
    with pytest.raises(komuz.InputError, match="X has no column `z` of expected values"):
        komuz.rank(texts, frame.to_numpy(), "z")


TWICE = ["pub fn f(x: f64) -> f64 { 2.0 * x }"]


def test_masked_values_are_missing():
    y = np.ma.masked_array([0.0, 2.0, 999.0, 6.0], [0, 0, 1, 0])
    x = np.ma.masked_array([0, 1, 777, 3], [0, 0, 1, 0])
    for X, Y in ((np.arange(4.0), y), ({"x": x}, np.arange(4.0) * 2.0)):
        with pytest.raises(komuz.InputError, match="row 2 has a NaN"):
            komuz.rank(TWICE, X, Y, score="squared")
        assert komuz.rank(TWICE, X, Y, score="squared", skip_missing=True).best.score == 0.0
    whole = np.ma.masked_array([1.0, 2.0], [0, 0])
    assert komuz.rank(TWICE, whole, 2.0 * whole, score="squared").best.score == 0.0
    assert np.isnan(komuz.compile(TWICE[0])(y)[2])


def test_columns_of_pandas_that_may_have_missing_values():
    for kind in ("Int64", "Float64"):
        frame = pd.DataFrame({"x": pd.array([1, 2, 3], dtype=kind)})
        assert komuz.rank(TWICE, frame, [2.0, 4.0, 6.0], score="squared").best.score == 0.0
        frame = pd.DataFrame({"x": pd.array([1, None, 3], dtype=kind)})
        with pytest.raises(komuz.InputError, match="row 1 has a NaN"):
            komuz.rank(TWICE, frame, [2.0, 4.0, 6.0], score="squared")
        assert komuz.rank(TWICE, frame, [2.0, 4.0, 6.0], score="squared", skip_missing=True).best.score == 0.0
    objects = np.array([1.0, 2, True], dtype=object)
    assert komuz.rank(TWICE, objects, [2.0, 4.0, 2.0], score="squared").best.score == 0.0


def test_frames_whose_names_are_no_texts():
    frame = pd.DataFrame(np.array([[1.0], [2.0]]))
    with pytest.raises(komuz.InputError, match="`0`"):  # it can be no parameter
        komuz.rank(TWICE, frame, [2.0, 4.0])
    twice = pd.DataFrame(np.ones((2, 2)), columns=["a", "a"])
    with pytest.raises(komuz.InputError, match="X has two columns of one name"):
        komuz.rank(TWICE, twice, [2.0, 4.0])


def test_a_missing_text_is_of_no_category():
    kinds, v = ["wood", "steel"] * 10, [float(k) for k in range(20)]
    fit = komuz.fit({"v": v, "kind": kinds}, [2.0 * a if b == "wood" else 3.0 * a for a, b in zip(v, kinds)], generations=8)
    assert "kind" in fit.best.formula
    for missing in (None, float("nan")):
        given = fit.predict({"v": [1.0, 1.0], "kind": [missing, "steel"]})
        assert np.isnan(given[0]) and given[1] == pytest.approx(3.0)
