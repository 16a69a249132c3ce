# SPDX-License-Identifier: Apache-2.0
"""komuz.fit: the report of the command line, formulas that can be called, and what is said of wrong input."""
import array
import ast
import json
import os
import pathlib
import pickle
import signal
import subprocess
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import EXECUTABLE, ROOT

import komuz

QUICK = {"generations": 3, "population": 60, "threads": 1}
WORDS = ["--generations", "3", "--population", "60"]
PERIODS = "examples/sketches/periods.csv"


@pytest.fixture(scope="module")
def table():
    drawn = np.random.default_rng(3)
    X = pd.DataFrame({"mass": drawn.uniform(1, 3, 150), "speed": drawn.uniform(0, 4, 150)})
    X["noise"] = drawn.uniform(0, 1, 150)
    return X, pd.Series(0.5 * X["mass"] * X["speed"] ** 2, name="energy")


@pytest.fixture(scope="module")
def made(table):
    X, y = table
    return komuz.fit(X, y, generations=8, population=100)


def test_a_path(at_root, report):
    assert komuz.fit(PERIODS, **QUICK).to_json() == report("fit", PERIODS, *WORDS)
    named = komuz.fit(pathlib.Path(PERIODS), target="a", ignore="expected", **QUICK)
    assert named.to_json() == report("fit", PERIODS, "--target", "a", "--ignore", "expected", *WORDS)


def command_line(folder, frame, *words):
    """The report of `komuz fit` for the same table, in a file of the name that arrays have."""
    frame.to_csv(folder / "X and y", index=False)
    command = [EXECUTABLE, "fit", "X and y", *words, "--json", "out.json"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return (folder / "out.json").read_bytes()


def test_a_frame_an_array_and_a_dict(tmp_path, table):
    X, y = table
    said = command_line(tmp_path, X.assign(energy=y), "--target", "energy", *WORDS)
    assert komuz.fit(X, y, **QUICK).to_json() == said
    assert komuz.fit(X.to_numpy(), y.to_numpy(), columns=list(X), target="energy", **QUICK).to_json() == said
    assert komuz.fit({name: list(X[name]) for name in X}, y, **QUICK).to_json() == said
    assert komuz.fit(X.assign(energy=y), "energy", **QUICK).to_json() == said
    assert komuz.fit(X.assign(energy=y), target="energy", **QUICK).to_json() == said


def test_options(tmp_path, table):
    X, y = table
    weights = np.linspace(0.0, 1.0, len(y))
    said = command_line(
        tmp_path, X.assign(weights=weights, energy=y), *WORDS, "--target", "energy", "--weights", "weights",
        "--loss", "huber", "--delta", "0.5", "--operators", "+ - * ^2", "--max-size", "9", "--depth", "3",
        "--select", "knee", "--folds", "2",
        "--seed", "4", "--seeds", "2", "--monotone", "mass+, speed+", "--ignore", "noise", "--search-rows", "100",
    )
    options = dict(
        QUICK, loss="huber", delta=0.5, operators=["+", "-", "*", "^2"], max_size=9, depth=3, select="knee", folds=2,
        seed=4, seeds=2, monotone={"mass": 1, "speed": "+"}, ignore=["noise"], search_rows=100,
    )
    assert komuz.fit(X, y, weights=weights, **options).to_json() == said
    assert komuz.fit(X, y, sample_weight=weights, **options).to_json() == said
    assert komuz.fit(X.assign(weights=weights), y, weights="weights", **options).to_json() == said


def test_units(table):
    X, y = table
    sound = komuz.fit(X, y, units={"mass": "kg", "speed": "m/s", "energy": "J"}, **QUICK)
    assert all("noise" not in one.parameters for one in sound.front)


def test_held_out(tmp_path, table):
    X, y = table
    X.assign(energy=y)[:50].to_csv(tmp_path / "held_out", index=False)
    said = command_line(tmp_path, X.assign(energy=y)[50:], "--target", "energy", "--held-out", "held_out", *WORDS)
    rest = (X[50:], y[50:])
    assert komuz.fit(*rest, held_out=(X[:50], y[:50]), **QUICK).to_json() == said
    assert komuz.fit(*rest, held_out=X.assign(energy=y)[:50], **QUICK).to_json() == said
    assert komuz.fit(*rest, held_out=tmp_path / "held_out", **QUICK).to_json() == said
    arrays = komuz.fit(X[50:].to_numpy(), y[50:].to_numpy(), held_out=(X[:50].to_numpy(), y[:50].to_numpy()), **QUICK)
    assert arrays.report["rows"]["held_out"] == 50


def test_start(table):
    X, y = table
    text = "pub fn f(mass: f64, speed: f64) -> f64 { 0.5 * mass * speed * speed }"
    begun = komuz.fit(X, y, start=text, generations=1, population=20)
    assert begun.front[-1].error < 1e-9
    again = komuz.fit(X, y, start=[begun.front[-1]], generations=1, population=20)
    assert again.front[-1].error < 1e-9


def test_the_same_as_before_with_any_threads(table):
    X, y = table
    one, other = (komuz.fit(X, y, generations=3, population=60, threads=k).to_json() for k in (1, 3))
    assert one == other


def test_the_front(made):
    front = made.front
    assert len(front) > 1 and front[-1] is list(front)[-1] and front[:2][1].size == front[1].size
    sizes, errors = [one.size for one in front], [one.error for one in front]
    assert sizes == sorted(sizes) and errors == sorted(errors, reverse=True)
    assert made.best is front[made.selected] and made.best is front.select("smallest") and made.best.formula
    assert front.knee() in list(front)
    frame = made.front.to_pandas()
    assert list(frame.columns) == ["size", "error", "held_out_error", "r2", "held_out_r2", "formula"]
    assert list(frame["error"]) == errors and list(frame["formula"]) == [one.formula for one in front]
    with pytest.raises(komuz.OptionError, match="no way `widest`"):
        front.select("widest")
    assert made.target == "energy" and made.inputs == ("mass", "speed", "noise") and made.why and made.complete


def test_the_knee_is_that_of_the_command_line(table):
    X, y = table
    knee = komuz.fit(X, y, select="knee", **QUICK)
    assert knee.best.formula == komuz.fit(X, y, **QUICK).front.knee().formula


def test_what_is_shown(made):
    page = made._repr_html_()
    assert "<table>" in page and "<svg" in page and "<b>" in page and "held-out error" in page
    assert made.best.formula in str(made) and made.best.formula in repr(made) and made.best.formula in repr(made.front)
    assert made.best._repr_latex_().startswith("$\\displaystyle ") and "%" not in made.best._repr_latex_()


def test_formulas_take_tables_arrays_and_numbers(made, table):
    X, y = table
    best = made.best
    given = best(X)
    assert isinstance(given, np.ndarray) and np.allclose(given, y)
    assert np.array_equal(best(X[["noise", "speed", "mass"]]), given)  # by name
    assert np.array_equal(best(X.to_numpy()), given)
    assert np.array_equal(best(np.asfortranarray(X.to_numpy())), given)
    assert np.array_equal(best({name: array.array("d", X[name]) for name in X}), given)
    assert np.array_equal(best(X.to_numpy().tolist()), given)
    assert np.array_equal(made.predict(X), given) and np.array_equal(best.predict(X), given)
    by_name = dict(zip(best.parameters, [2.0, 3.0] if best.parameters[0] == "mass" else [3.0, 2.0]))
    assert best(**by_name) == pytest.approx(9.0)


def test_numpy_text_gives_the_same(made, table):
    space = {}
    exec(made.best.numpy(), space)
    function = space["energy"]
    assert np.array_equal(function(*(table[0][name] for name in made.best.parameters)), made.best(table[0]))


def test_texts(made):
    best = made.best
    ast.parse(best.python())
    assert "def energy(" in best.python() and "double energy(" in best.c() and "\\begin{equation*}" in best.latex()
    assert "sp.Symbol" in best.sympy() and "fn energy(" in best.code("rust")
    assert best.komuz().startswith("// A formula for `energy`") and best.program in best.komuz()
    assert komuz.compile(best.komuz()).parameters == best.parameters


def test_one_column():
    x = np.linspace(0.1, 3.0, 40)
    made = komuz.fit(x, 2.0 * np.sqrt(x), generations=5, population=60)
    assert made.best(np.array([4.0]))[0] == pytest.approx(4.0) and made.best([4.0, 9.0])[1] == pytest.approx(6.0)
    assert made.best(4.0) == pytest.approx(4.0)


def test_columns_with_odd_names(table):
    X, y = table
    odd = X.rename(columns={"mass": "mass (kg)"})
    made = komuz.fit(odd, y, **QUICK)
    assert "mass_kg" in made.inputs and any("mass (kg)" in note for note, _ in made.notes)
    formula = next(one for one in made.front if "mass_kg" in one.parameters)
    assert np.array_equal(formula(odd), formula(odd.to_numpy()))


def test_notes_speak_of_keywords(table):
    X, y = table
    few = komuz.fit(X[:40], y[:40], generations=1, population=20)
    said = ("40 rows are few: formulas are judged by 5 folds", "`split=0.2` holds out a fifth of the rows instead")
    assert said in few.notes


def test_numbered_columns(table):
    X, y = table
    assert set(komuz.fit(pd.DataFrame(X.to_numpy()), y, **QUICK).inputs) <= {"x0", "x1", "x2"}


def test_texts_of_a_path_are_indicators(tmp_path):
    drawn = np.random.default_rng(1)
    frame = pd.DataFrame({"kind": ["a", "b", "a", "a"] * 30, "x": drawn.uniform(0, 1, 120)})
    frame["y"] = np.where(frame["kind"] == "b", 5.0, 1.0) + frame["x"]
    frame.to_csv(tmp_path / "t.csv", index=False)
    made = komuz.fit(tmp_path / "t.csv", generations=6, population=80)
    assert "kind_b" in made.inputs and made.report["texts"] == {"kind": ["a", "b"]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.allclose(made.front[-1](frame), frame["y"])
        assert np.isnan(made.front[-1](pd.DataFrame({"kind": [None], "x": [1.0]})))
    with pytest.warns(UserWarning, match="the column `kind` has `c` and 1 others, which the fit has not seen") as told:
        made.front[-1]({"kind": np.array(["a", "d", "c"]), "x": np.ones(3)})
    assert told[0].filename == __file__


@pytest.mark.parametrize("texts", [["1", "2"], ["True", "False"], ["NA", "1e3"]])
def test_texts_that_look_like_numbers_are_texts(texts):
    x = np.arange(40.0)
    kinds = {"list": texts * 20, "array": np.array(texts * 20), "objects": np.array(texts * 20, dtype=object),
             "category": pd.Series(texts * 20, dtype="category")}
    y = np.where(np.array(kinds["list"]) == texts[1], 5.0, 1.0) + x
    for column in kinds.values():
        made = komuz.fit({"x": x, "t": column}, y, generations=8, population=80)
        assert made.report["texts"] == {"t": sorted(texts)}
        assert np.allclose(made.front[-1]({"x": x, "t": column}), y)
    numbers = komuz.fit({"x": x, "t": pd.Series([1, 2] * 20, dtype=object)}, y, generations=1, population=20)
    assert numbers.report["texts"] == {} and numbers.inputs == ("x", "t")


def test_names_with_ends_of_lines(table):
    X, y = table
    made = komuz.fit(X, pd.Series(np.asarray(y), name="price\n(USD)"), **QUICK)
    assert komuz.check(made.best.komuz()) == [] and made.best.komuz().startswith("// A formula for `price\\n(USD)` of")


def test_classes():
    drawn = np.random.default_rng(2)
    X = drawn.uniform(-1, 1, (200, 2))
    made = komuz.fit(X, (X[:, 0] > X[:, 1]).astype(float), loss="logistic", **QUICK)
    assert made.best.right is not None and made.best.right > 0.9 and made.best.r2 is None
    assert ((made.best(X) > 0) == (X[:, 0] > X[:, 1])).mean() > 0.9
    assert "right" in made.front.to_pandas() and "r2" not in made.front.to_pandas()


def test_pickles(made, table):
    again = pickle.loads(pickle.dumps(made))
    assert np.array_equal(again.best(table[0]), made.best(table[0])) and again.to_json() == made.to_json()
    assert b"pub fn energy" in pickle.dumps(made)


@pytest.fixture
def noisy(table):
    """No formula fits it, so a search goes on."""
    X, y = table
    return X, y + np.random.default_rng(4).normal(0, 1, len(y))


def test_progress(noisy):
    X, y = noisy
    told = []
    komuz.fit(X, y, time=0.6, population=50, progress=told.append)
    assert told and all(0 <= one.fraction <= 1 for one in told) and told[-1].generations > 0

    def fail(progress):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        komuz.fit(X, y, generations=1000, progress=fail)


def test_ctrl_c_leaves_what_there_is(noisy):
    X, y = noisy
    sent = []

    def interrupt(progress):
        if progress.generations > 2 and not sent:
            sent.append(True)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.warns(komuz.InterruptedWarning, match="until then"):
        made = komuz.fit(X, y, generations=100_000, population=50, progress=interrupt)
    assert not made.complete and made.report["complete"] is False
    assert len(made.front) > 0 and "interrupted" in repr(made)


def test_ctrl_c_within_folds_leaves_what_these_have_found(noisy):
    X, y = noisy
    told = []

    def tell(progress):  # of the first fold, once it has formulas
        if progress.search == 0 and progress.generations >= 2 and not told:
            told.append(progress)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.warns(komuz.InterruptedWarning):
        made = komuz.fit(X, y, time=100, folds=5, progress=tell)
    assert told
    assert not made.complete and len(made.front) >= 1 and np.isfinite(made.predict(X)).all()


def test_other_threads_go_on(noisy):
    X, y = noisy
    counted, ended = [0], threading.Event()

    def count():
        while not ended.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    komuz.fit(X, y, time=0.3)
    between = counted[0] - before
    ended.set()
    thread.join()
    assert between > 1000


x = np.linspace(0.0, 1.0, 30)
X2 = np.stack([x, x * x], axis=1)


@pytest.mark.parametrize(
    "X, y, options, message",
    [
        (np.zeros((2, 2, 2)), x, {}, r"X has the shape \(2, 2, 2\)"),
        (x, x[:-1], {}, "`x0` has 30 rows, and `y` has 29"),
        (x, np.stack([x, x], axis=1), {}, "y has 2 columns, and a formula gives one number"),
        (np.where(x == 0, np.nan, x), x, {}, "row 0 has a NaN in `x0`"),
        (x, np.where(x == 1, np.nan, x), {}, "row 29 has a NaN in `y`"),
        (x, np.where(x == 1, np.inf, x), {}, "no number in 1 of 30 rows"),
        (pd.DataFrame({"a": ["u"] * 30}), x, {}, "no column can help: `a` is the same everywhere"),
        (pd.DataFrame({"a": x}), pd.Series(["u"] * 30), {}, "y holds object"),
        (np.array([None] * 30), x, {}, "no column can help: `x0` has no number"),
        (x, np.ones(30), {}, "is 1.0 in all rows: there is nothing to fit"),
        (np.ones(30), x, {}, "no column can help"),
        (x[:1], x[:1], {}, "there is one row"),
        (x[:0], x[:0], {}, "X and y without rows"),
        (x, None, {}, "`y` is missing"),
        ({"a": x}, "b", {}, "X has no column `b`"),
        ({"a": x, "y": x}, x, {"target": "y"}, "has a column `y`, and y is given, too"),
        (x, x, {"weights": x[:3]}, "`weights` has 3"),
        (x, x, {"weights": "w"}, "no column `w` of weights"),
        (x, x, {"weights": -x}, "weight"),
        (x, x, {"weights": X2}, "weights has the shape"),
        (X2, x, {"columns": ["a"]}, "has 2 columns, and 1 names are given"),
        (X2, x, {"columns": ["a", "a"]}, "two columns `a`"),
        ("no_such_file.csv", None, {}, "no_such_file.csv"),
        ("t.csv", x, {}, "X is a path, and `y` is given"),
        (x, x, {"start": [3]}, "`start` has a int"),
        (x, x, {"start": 3}, "`start` has a int"),
        (x, x * 0 + 2 * (x > 0.5), {"loss": "logistic"}, "classes"),
    ],
)
def test_wrong_input(X, y, options, message):
    with pytest.raises(komuz.InputError, match=message) as raised:
        komuz.fit(X, y, **{**QUICK, **options})
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"los": "squared"}, "no option `los`"),
        ({"loss": "cubic"}, "`loss`.*cubic"),
        ({"log": "f"}, "no option `log` here; `komuz fit --log` writes one"),
        ({"json": "f"}, "the result has `.to_json"),
        ({"split": 0.2, "folds": 3}, "`split`, `folds` and `held_out`"),
        ({"split": 2}, "a share of the rows"),
        ({"operators": ["+", "nope"]}, "nope"),
        ({"monotone": {"x0": 3}}, "`monotone` is 3 for `x0`"),
        ({"weights": x, "sample_weight": x}, "both are given"),
        ({"generations": 0}, "`generations`"),
        ({"loss": ["squared", "absolute"]}, "`loss` is a list, and it takes one value"),
        ({"progress": "x"}, "`progress` is 'x'"),
        ({"target": 3}, "`target` is a int"),
        ({"skip_missing": "no"}, "`skip_missing` is 'no'"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises((komuz.OptionError, komuz.InputError), match=message):
        komuz.fit(x, x, **{**QUICK, **options})


def test_there_is_always_a_formula():
    """Of two formulas that are drawn it happens that neither gives a number on all rows: then it is the mean."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.exp(X[:, 0]) * X[:, 1] + X[:, 2] ** 2
    few = komuz.fit(X, y, generations=1, population=2, operators="+ - * / exp log sqrt")
    assert few.best.size == 1 and np.allclose(few.predict(X), y.mean(), rtol=0.05)


def test_wrong_tables_of_formulas(made, table):
    with pytest.raises(komuz.InputError, match="X has no column `.*`, which the formula"):
        made.best({"noise": x})
    with pytest.raises(komuz.InputError, match="X has 2 columns, and the table that was fitted has 3"):
        made.best(X2)


def test_missing_rows_are_left_out_on_request(table):
    X, y = table
    holes = X.copy()
    holes.loc[3, "mass"] = np.nan
    made = komuz.fit(holes, y, skip_missing=True, **QUICK)
    assert made.report["rows"]["left_out"] == 1 and any("1 row without a number" in note for note, _ in made.notes)
