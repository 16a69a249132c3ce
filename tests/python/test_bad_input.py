# SPDX-License-Identifier: Apache-2.0
"""Each wrong input has an exception that says what is wrong and what to do."""
import array
import copy
import pathlib
import pickle

import numpy as np
import pandas as pd
import pytest

import komuz

S = "fn(x: f64) -> f64"
x = np.arange(3.0)


def rank(X, y, **options):
    return komuz.rank(["x"], X, y, signature=S, **options)


@pytest.mark.parametrize(
    "X, y, message",
    [
        (np.zeros((2, 2, 2)), x, r"X has the shape \(2, 2, 2\)"),
        (x, np.zeros(2), "`x0` has 3 rows, and `expected` has 2"),
        ({"x": x, "z": np.zeros(4)}, x, "`x` has 3 rows, and `z` has 4"),
        (np.array([1.0, np.nan, 2.0]), x, "row 1 has a NaN in `x0`"),
        (x, np.array([1.0, 2.0, np.nan]), "row 2 has a NaN in `expected`"),
        (np.array([1, "a", None], dtype=object), x, "missing|holds object"),
        (pd.DataFrame({"x": ["a", "b", "c"]}), x, "the column `x` of X holds object"),
        (pd.DataFrame({"x": pd.Categorical(["a", "b", "a"])}), x, "the column `x` of X holds object"),
        (pd.DataFrame({"x": pd.to_datetime([1, 2, 3])}), x, "the column `x` of X holds datetime64"),
        (pd.DataFrame({"x": pd.array([1, None, 3], dtype="Int64")}), x, "row 1 has a NaN in `x`"),
        (pd.DataFrame({"a b": x}), x, "`a b`, which is no name that a program can use; rename it, such as to `a_b`"),
        (pd.DataFrame({"let": x}), x, "`let`, which is no name"),
        ({"expected": x}, x, "`expected`, which has a meaning of its own"),
        (np.array([]), np.array([]), "have no rows"),
        ([], [], "is empty"),
        ([[1.0, 2.0], [1.0]], x, "row 1 has 1 numbers, and row 0 has 2"),
        ([1.0, "a", 2.0], x, "row 1 is 'a', which is no number"),
        (x.astype("float16"), x, "format `e`"),
        (x.astype(">f8"), x, "the other order of bytes"),
        (x + 0j, x, "holds complex128"),
        (np.zeros(3, dtype=[("a", "f8"), ("b", "i4")]), x, "X is a structured array; give a dict of its columns"),
        (5, x, "X is a int"),
        (x, "y", "X has no column `y`"),
        (x, np.zeros((3, 2)), r"the expected value: `\(0.0, 0.0\)` is no f64"),
        (x, None, "without expected values|no pair"),
    ],
)
def test_arrays(X, y, message):
    with pytest.raises(komuz.InputError, match=message):
        rank(X, y)


def test_rows_with_nan_may_be_left_out():
    ranking = rank(np.array([1.0, np.nan, 3.0]), x, skip_missing=True)
    assert ranking.best.row["cases"] == 2
    assert any("left out" in note for note, _ in ranking.notes)


@pytest.mark.parametrize(
    "candidates, error, message",
    [
        ([], komuz.InputError, "there are no candidates"),
        ([5], komuz.InputError, "candidate 0 is a int"),
        (pathlib.Path("no/such/path"), komuz.InputError, "no such file|No such file"),
        ("pub fn f(x: f64) -> f64 { x }", komuz.InputError, "candidates are one text"),
        ("2.0 * x", komuz.InputError, "candidates are one text"),
        (5, komuz.InputError, "candidates are a int"),
        ({"a": "b"}, komuz.InputError, "candidates are a dict"),
    ],
)
def test_candidates(candidates, error, message):
    with pytest.raises(error, match=message):
        komuz.rank(candidates, x, x, signature=S)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"score": "mse"}, "`score` has no `mse`; `squared` ranks the same way"),
        ({"score": "squared", "tolerance": 1e-9}, "`tolerance` is for `score='exact'`"),
        ({"scoer": "squared"}, "there is no option `scoer`; did you mean `score`"),
        ({"memory": "2G"}, "there is no option `memory` here; bound the memory of the process"),
        ({"fuel": -1}, "`fuel` takes a whole number"),
        ({"fuel": {}}, "`fuel` is a dict"),
        ({"top": True}, "`top` is True, and it takes a value; give N: rows of the table"),
        ({"optimise": True}, "`optimise` is True, and it takes a value; give N: look for cheaper code"),
        ({"first_failure": "no"}, "`first_failure` is 'no', and it is either on or off"),
        ({"case_scores": 0}, "`case_scores` is 0, and it is either on or off"),
        ({"score": ["squared", "exact"]}, "`score` is a list, and it takes one value; give KIND"),
        ({"threads": []}, "`threads` is a list, and it takes one value"),
        ({"skip_missing": "no"}, "`skip_missing` is 'no', and it is either on or off"),
        ({"progress": 5}, "`progress` is 5; give True for a bar, or a function"),
        ({"columns": "x"}, r"`columns` is a text, 'x'; give a list of names"),
        ({"held_out": (x,)}, "`held_out` is a tuple of 1"),
        ({"json": ""}, "`json` names no file"),
        ({"signature": "nonsense"}, "no signature"),
        ({"device": "cuda"}, "no device code|no GPU|CUDA|driver"),
        ({"device": "cuda:0,7"}, "no device code|no GPU|CUDA|driver"),
        ({"device": "cuda:0,0"}, "which names GPU 0 twice; name each once"),
        ({"device": "gpu"}, "takes auto, cpu, cuda, or GPUs such as `cuda:0,1`, not `gpu`"),
    ],
)
def test_options(options, message):
    with pytest.raises((komuz.OptionError, komuz.DeviceError, komuz.InputError), match=message):
        komuz.rank(["pub fn f(x: f64) -> f64 { x }"], x, x, **options)


def test_a_file_of_cases_names_its_line(tmp_path):
    cases = tmp_path / "cases.csv"
    cases.write_text("x,expected\n1,2\n1,2,3\n")
    with pytest.raises(komuz.InputError) as caught:
        komuz.rank(["x"], cases, signature=S)
    assert caught.value.file == str(cases) and caught.value.line == 3
    assert caught.value.remedy


def test_pairs():
    with pytest.raises(komuz.InputError, match="case 1 is 5"):
        komuz.rank(["x"], [(1.0, 2.0), 5], signature=S)
    with pytest.raises(komuz.InputError, match="is no value that a case can hold"):
        komuz.rank(["x"], [(object(), 2.0)], signature=S)


def test_an_exception_of_a_generator_ends_the_run():
    def texts():
        yield "x"
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        komuz.rank(texts(), x, x, signature=S)


def test_huge_integers_are_no_columns():
    with pytest.raises(komuz.InputError, match="beyond 64 bits"):
        rank([2**70, 1, 2], x)


def test_errors_can_be_pickled():
    import pickle

    error = komuz.TrapError("m", code="DIV_ZERO", row=3, file="f", line=2)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.row, again.line, str(again)) == ("DIV_ZERO", 3, 2, str(error))


def test_numbers_and_flags_of_numpy_are_options():
    ranking = rank(x, x, first_failure=np.bool_(True), tolerance=np.float64(0.5), fuel=np.int64(1000))
    assert ranking.best.score == 3.0


def test_results_are_not_pickled():
    ranking = rank(x, x)
    for what in (ranking, ranking.best, ranking.rows):
        with pytest.raises(komuz.InputError, match="cannot be pickled or copied, as it belongs to this process"):
            pickle.dumps(what)
        with pytest.raises(komuz.InputError, match="cannot be pickled or copied"):
            copy.deepcopy(what)
    with komuz.Pool(x, x, signature=S) as pool:
        with pytest.raises(komuz.InputError, match="a `Pool` cannot be pickled"):
            pickle.dumps(pool)


def test_notes_speak_of_keywords():
    ranking = rank(x, x, split=0.4)
    assert any(remedy == "`split_seed='N'` draws others" or "`split_seed" in remedy for _, remedy in ranking.notes)
    assert not any("--" in said + remedy for said, remedy in ranking.notes)


def test_an_array_of_the_standard_library_is_a_column():
    assert rank(array.array("d", [1.0, 2.0]), array.array("d", [1.0, 2.0])).best.score == 2


def test_values_that_are_missing_in_lists():
    for missing in (None, float("nan"), pd.NA):
        with pytest.raises(komuz.InputError, match="row 1 has a NaN in `x0`"):
            rank([1.0, missing, 3.0], x)
        assert rank([0, missing, 2], x, skip_missing=True).best.score == 2.0
    assert rank(pd.array([0.0, 1.0, 2.0], dtype="Float64"), pd.array([0, 1, 2], dtype="Int64")).best.score == 3.0


@pytest.mark.parametrize("call", [komuz.check, komuz.format, komuz.fix, komuz.Sketch, komuz.compile])
def test_texts_that_utf_8_cannot_hold(call):
    with pytest.raises(komuz.InputError, match="<text>:2: '.ud800' is half of a character"):
        call("pub fn f(x: f64) -> f64 {\n x // \ud800\n}")
    with pytest.raises(komuz.InputError, match="a program is a text, and this is a int"):
        call(5)


def test_files_that_are_not_there(tmp_path):
    for call in (komuz.compile, komuz.Sketch.read):
        with pytest.raises(komuz.InputError, match="missing.komuz: it cannot be read: No such file"):
            call(tmp_path / "missing.komuz")
    (tmp_path / "latin.komuz").write_bytes(b"// \xe9")
    with pytest.raises(komuz.InputError, match="latin.komuz: byte 3 is no UTF-8"):
        komuz.compile(tmp_path / "latin.komuz")
