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
    assert "compile_error" in [row.status for row in plain.rows]


def test_texts():
    for candidates in ([WRONG], [("a", WRONG)], (text for text in [WRONG])):
        best = komuz.rank(candidates, X, Y, score="squared", fix=True).best
        assert best.score == 0.0 and best.source == "pub fn f(x: f64) -> f64 { x * 2.0 }"


def test_a_sketch_says_what_was_mended(files):
    ranking = komuz.rank(files["sketch"], X, Y, score="squared", fix=True)
    assert len(ranking) == 5 and ranking.best.id == "#2"
    assert any("2 edits by `fix`" in note for note, _ in ranking.notes)
    assert not any("--fix" in note for note, _ in komuz.rank(files["program"], X, Y, fix=True).notes)


def test_what_cannot_be_mended(files, tmp_path):
    path = tmp_path / "hopeless.komuz"
    path.write_text(HOPELESS)
    assert komuz.rank(path, X, Y, fix=True).rows[0].status == "compile_error"
    for sketch in (path, files["sketch"]):
        with pytest.raises(komuz.InputError, match="has errors; `komuz.check` shows them, and `komuz.fix`"):
            komuz.search(sketch, X, Y, generations=2)
