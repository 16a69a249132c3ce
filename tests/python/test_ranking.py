# SPDX-License-Identifier: Apache-2.0
"""What a ranking says of its candidates."""
import gc
import json

import numpy as np
import pandas as pd
import pytest

import komuz

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 0.0]])
Y = np.array([2.0, 12.0, 0.0])
SIGNATURE = "fn(x: f64, y: f64) -> f64"


@pytest.fixture
def ranking():
    texts = [("product", "x * y"), ("sum", "x + y"), ("broken", "x +"), ("again", "x*y")]
    return komuz.rank(texts, X, Y, signature=SIGNATURE, score="squared", case_scores=True)


def test_rows_come_best_first_and_lazily(ranking):
    assert [c.id for c in ranking.rows] == ["product", "again", "sum", "broken"]
    assert len(ranking) == len(ranking.rows) == 4
    assert ranking.rows[-1].status == "compile_error" and ranking.rows[-1].rank is None
    assert [c.id for c in ranking.rows[1:3]] == ["again", "sum"]
    with pytest.raises(IndexError):
        ranking.rows[4]


def test_a_candidate_says_what_is_known_of_it(ranking):
    best, last = ranking.best, ranking.rows[3]
    assert best.score == 0 and best.failures == [] and best.status == "ok"
    assert best.source == "pub fn f(x: f64, y: f64) -> f64 { x * y }"
    assert list(ranking.rows[2].case_scores()) == [1.0, 25.0, 25.0]
    assert last.case_scores() is None and last.score is None
    assert last.diagnostics[0].severity == "error" and last.diagnostics[0].line == 1


def test_predict_runs_it_on_other_rows(ranking):
    assert ranking.best.predict(X + 1).tolist() == [6.0, 20.0, 6.0]
    assert ranking.best.predict(pd.DataFrame({"y": [2.0], "x": [4.0]})).tolist() == [8.0]


def test_predict_is_on_the_line_of_a_correlation():
    x = np.arange(5.0)
    ranking = komuz.rank(["x"], {"x": x}, 3 * x + 1, signature="fn(x: f64) -> f64", score="correlation")
    assert np.allclose(ranking.best.predict({"x": np.array([10.0])}), [31.0])


def test_frames(ranking):
    frame = ranking.to_pandas()
    assert frame["id"].tolist() == ["product", "again", "sum", "broken"]
    assert frame["score"].tolist()[:3] == [0.0, 0.0, 51.0] and np.isnan(frame["score"][3])
    assert frame["rank"].isna().tolist() == [False, False, False, True]
    assert frame["duplicate_of"].tolist() == [None, "product", None, None]


def test_a_notebook_sees_a_table_and_charts(ranking):
    page = ranking._repr_html_()
    assert "<table>" in page and "product" in page and "<svg" in page
    assert "product" in str(ranking) and "4 candidates" in repr(ranking)


def test_text_that_means_something_in_html_is_escaped():
    ranking = komuz.rank([("<b>", "x")], [(1.0, 1.0)], signature="fn(x: f64) -> f64")
    assert "<b>" not in ranking._repr_html_()


def test_ids_and_rows_stay_when_nothing_else_does():
    rows = komuz.rank(["x"], [(1.0, 1.0)], signature="fn(x: f64) -> f64").rows
    gc.collect()
    assert json.loads(json.dumps(rows[0].row))["id"] == "1"


def test_progress_is_told():
    told = []
    texts = [f"x * {k}.0" for k in range(3000)]
    komuz.rank(texts, X[:, 0], Y, signature="fn(x: f64) -> f64", progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3000, 3000)


def test_an_exception_of_progress_ends_the_run():
    def fail(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        komuz.rank(["x"] * 5000, X[:, 0], Y, signature="fn(x: f64) -> f64", progress=fail)


def test_weights_and_held_out():
    weighted = komuz.rank(["x"], {"x": [1.0, 5.0]}, [2.0, 2.0], signature="fn(x: f64) -> f64", score="absolute", weights=[1, 0])
    assert weighted.best.score == 1.0
    held = komuz.rank(["x"], {"x": [1.0]}, [1.0], held_out=({"x": [7.0]}, [8.0]), signature="fn(x: f64) -> f64", score="absolute")
    assert json.loads(held.to_json())["held_out"]["score"] == 1


def test_no_best_says_what_is_wrong_with_the_first():
    ranking = komuz.rank(["np.sin(x)"], [1.0], [1.0], signature="fn(x: f64) -> f64")
    with pytest.raises(komuz.InputError, match=r"no candidate ran.*the first has 1:27: error"):
        ranking.best


def test_candidates_are_equal_where_they_are_the_same(ranking):
    assert ranking.best == ranking.rows[0] == ranking[0] and ranking.best in ranking.rows
    assert ranking[0] != ranking[1] and len({*ranking, *ranking.rows}) == len(ranking)
    assert ranking[-1] == list(ranking)[-1] and ranking[:2] == ranking.rows[:2]
