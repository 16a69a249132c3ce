# SPDX-License-Identifier: Apache-2.0
"""`fix=True` mends whatever the candidates are: texts, files, folders, sketches."""
import json

import numpy as np
import pytest

import komuz

X, Y = {"x": np.arange(8.0)}, np.arange(8.0) * 2.0
WRONG = "pub fn f(x: float) -> float { x * 2.0 }"
WRONG_SKETCH = "pub fn f(x: float) -> float { x * ?a(0.0..=4.0, steps: 5) }"
HOPELESS = "pub fn f(x: f64) -> f64 { x * ?a(0.0..=4.0, steps: 5) + nothing(x) }"


@pytest.fixture
def files(tmp_path):
    """A file for each kind of candidates, whose programs have errors that can be mended."""
    program, sketch, rows, folder = (tmp_path / name for name in ("p.komuz", "s.komuz", "c.jsonl", "programs"))
    program.write_text(WRONG)
    sketch.write_text(WRONG_SKETCH)
    rows.write_text(json.dumps({"id": "a", "source": WRONG}) + "\n")
    folder.mkdir()
    (folder / "one.komuz").write_text(WRONG)
    (folder / "two.komuz").write_text("pub fn f(x: f64) -> f64 { x }")
    cases = tmp_path / "cases.csv"
    cases.write_text("x,expected\n" + "".join(f"{a},{b}\n" for a, b in zip(X["x"], Y)))
    return {"program": program, "sketch": sketch, "rows": rows, "folder": folder, "cases": cases}


@pytest.mark.parametrize("what", ["program", "sketch", "rows", "folder"])
def test_paths(what, files, report):
    ranking = komuz.rank(files[what], X, Y, score="squared", fix=True)
    assert ranking.to_json() == report("eval", files[what], "--cases", files["cases"], "--score", "squared", "--fix")
    assert ranking.best.score == 0.0 and "f64" in ranking.best.source
    plain = komuz.rank(files[what], X, Y, score="squared", fix=False)
    assert plain.best.id != ranking.best.id or plain.best.status == "compile_error"


def test_texts():
    for candidates in ([WRONG], [("a", WRONG)], (text for text in [WRONG])):
        best = komuz.rank(candidates, X, Y, score="squared", fix=True).best
        assert best.score == 0.0 and best.source == "pub fn f(x: f64) -> f64 { x * 2.0 }"


def test_a_search(files, report):
    options = {"score": "squared", "generations": 3, "population": 20, "seed": 1}
    words = ["--score", "squared", "--generations", "3", "--population", "20", "--seed", "1", "--fix"]
    expected = report("search", files["sketch"], "--cases", files["cases"], *words)
    for sketch in (files["sketch"], WRONG_SKETCH):
        found = komuz.search(sketch, X, Y, fix=True, **options)
        assert found.best.score == 0.0
        if sketch is not WRONG_SKETCH:
            assert found.to_json() == expected
        assert any("2 edits by --fix" in note or "2 edits by `fix`" in note for note, _ in found.notes)


def test_what_cannot_be_mended(files, tmp_path):
    with pytest.raises(komuz.CompileError):
        komuz.search(HOPELESS, X, Y, generations=2)
    path = tmp_path / "hopeless.komuz"
    path.write_text(HOPELESS)
    for sketch in (HOPELESS, path):
        with pytest.raises(komuz.InputError, match="has errors") as error:
            komuz.search(sketch, X, Y, generations=2, fix=True)
        assert "komuz.check" in error.value.remedy
    with pytest.raises(komuz.InputError, match="has errors"):
        komuz.search(files["sketch"], X, Y, generations=2)
