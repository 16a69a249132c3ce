# SPDX-License-Identifier: Apache-2.0
"""The estimators of scikit-learn."""
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import komuz

sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed (scripts/setup --test)")
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

QUICK = {"generations": 2, "population": 20, "split": 0, "threads": 1}


@parametrize_with_checks([komuz.SymbolicRegressor(**QUICK), komuz.SymbolicClassifier(**QUICK)])
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def table():
    drawn = np.random.default_rng(7)
    X = pd.DataFrame({"mass": drawn.uniform(1, 3, 120), "speed": drawn.uniform(0, 4, 120)})
    return X, 0.5 * X["mass"] * X["speed"] ** 2


def test_regressor(table):
    X, y = table
    model = komuz.SymbolicRegressor(generations=8, population=100).fit(X, y)
    assert model.score(X, y) > 0.999 and set(model.formula_.parameters) == {"mass", "speed"}
    assert model.formula_ in list(model.front_) and list(model.feature_names_in_) == ["mass", "speed"]
    assert is_regressor(model) and model.formula_.formula in repr(model.formula_)
    assert "np" in model.formula_.numpy()
    same = komuz.fit(X, y, target="y", generations=8, population=100)
    assert model.fits_[0].front[-1].formula == same.front[-1].formula


def test_weights_count():
    x = np.linspace(0.0, 1.0, 60)[:, None]
    y = np.where(np.arange(60) % 2 == 0, x[:, 0], -x[:, 0])
    weights = np.where(np.arange(60) % 2 == 0, 1.0, 1e-6)
    model = komuz.SymbolicRegressor(generations=3, population=60).fit(x, y, sample_weight=weights)
    assert model.predict([[0.5]])[0] == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("labels", [["no", "yes"], [3, 7], [False, True], [-1.0, 1.0]])
def test_two_classes_of_any_labels(labels):
    X = np.random.default_rng(1).uniform(-1, 1, (200, 2))
    y = np.array(labels)[(X[:, 0] > X[:, 1]).astype(int)]
    model = komuz.SymbolicClassifier(generations=10, population=100).fit(X, y)
    assert model.score(X, y) > 0.95 and list(model.classes_) == labels and model.predict(X).dtype == y.dtype
    chances = model.predict_proba(X)
    assert chances.shape == (200, 2) and np.allclose(chances.sum(axis=1), 1)
    assert is_classifier(model) and model.front_[0].right is not None


def test_three_classes():
    X = np.random.default_rng(2).uniform(-1, 1, (240, 2))
    y = np.array(["low", "middle", "top"])[np.digitize(X[:, 0], [-0.4, 0.4])]
    model = komuz.SymbolicClassifier(generations=4, population=80).fit(X, y)
    assert model.score(X, y) > 0.9 and len(model.formulas_) == 3 and model.predict_proba(X).shape == (240, 3)


def test_clone_pickle_pipeline_and_grid(table):
    X, y = table
    model = komuz.SymbolicRegressor(generations=3, population=60, operators=["+", "*", "^2"], seed=2)
    fitted = clone(model).fit(X, y)
    text = pickle.dumps(fitted)
    assert b"pub fn y" in text and np.array_equal(pickle.loads(text).predict(X), fitted.predict(X))
    pipe = make_pipeline(StandardScaler(), model)
    assert pipe.fit(X, y).predict(X).shape == (120,)
    grid = GridSearchCV(model, {"depth": [2, 3]}, cv=2).fit(X, y)
    assert grid.best_params_["depth"] in (2, 3)
    assert cross_val_score(model, X, y, cv=2).shape == (2,)


@pytest.mark.parametrize("kind", ["object", "category", "string"])
def test_frames_with_texts(kind):
    x = np.arange(120.0) / 10
    kinds = np.array(["red", "blue", "green"])[np.arange(120) % 3]
    X = pd.DataFrame({"x": x, "kind": pd.Series(kinds, dtype=kind)})
    y = x * 2.0 + np.where(kinds == "blue", 3.0, 0.0)
    model = komuz.SymbolicRegressor(generations=6, population=100).fit(X, y)
    assert model.score(X, y) > 0.999 and any(p.startswith("kind_") for p in model.formula_.parameters)
    assert list(model.feature_names_in_) == ["x", "kind"] and model.n_features_in_ == 2
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    weighted = komuz.SymbolicRegressor(generations=6, population=100).fit(X, y, sample_weight=(x > 1.0).astype(float))
    assert weighted.score(X, y) > 0.999
    labels = np.where(kinds == "red", "yes", "no")
    classes = komuz.SymbolicClassifier(generations=3, population=60).fit(X, labels)
    assert list(classes.predict(X)) == list(labels)
    with pytest.raises(komuz.InputError, match="X is no frame"):
        model.predict(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X.rename(columns={"kind": "sort"}))


def test_parameters_are_those_of_both():
    assert list(komuz.SymbolicRegressor().get_params()) == sorted(
        [*komuz.SymbolicClassifier().get_params(), "loss", "delta", "quantile"]
    )
    with pytest.raises(TypeError, match="unexpected keyword argument 'generation'"):
        komuz.SymbolicRegressor(generation=3)


def test_options_are_checked_in_fit(table):
    with pytest.raises(komuz.OptionError, match="cubic"):
        komuz.SymbolicRegressor(loss="cubic").fit(*table)
    with pytest.raises(komuz.InputError, match="one class"):
        komuz.SymbolicClassifier().fit(table[0], np.ones(120))


def test_importing_komuz_imports_no_scikit_learn():
    code = "import sys, komuz; komuz.fit; print([name for name in ('sklearn', 'numpy') if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_without_scikit_learn():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import komuz\n"
        "from komuz import *\n"
        "try: komuz.SymbolicRegressor\n"
        "except komuz.PackageError as error: print(isinstance(error, ImportError), error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.startswith("True estimators are those of scikit-learn") and "install scikit-learn" in said.stdout


@pytest.mark.parametrize("name", ["SymbolicRegressor", "SymbolicClassifier"])
def test_docstrings(name):
    assert getattr(komuz, name).__doc__ and name in dir(komuz)
