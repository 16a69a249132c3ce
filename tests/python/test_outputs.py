# SPDX-License-Identifier: Apache-2.0
"""What a run writes and makes of its best programs when it has ended: the same as the command line."""
import json
import os
import subprocess

import pytest

import komuz
from conftest import EXECUTABLE, ROOT

COLLATZ = "examples/collatz"
WORDS = {"input": "input1", "output": "output1"}
TEXTS = ["div0(x * y, y) + div0(1.0, y)", "x + y", "misspelled(x)"]
X = [[float(k), k % 5 + 1.0] for k in range(30)]
y = [x + 1.0 / b for x, b in X]
SIGNATURE = "fn(x: f64, y: f64) -> f64"


def test_files_have_the_bytes_of_the_command_line(at_root, tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir(), theirs.mkdir()
    names = {"json": "r.json", "best": "best.c", "plot": "r.svg"}
    ranking = komuz.rank(COLLATZ, COLLATZ + "/cases.jsonl", **WORDS, **{k: ours / v for k, v in names.items()})
    words = [w for k, v in names.items() for w in (f"--{k}", theirs / v)]
    subprocess.run(
        [EXECUTABLE, "eval", COLLATZ, "--cases", COLLATZ + "/cases.jsonl", "--input", "input1", "--output", "output1", *words],
        cwd=ROOT, check=False, capture_output=True,
    )
    assert sorted(os.listdir(ours)) == sorted(names.values())  # and nothing beside them
    for name in names.values():
        assert (ours / name).read_bytes() == (theirs / name).read_bytes(), name
    assert (ours / "r.json").read_bytes() == ranking.to_json()


def test_optimised_best_programs(at_root, report, tmp_path):
    path = tmp_path / "best.kbc"
    ranking = komuz.rank(COLLATZ, COLLATZ + "/cases.jsonl", **WORDS, optimise=2, by="rules", best=path)
    words = "--input input1 --output output1 --optimise 2 --by rules".split()
    theirs = tmp_path / "theirs.kbc"
    assert ranking.to_json() == report("eval", COLLATZ, "--cases", COLLATZ + "/cases.jsonl", *words, "--best", theirs)
    assert path.read_bytes() == theirs.read_bytes()
    assert ranking.optimised == json.loads(ranking.to_json())["optimised"] and len(ranking.optimised) == 2


def test_without_protections():
    ranking = komuz.rank(TEXTS, X, y, signature=SIGNATURE, score="squared", unprotect=True)
    assert "div0" not in ranking.best_program and "x * y / y + 1.0 / y" in ranking.best_program
    assert any("no protection was needed there on 30 cases" in said for said, _ in ranking.notes)
    assert "div0" in komuz.rank(TEXTS, X, y, signature=SIGNATURE, score="squared").best_program


def test_stats_say_what_ran_how():
    assert "tier: hybrid" in komuz.rank(TEXTS, X, y, signature=SIGNATURE, score="squared", stats=True).stats
    assert komuz.rank(TEXTS, X, y, signature=SIGNATURE, score="squared").stats == ""


def test_a_search_writes_too(tmp_path):
    text = "pub fn f(x: f64) -> f64 { ?a(0.0..=4.0, steps: 5) * x + ?b(0.0..=4.0, steps: 5) }"
    found = komuz.search(text, [0.0, 1.0, 2.0], [1.0, 4.0, 7.0], score="squared", best=tmp_path / "f.py")
    assert found.best_program == "pub fn f(x: f64) -> f64 { 3.0 * x + 1.0 }\n"
    assert "3.0 * x + 1.0" in (tmp_path / "f.py").read_text()


@pytest.mark.parametrize("options, error, said", [
    ({"best": "/no/such/folder/f.py"}, komuz.InputError, "there is no folder /no/such/folder"),
    ({"json": os.sep}, komuz.InputError, "this is a folder"),
    ({"plot": "a.png"}, komuz.OptionError, "`plot` draws SVG, and a.png would be png; name a.svg"),
    ({"plot": 3}, komuz.OptionError, "`plot` names no file: it is of the type int"),
    ({"json": "a.json", "plot": "./a.json"}, komuz.OptionError, "two outputs have the same path"),
    ({"best": "best.kbc"}, komuz.OptionError, "add `optimise=1`"),
    ({"optimise": 0}, komuz.OptionError, "`optimise` takes a whole number from 1"),
    ({"by": "nobody"}, komuz.OptionError, "nobody"),
])
def test_wrong_outputs(options, error, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as raised:
        komuz.rank(TEXTS, X, y, signature=SIGNATURE, score="squared", **options)
    assert said in str(raised.value)
    assert os.listdir(tmp_path) == []


def test_nothing_to_write(tmp_path):
    path = tmp_path / "best.py"
    path.write_text("as it was")
    with pytest.raises(komuz.InputError, match="no program has a score") as raised:
        komuz.rank(["misspelled(x)"], X, y, signature=SIGNATURE, score="squared", best=path, plot=tmp_path / "p.svg")
    assert path.read_text() == "as it was"
    # What the run has found is not lost.
    assert (tmp_path / "p.svg").exists() and raised.value.ranking[0].status == "compile_error"


def test_files_in_folders_that_may_not_be_written(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    path = tmp_path / "r.json"
    path.write_text("as it was")
    tmp_path.chmod(0o555)
    with pytest.raises(komuz.InputError, match="it may not be written"):
        komuz.rank(TEXTS, X, y, signature=SIGNATURE, score="squared", json=path)
    tmp_path.chmod(0o755)
