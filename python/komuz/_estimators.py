# SPDX-License-Identifier: Apache-2.0
"""Estimators of scikit-learn that are formulas.

Only this module imports scikit-learn, and only who asks for an estimator imports this module.
"""
from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

from ._columns import is_frame
from ._errors import InputError, PackageError
from ._fit import Fit, fit
from ._front import Formula, Front

if TYPE_CHECKING:
    # scikit-learn has no types.
    numpy: Any
    check_is_fitted: Any
    check_classification_targets: Any
    column_or_1d: Any
    check_sample_weight: Any
    validate: Any

    class BaseEstimator:
        def get_params(self, deep: bool = True) -> Dict[str, Any]: ...
        def set_params(self, **params: Any) -> Any: ...

    class RegressorMixin:
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

    class ClassifierMixin:
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

else:
    try:
        import numpy
        from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
        from sklearn.utils import column_or_1d
        from sklearn.utils.multiclass import check_classification_targets
        from sklearn.utils.validation import _check_sample_weight as check_sample_weight
        from sklearn.utils.validation import check_is_fitted
    except ImportError as missing:
        raise PackageError(
            f"estimators are those of scikit-learn, and there is no `{missing.name}`",
            remedy="install scikit-learn, or take `komuz.fit`",
        ) from None
    try:
        from sklearn.utils.validation import validate_data as validate
    except ImportError:  # a method before scikit-learn 1.6

        def validate(estimator, *args, **options):
            return estimator._validate_data(*args, **options)


# Log-odds beyond this are certain as far as floats go: the probabilities differ from 0 and 1 by 1e-13.
_MOST_ODDS = 30.0


class _FormulaEstimator(BaseEstimator):
    """What both estimators share: the parameters, and what is done with arrays."""

    _loss = "squared"

    def __init__(
        self,
        *,
        operators: Any = None,
        max_size: Optional[int] = None,
        depth: Optional[int] = None,
        inputs: Optional[int] = None,
        units: Any = None,
        monotone: Any = None,
        generations: Optional[int] = 40,
        time: Optional[float] = None,
        population: Optional[int] = None,
        seed: int = 0,
        seeds: Optional[int] = None,
        select: Any = None,
        split: Optional[float] = None,
        split_seed: Optional[int] = None,
        folds: Optional[int] = None,
        search_rows: Optional[int] = None,
        threads: Optional[int] = None,
        progress: Any = None,
    ) -> None:
        self.operators = operators
        self.max_size = max_size
        self.depth = depth
        self.inputs = inputs
        self.units = units
        self.monotone = monotone
        self.generations = generations
        self.time = time
        self.population = population
        self.seed = seed
        self.seeds = seeds
        self.select = select
        self.split = split
        self.split_seed = split_seed
        self.folds = folds
        self.search_rows = search_rows
        self.threads = threads
        self.progress = progress

    def _read(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, Any, Any]:
        """Arrays that are sound, or a frame that has columns of texts. Rows that weigh nothing are left out; weights that are
        all the same say nothing."""
        if y is None:  # in the words that scikit-learn looks for
            raise InputError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        if _has_texts(X):
            _, y = validate(self, _numbers_in(X), y, dtype="float64", ensure_min_samples=2, multi_output=True)
            self.has_texts_ = True
        else:
            X, y = validate(self, X, y, dtype="float64", ensure_min_samples=2, multi_output=True, y_numeric=False)
            self.has_texts_ = False
        y = column_or_1d(y, warn=True)
        if sample_weight is None:
            return X, y, None
        weights = check_sample_weight(sample_weight, X, dtype="float64")
        if (weights < 0).any():
            raise InputError("a weight is negative", remedy="weights are 0 or more")
        counts = weights > 0
        if not counts.any():
            raise InputError("all weights are 0", remedy="give some rows a weight above 0")
        X, y, weights = X[counts] if not is_frame(X) else X.loc[counts], y[counts], weights[counts]
        return X, y, None if (weights == weights[0]).all() else weights

    def _fit_one(self, X: Any, target: Any, weights: Any, target_name: str) -> Fit:
        names = getattr(self, "feature_names_in_", None)
        columns = [f"x{k}" for k in range(X.shape[1])] if names is None else [str(name) for name in names]
        while target_name in columns:
            target_name += "_"
        options: Dict[str, Any] = {"loss": self._loss, **self.get_params(deep=False)}
        return fit(X, target, columns=columns, target=target_name, weights=weights, **options)

    def _values(self, X: Any, formulas: Sequence[Formula]) -> Any:
        """An array of shape (rows, formulas)."""
        check_is_fitted(self)
        if self.has_texts_:
            validate(self, _numbers_in(X), dtype="float64", reset=False)
        else:
            X = validate(self, X, dtype="float64", reset=False)
        return numpy.stack([_numbers(formula(X, threads=self.threads)) for formula in formulas], axis=1)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_") and hasattr(self, "fits_")


def _is_of_texts(column: Any) -> bool:
    return hasattr(column.dtype, "categories") or column.dtype.kind == "O"


def _has_texts(X: Any) -> bool:
    """True for a frame with columns of texts or categories."""
    return is_frame(X) and any(_is_of_texts(X.iloc[:, k]) for k in range(X.shape[1]))


def _numbers_in(X: Any) -> Any:
    """The frame with zeros for texts, for the checks of scikit-learn, which look at names and numbers."""
    if not is_frame(X):
        raise InputError("X is no frame, and the table that was fitted is", remedy="give a frame with the same columns")
    return X.assign(**{str(name): 0.0 for k, name in enumerate(X.columns) if _is_of_texts(X.iloc[:, k])})


def _numbers(values: Any) -> Any:
    return numpy.asarray(values, dtype="float64")


def _joined_signature(own: Any, shared: Any) -> inspect.Signature:
    """The parameters of a method that hands the others on, and these."""
    first = [one for one in inspect.signature(own).parameters.values() if one.kind is not one.VAR_KEYWORD]
    more = list(inspect.signature(shared).parameters.values())[1:]
    return inspect.Signature(first + more)


class SymbolicRegressor(RegressorMixin, _FormulaEstimator):
    """A regressor of scikit-learn that is a formula.

    Parameters are those of `komuz.fit`, and of `komuz fit` (docs/fit.md); None stands for what these take by default.
    With `generations=40` the formulas are the same everywhere. `generations=None` searches for `time` seconds.

    Attributes:
        formula_: the formula that is taken, a `komuz.Formula`.
        front_: the best one of each size, a `komuz.Front`.
        fits_: a list of the one `komuz.Fit`.
        n_features_in_, feature_names_in_: as of all estimators.

    >>> import komuz, numpy
    >>> X = numpy.random.default_rng(0).uniform(0.0, 3.0, (120, 2))
    >>> model = komuz.SymbolicRegressor(generations=10, population=100).fit(X, X[:, 0] * X[:, 1] + 1.0)
    >>> model.formula_.formula
    'x0 * x1 + 1.0'
    >>> model.predict([[2.0, 2.5]])
    array([6.])
    """

    def __init__(
        self,
        *,
        loss: str = "squared",
        delta: Optional[float] = None,
        quantile: Optional[float] = None,
        **shared: Any,
    ) -> None:
        super().__init__(**shared)
        self.loss = loss
        self.delta = delta
        self.quantile = quantile

    # scikit-learn and `help` see all parameters.
    __init__.__signature__ = _joined_signature(__init__, _FormulaEstimator.__init__)  # type: ignore[attr-defined]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "SymbolicRegressor":
        """Looks for a formula.

        Args:
            X: of shape (rows, features), numbers; or a frame, whose columns may also hold texts or categories of few values.
            y: of shape (rows,), numbers.
            sample_weight: of shape (rows,), 0 or more; None: all rows weigh the same.
        """
        X, y, weights = self._read(X, y, sample_weight)
        self.fits_ = [self._fit_one(X, _numbers(y), weights, "y")]
        self.front_: Front = self.fits_[0].front
        self.formula_: Formula = self.fits_[0].best
        return self

    def predict(self, X: Any) -> Any:
        """What the formula gives: an array of shape (rows,), for `X` of shape (rows, features)."""
        check_is_fitted(self)
        return self._values(X, [self.formula_])[:, 0]


class SymbolicClassifier(ClassifierMixin, _FormulaEstimator):
    """A classifier of scikit-learn that is a formula, whose value is the logarithm of the odds of a class.

    Parameters are those of `SymbolicRegressor`, without the loss, which is `logistic`.

    With more than two classes there is a formula for each, of this class against all others; probabilities are these of
    the formulas, divided by their sum.

    Attributes:
        classes_: the labels, sorted. They are of any kind.
        formula_: the formula of `classes_[1]`, of two classes.
        formulas_: one formula, or one for each of more than two classes.
        front_: of two classes, the best formula of each size.
        fits_: the `komuz.Fit` of each.
        n_features_in_, feature_names_in_: as of all estimators.

    >>> import komuz, numpy
    >>> X = numpy.random.default_rng(0).uniform(-1.0, 1.0, (120, 2))
    >>> labels = numpy.where(X[:, 0] > X[:, 1], "above", "below")
    >>> model = komuz.SymbolicClassifier(generations=10, population=100).fit(X, labels)
    >>> model.predict([[0.9, -0.9], [-0.9, 0.9]])
    array(['above', 'below'], dtype='<U5')
    """

    _loss = "logistic"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "SymbolicClassifier":
        """Looks for formulas.

        Args:
            X: of shape (rows, features), numbers; or a frame, whose columns may also hold texts or categories of few values.
            y: of shape (rows,), labels of at least two classes.
            sample_weight: of shape (rows,), 0 or more; None: all rows weigh the same.
        """
        X, y, weights = self._read(X, y, sample_weight)
        check_classification_targets(y)
        self.classes_, numbers = numpy.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise InputError(f"y has one class, {self.classes_[0]!r}", remedy="give rows of two classes at least")
        of_interest = [1] if len(self.classes_) == 2 else list(range(len(self.classes_)))
        self.fits_ = [self._fit_one(X, (numbers == k).astype("float64"), weights, "odds") for k in of_interest]
        self.formulas_: List[Formula] = [one.best for one in self.fits_]
        if len(of_interest) == 1:
            self.formula_: Formula = self.formulas_[0]
            self.front_: Front = self.fits_[0].front
        return self

    def decision_function(self, X: Any) -> Any:
        """Logarithms of odds, within ±30: of shape (rows,) of two classes, the second one's; else (rows, classes).

        Where a formula gives no number, it is 0: both classes are alike.
        """
        check_is_fitted(self)
        odds = numpy.clip(numpy.nan_to_num(self._values(X, self.formulas_), nan=0.0), -_MOST_ODDS, _MOST_ODDS)
        return odds[:, 0] if len(self.formulas_) == 1 else odds

    def predict_proba(self, X: Any) -> Any:
        """Probabilities, an array of shape (rows, classes)."""
        shares = 1.0 / (1.0 + numpy.exp(-self.decision_function(X)))
        if shares.ndim == 1:
            return numpy.stack([1.0 - shares, shares], axis=1)
        return shares / shares.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> Any:
        """The most likely class of each row, an array of shape (rows,)."""
        odds = self.decision_function(X)
        return self.classes_[(odds > 0).astype(int) if odds.ndim == 1 else odds.argmax(axis=1)]
