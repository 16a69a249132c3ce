# SPDX-License-Identifier: Apache-2.0
"""check, format, fix, explain and sketches."""
import pickle

import pytest

import komuz


def test_check_says_what_the_compiler_says():
    assert komuz.check("pub fn f(x: f64) -> f64 { x }") == []
    [found] = komuz.check("pub fn f(\n  x: float) -> f64 { x }")
    assert (found.severity, found.line, found.column) == ("error", 2, 6)
    assert found.fix == "f64" and str(found).startswith("2:6: error[K")


def test_check_finds_modules_beside_the_file(tmp_path):
    (tmp_path / "lib.komuz").write_text("pub fn twice(x: f64) -> f64 { 2.0 * x }\n")
    text = "use lib.{twice};\npub fn f(x: f64) -> f64 { twice(x) }\n"
    assert komuz.check(text) != []
    assert komuz.check(text, file=str(tmp_path / "f.komuz")) == []
    path = tmp_path / "f.komuz"
    path.write_text(text)
    assert komuz.compile(path)(2.0) == 4.0


def test_format_and_fix():
    assert komuz.format("pub fn f(x:f64)->f64{x}") == "pub fn f(x: f64) -> f64 { x }\n"
    with pytest.raises(komuz.CompileError):
        komuz.format("pub fn f(")
    fixed = komuz.fix("pub fn f(x: float) -> double { x }")
    assert fixed.text == "pub fn f(x: f64) -> f64 { x }" and len(fixed.fixes) == 2
    assert komuz.check(fixed.text) == []


def test_explain():
    assert "DIV_ZERO" in str(komuz.explain("div_zero"))
    with pytest.raises(komuz.OptionError, match="did you mean `DIV_ZERO`|no diagnostic or trap"):
        komuz.explain("DIV_ZER")
    with pytest.raises(komuz.OptionError, match="`K9999`; `komuz explain` lists them"):
        komuz.explain("K9999")


def test_sketches():
    sketch = komuz.Sketch("pub fn f(x: i64) -> i64 { x * ?a(0..10) + ?[1, x] }")
    assert sketch.variants == 20
    texts = {sketch.fill(k) for k in range(20)}
    assert len(texts) == 20 and all(komuz.check(text) == [] for text in texts)
    assert sketch.fill("#7") == sketch.fill(7)
    with pytest.raises(komuz.InputError, match="variant"):
        sketch.fill(20)
    with pytest.raises(komuz.InputError, match="nothing to decide"):
        komuz.Sketch("pub fn f(x: i64) -> i64 { x }")
    with pytest.raises(komuz.CompileError):
        komuz.Sketch("pub fn f(x: i64) -> i64 { ?[x,  }")
    many = komuz.Sketch("pub fn f(x: f64) -> f64 { ?s(x) }\nspace s(x: f64) -> f64 depth 8 { x, 1.0, s + s, s * s }\n")
    assert many.variants is None or many.variants > 1000


def test_sketches_are_pickled():
    sketch = pickle.loads(pickle.dumps(komuz.Sketch("pub fn f(x: i64) -> i64 { ?[x + 1, x * 2] }")))
    assert sketch.variants == 2
