# SPDX-License-Identifier: Apache-2.0
"""komuz.Pool: rounds have the bytes of one run, in the report and in the log."""
import asyncio
import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import komuz
from conftest import EXECUTABLE

SIGNATURE = "fn(x: f64) -> f64"
X, Y = np.arange(1.0, 9.0), np.arange(1.0, 9.0) ** 2
LOOP = "pub fn f(x: f64) -> f64 { var s = 0.0; var k = 0; while k < 900000 { s += x; k += 1; } s + %d.0 }"


def expressions(count, seed=1):
    """Programs as a model writes them: some are equal, some do the same, some are wrong."""
    drawn = random.Random(seed)

    def grow(depth):
        if depth == 0 or drawn.random() < 0.2:
            return drawn.choice(["x", "v", "y", "1.0", f"{drawn.randrange(1, 9)}.5"])
        blank = drawn.choice(["", " "])
        return f"({grow(depth - 1)}{blank}{drawn.choice('+-*/')}{blank}{grow(depth - 1)})"

    return [(f"c{k}", f"pub fn f(x: f64, v: f64) -> f64 {{ {grow(2)} }}") for k in range(count)]


def in_rounds(candidates, sizes):
    begin = 0
    for size in sizes:
        yield candidates[begin : begin + size]
        begin += size
    yield candidates[begin:]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with candidates and cases, which commands name as the pool does."""
    monkeypatch.chdir(tmp_path)
    candidates = expressions(2500)
    lines = [json.dumps({"id": name, "source": text}) + "\n" for name, text in candidates]
    (tmp_path / "candidates.jsonl").write_text("".join(lines))
    rows = [(0.5 * k, 7.0 - k) for k in range(1, 40)]
    (tmp_path / "cases.csv").write_text("x,v,expected\n" + "".join(f"{x},{v},{x * v - x}\n" for x, v in rows))
    return candidates


def run_eval(*words):
    return subprocess.run(
        [EXECUTABLE, "eval", "candidates.jsonl", "--cases", "cases.csv", *words], check=False, capture_output=True
    )


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


@pytest.mark.parametrize("words", ["--score squared", "--score absolute --case-scores --split 0.25 --worst 2", "--fix", ""])
def test_the_report_is_that_of_one_run(files, words):
    run_eval(*words.split(), "--json", "report.json")
    options = {"split": 0.25, "case_scores": True, "worst": 2} if "--split" in words else {"fix": "--fix" in words}
    if "--score" in words:
        options["score"] = words.split()[1]
    with komuz.Pool("cases.csv", **options) as pool:
        for batch in in_rounds(files, [1, 700, 20, 900]):
            ranked = list(pool.rank(batch))
            assert [c.id for c in ranked] == [name for name, _ in batch]
            assert all(c.rank is None for c in ranked)
            part = pool.ranking()  # of the rounds so far, which later ones leave as it is
        best = pool.best
    assert pool.ranking().to_json() == part.to_json() == bytes_of("report.json")
    assert best.row == pool.rows[0].row


def test_rankings_stay_as_they_are(files):
    with komuz.Pool("cases.csv", score="squared") as pool:
        list(pool.rank(files[:50]))
        first = pool.ranking()
        before = first.to_json()
        list(pool.rank(files[50:500]))
        assert first.to_json() == before and len(first) == 50 and len(pool.ranking()) == 500
        assert first.to_json() == komuz.rank(files[:50], "cases.csv", score="squared").to_json()


def test_a_harness(at_root, report, tmp_path):
    folder = "examples/llm/"
    texts = ["-idle", "uses", "uses - idle", "uses /", "log(uses - 2.0)", "1.0 / (1.0 + idle)", "uses  -  idle"]
    candidates = [(f"c{k}", f"pub fn worth(size: f64, uses: f64, idle: f64, age: f64) -> f64 {{ {t} }}") for k, t in enumerate(texts)]
    (tmp_path / "pool.jsonl").write_text("".join(json.dumps({"id": i, "source": t}) + "\n" for i, t in candidates))
    with komuz.Pool(folder + "traces.jsonl", harness=folder + "harness.komuz", fix=True) as pool:
        ranked = [c for batch in in_rounds(candidates, [3, 2]) for c in pool.rank(batch)]
        assert [c.status for c in ranked][3:5] == ["compile_error", "trap"]
        assert ranked[6].duplicate_of == "c2" and ranked[6].score == ranked[2].score
    words = [tmp_path / "pool.jsonl", "--harness", folder + "harness.komuz", "--cases", folder + "traces.jsonl", "--fix"]
    assert pool.ranking().to_json() == report("eval", *words)


def test_what_is_known_of_a_candidate():
    with komuz.Pool(X, Y, signature=SIGNATURE, score="squared", case_scores=True) as pool:
        first = list(pool.rank(["x", "x + x", ("mine", "x * x"), "1.0 / (x - 1.0)", "z"]))
        second = list(pool.rank(["2.0 * x", "x+x"]))
        known = [(c.id, c.status, c.score, c.duplicate_of, c.same_behaviour_as) for c in first + second]
        assert known[1:3] == [("2", "ok", float(((2 * X - Y) ** 2).sum()), None, None), ("mine", "ok", 0.0, None, None)]
        assert [k[0] for k in known] == ["1", "2", "mine", "4", "5", "6", "7"]
        assert known[5][3:] == (None, "2") and known[6][3] == "2"
        assert first[0].source == "pub fn f(x: f64) -> f64 { x }" and list(first[2].predict(np.array([3.0]))) == [9.0]
        assert list(first[0].case_scores()) == list((X - Y) ** 2) and first[4].case_scores() is None
        assert "`z`" in str(first[4].diagnostics[0])
        assert pool.best.id == "mine" and [c.id for c in pool.candidates] == [k[0] for k in known]
        assert pool.candidates[-1].id == "7" and len(pool) == 7 and "7 candidates on 8 cases" in repr(pool)
    assert repr(pool) == "<Pool of 7 candidates on 8 cases, closed>" and first[0].score == known[0][2]


@pytest.mark.parametrize("form", ["texts", "generator", "path", "pairs"])
def test_kinds_of_batches(form, files):
    texts = [text for _, text in files[:30]]
    batch = {"texts": texts, "generator": (t for t in texts), "path": "candidates.jsonl", "pairs": files[:30]}[form]
    with komuz.Pool("cases.csv", score="squared") as pool:
        assert len(list(pool.rank(batch))) == (2500 if form == "path" else 30)


def test_the_log_is_that_of_one_run(files):
    assert run_eval("--score", "squared", "--log", "one.jsonl").returncode == 0
    with komuz.Pool("cases.csv", score="squared", log="rounds.jsonl") as pool:
        for batch in in_rounds(files, [100, 1500]):
            for _ in pool.rank(batch):
                pass
    assert bytes_of("rounds.jsonl") == bytes_of("one.jsonl")
    assert pool.ranking().to_json() == komuz.rank(files, "cases.csv", score="squared").to_json()


KILLED = """
import json, os, signal, komuz
rows = [json.loads(line) for line in open("candidates.jsonl")]
rows = [(row["id"], row["source"]) for row in rows]
pool = komuz.Pool("cases.csv", score="squared", log="rounds.jsonl", fix=True)
list(pool.rank(rows[:300]))
for k, c in enumerate(pool.rank(rows[300:1200])):
    if k == 700:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_pool_goes_on_with_its_log(files):
    run_eval("--score", "squared", "--fix", "--log", "one.jsonl")
    run_eval("--score", "squared", "--fix", "--json", "report.json")
    assert subprocess.run([sys.executable, "-c", KILLED], check=False).returncode == -signal.SIGKILL
    with open("rounds.jsonl", "ab") as log:
        log.write(b'{"id": "cut sho')
    with komuz.Pool("cases.csv", score="squared", fix=True, resume="rounds.jsonl") as pool:
        known = len(pool)
        assert known >= 300 and [(c.id) for c in pool.candidates] == [name for name, _ in files[:known]]
        list(pool.rank(files[known:]))
    assert bytes_of("rounds.jsonl") == bytes_of("one.jsonl")
    assert pool.ranking().to_json() == bytes_of("report.json")
    # One that has ended goes on, too; and nothing is run again.
    with komuz.Pool("cases.csv", score="squared", fix=True, resume="rounds.jsonl") as pool:
        assert len(pool) == 2500 and pool.ranking().to_json() == bytes_of("report.json")
        [more] = pool.rank([("more", "pub fn f(x: f64, v: f64) -> f64 { x * v  -  x }")])
        assert more.score == 0.0
    assert run_eval("--score", "squared", "--fix", "--resume", "one.jsonl").returncode == 0


def test_a_log_that_is_damaged(files):
    with komuz.Pool("cases.csv", score="squared", log="log.jsonl") as pool:
        list(pool.rank(files[:20]))
    lines = bytes_of("log.jsonl").splitlines(keepends=True)
    with open("log.jsonl", "wb") as log:
        log.writelines(lines[:5] + [lines[5].replace(b'"id"', b'"ix"')] + lines[6:])
    with pytest.raises(komuz.InputError, match="log.jsonl:6: .*damaged.*; cut the log before it"):
        komuz.Pool("cases.csv", score="squared", resume="log.jsonl")
    with pytest.raises(komuz.InputError, match="there is something in this file already"):
        komuz.Pool("cases.csv", score="squared", log="log.jsonl")
    with pytest.raises(komuz.InputError, match="the log is of another run: `score` was"):
        komuz.Pool("cases.csv", score="absolute", resume="log.jsonl")


def test_a_log_with_candidates_that_could_not_be_read(files):
    with open("candidates.jsonl", "a") as file:
        file.write('no JSON\n{"id": "last", "source": "pub fn f(x: f64, v: f64) -> f64 { x * v - x }"}\n')
    run_eval("--score", "squared", "--log", "one.jsonl")
    with komuz.Pool("cases.csv", score="squared", log="log.jsonl") as pool:
        list(pool.rank("candidates.jsonl"))
    with komuz.Pool("cases.csv", score="squared", resume="log.jsonl") as pool:
        [wrong] = [c for c in pool.candidates if c.status == "refused"]
        assert wrong.diagnostics[0].message.startswith("candidates.jsonl:2501:1: this line is no JSON object")
        assert len(pool) == 2502 and pool.best.score == 0.0
    assert bytes_of("log.jsonl") == bytes_of("one.jsonl")


def test_one_writes_a_log(files):
    with komuz.Pool("cases.csv", log="log.jsonl"):
        with pytest.raises(komuz.InputError, match="another run is writing this log"):
            komuz.Pool("cases.csv", resume="log.jsonl")
        begin = time.perf_counter()
        with pytest.raises(komuz.InputError, match="another run is writing this log"):
            komuz.Pool("cases.csv", resume="log.jsonl", wait=0.2)
        assert time.perf_counter() - begin >= 0.2
    komuz.Pool("cases.csv", resume="log.jsonl").close()


def test_logs_of_rank(files):
    run_eval("--score", "squared", "--log", "one.jsonl")
    ranking = komuz.rank(files, "cases.csv", score="squared", log="own.jsonl")
    assert bytes_of("own.jsonl") == bytes_of("one.jsonl")
    expected = komuz.rank(files, "cases.csv", score="squared").to_json()
    assert ranking.to_json() == expected
    with open("cut.jsonl", "wb") as cut:
        cut.write(bytes_of("one.jsonl")[:200_000])
    told = []
    ranking = komuz.rank(files, "cases.csv", score="squared", resume="cut.jsonl", wait=1, progress=lambda *d: told.append(d))
    assert ranking.to_json() == expected and bytes_of("cut.jsonl") == bytes_of("one.jsonl")
    with pytest.raises(komuz.OptionError, match="`resume` names the log: `log` is not needed"):
        komuz.rank(files, "cases.csv", log="a.jsonl", resume="a.jsonl")
    with pytest.raises(komuz.OptionError, match="`wait` is about a log"):
        komuz.rank(files, "cases.csv", wait=1)


def test_logs_of_search(files):
    text = "pub fn f(x: f64, v: f64) -> f64 { ?a(0.0..=4.0, steps: 9) * x * v + ?b(-4.0..=4.0, steps: 9) * x }"
    options = {"score": "squared", "generations": 4, "population": 20, "seed": 3}
    found = komuz.search(text, "cases.csv", log="own.jsonl", **options)
    whole = bytes_of("own.jsonl")
    with open("cut.jsonl", "wb") as cut:
        cut.write(whole[: len(whole) // 2])
    again = komuz.search(text, "cases.csv", resume="cut.jsonl", **options)
    assert bytes_of("cut.jsonl") == whole and again.to_json() == found.to_json()


def test_async():
    async def run():
        with komuz.Pool(X, Y, signature=SIGNATURE, score="squared") as pool:
            ids = [c.id async for c in pool.rank(["x", "x * x"])]
            rounds = [pool.rank([f"x + {k}.0", "x *"]) for k in range(3)]
            return ids, [[c.id async for c in one] for one in rounds], pool.best.id

    assert asyncio.run(run()) == (["1", "2"], [["3", "4"], ["5", "6"], ["7", "8"]], "2")


def test_candidates_come_as_they_are_known():
    def texts():
        yield from (f"x + {k}.0" for k in range(5000))
        seen.wait(10)
        yield "x * x"

    seen = threading.Event()
    with komuz.Pool(X, Y, signature=SIGNATURE, score="squared") as pool:
        found = []
        for candidate in pool.rank(texts()):
            found.append(candidate)
            seen.set()
        assert len(found) == 5001 and pool.best is not None


def test_a_round_that_nobody_looks_at_is_ranked():
    with komuz.Pool(X, Y, signature=SIGNATURE, score="squared") as pool:
        pool.rank(["x", "x * x"])
        for candidate in pool.rank(["x + 1.0", "x + 2.0", "x + 3.0"]):
            break
        assert pool.best.id == "2" and len(pool) == 5
    assert len(pool.ranking()) == 5


def test_threads_call_one_after_the_other():
    with komuz.Pool(X, Y, signature=SIGNATURE, score="squared") as pool:
        found = [None] * 4

        def run(k):
            found[k] = [c.source for n in range(20) for c in pool.rank([f"x * {k}.0 + {n}.0" for _ in range(5)])]
            pool.ranking()

        threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(pool) == 400
        for k, sources in enumerate(found):
            assert sources == [f"pub fn f(x: f64) -> f64 {{ x * {k}.0 + {n}.0 }}" for n in range(20) for _ in range(5)]


def test_a_generator_that_fails():
    def texts():
        yield "x"
        raise RuntimeError("no model")

    with komuz.Pool(X, Y, signature=SIGNATURE) as pool:
        with pytest.raises(RuntimeError, match="no model"):
            list(pool.rank(texts()))
        with pytest.raises(komuz.InputError, match="candidate 1 is a int"):
            list(pool.rank(["x + 1.0", 7]))
        assert [c.id for c in pool.rank(["x * x"])] == ["3"] and pool.best.id == "3"
        pool.rank(texts())  # nobody looks: the next call says it
        with pytest.raises(RuntimeError, match="no model"):
            pool.rank(["x"])
        assert len(list(pool.rank(["x"]))) == 1

        def nested():
            yield "x"
            pool.rank(["x"])

        with pytest.raises(komuz.InputError, match="the pool's own thread calls it"):
            list(pool.rank(nested()))


def test_ctrl_c_ends_a_pool(tmp_path):
    log = tmp_path / "log.jsonl"

    def texts():
        yield from (f"x * {k}.0" for k in range(2000))
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        yield from (LOOP % k for k in range(1_000_000))

    x = np.arange(4096.0)
    with pytest.warns(komuz.InterruptedWarning, match="the pool takes no more candidates"):
        with komuz.Pool(x, x, signature=SIGNATURE, score="squared", native="never", log=log) as pool:
            ranked = list(pool.rank(texts()))
            assert len(ranked) >= 1024 and pool.best.source.endswith("{ x * 1.0 }")
            assert not pool.ranking().complete
            with pytest.raises(komuz.InputError, match="the pool was interrupted.*resume="):
                pool.rank(["x"])
    with komuz.Pool(x, x, signature=SIGNATURE, score="squared", native="never", resume=log) as pool:
        assert len(pool) == len(ranked) and len(list(pool.rank(["x"]))) == 1


def test_an_exception_leaves_a_log_that_goes_on(files):
    with pytest.raises(RuntimeError):
        with komuz.Pool("cases.csv", log="log.jsonl") as pool:
            list(pool.rank(files[:10]))
            raise RuntimeError
    assert b'{"end": ' not in bytes_of("log.jsonl")
    with pytest.raises(komuz.InputError, match="the pool is closed, and takes no more candidates.*resume='log.jsonl'"):
        pool.rank(["x"])
    with komuz.Pool("cases.csv", resume="log.jsonl") as pool:
        assert len(pool) == 10
    assert b'{"end": ' in bytes_of("log.jsonl")


def test_a_pool_that_is_left_is_closed(files):
    pool = komuz.Pool("cases.csv", log="log.jsonl")
    list(pool.rank(files[:10]))
    del pool
    gc.collect()
    assert bytes_of("log.jsonl").count(b'{"end": ') == 1
    code = (
        "import komuz\npool = komuz.Pool('cases.csv', log='exit.jsonl')\n"
        "pool.rank('candidates.jsonl')\nprint('done')"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
    assert bytes_of("exit.jsonl").count(b'{"end": ') == 1 and bytes_of("exit.jsonl").count(b'\n{"id": ') == 2500


def test_a_fork_leaves_the_pool_alone(files):
    with komuz.Pool("cases.csv", log="log.jsonl") as pool:
        list(pool.rank(files[:10]))
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                pool.rank(["x"])
                os.write(write, b"no error")
            except komuz.ForkError as error:
                os.write(write, str(error).encode())
            del pool
            gc.collect()
            os.write(write, b", left")
            os._exit(0)
        os.waitpid(child, 0)
        said = os.read(read, 1000)
        assert b"get_context('spawn')" in said and said.endswith(b", left")
        assert len(list(pool.rank(files[10:20]))) == 10


def test_progress():
    told = []
    with komuz.Pool(X, Y, signature=SIGNATURE, progress=lambda *words: told.append(words)) as pool:
        list(pool.rank(["x", "x * x"]))
        list(pool.rank(["x + 1.0"]))
    assert told[-1] == (3, 3)


def test_bad_input(files):
    for options, text in [
        ({"shard": "1/2"}, "a pool is no part of a run"),
        ({"cut_off": True, "score": "squared"}, "`cut_off` depends on all candidates"),
        ({"scor": "squared"}, "scor"),
        ({"json": "x"}, "there is no option `json` here"),
    ]:
        with pytest.raises(komuz.OptionError, match=text):
            komuz.Pool("cases.csv", **options)
    with pytest.raises(komuz.InputError, match="cannot read no_cases.csv"):
        komuz.Pool("no_cases.csv")
    with komuz.Pool("cases.csv") as pool:
        with pytest.raises(komuz.InputError, match="a sketch is no batch"):
            pool.rank(komuz.Sketch("pub fn f(x: f64) -> f64 { ?[1.0, 2.0] * x }"))
        with pytest.raises(komuz.InputError, match="candidates are one text"):
            pool.rank("pub fn f(x: f64) -> f64 { x }")
        with pytest.raises(komuz.InputError, match="cannot read none.jsonl"):
            list(pool.rank("none.jsonl"))
        with pytest.raises(komuz.InputError, match="`of` has a int; give candidates"):
            pool.feedback(of=[1])
        for wrong in ("a", None, -1, 1.5, True):
            with pytest.raises(komuz.OptionError, match="`n` is .*; give a whole number"):
                pool.feedback(wrong)
        assert list(pool.rank([])) == [] and len(pool.ranking()) == 0
        with pytest.raises(komuz.InputError, match="no candidate ran"):
            pool.best


def test_feedback():
    batch = ["x * x + 1.0", "x + x", "2.0 * x", "y", "x + y", "z", "1.0 / (x - 1.0)", "x[0"]
    with komuz.Pool(X, Y, signature=SIGNATURE, score="squared") as pool:
        assert pool.feedback() == ""
        list(pool.rank(batch))
        text = pool.feedback(2, failed=1, common=1)
        assert text.startswith("# The best programs so far\n\n## 1: score ")
        best, rest = text.split("# Programs that failed\n\n")
        assert best.count("```komuz\n") == 2 and "2.0 * x" not in best  # which does what `x + x` does
        failed, common = rest.split("# What went wrong most often\n\n")
        assert failed.splitlines()[0] == "## 4: compile_error" and "there is no `y` here" in failed
        assert common.startswith("- 3 programs: K0201") and common.count("\n") == 1
        assert pool.feedback(2, failed=1, common=1) == text
        list(pool.rank(["x * x"]))
        later = pool.feedback()
        assert "# Programs that failed" not in later and "- 3 programs: K0201" in later
        assert "## 4: compile_error" in pool.feedback(of=pool.candidates[:4])
    assert pool.feedback() == later


def test_feedback_keeps_its_blocks():
    with komuz.Pool([(3, 6)], signature="fn(x: i64) -> i64") as pool:
        list(pool.rank([("two\nlines", "pub fn f(x: i64) -> i64 { 2 * x } // ```")]))
        assert "## two lines: score 1\n````komuz\n" in pool.feedback() and pool.feedback().endswith("\n````\n")


def test_threads_share_a_round():
    with komuz.Pool(X, Y, signature=SIGNATURE) as pool:
        shared, seen = pool.rank([f"x + {k}.0" for k in range(3000)]), []
        threads = [threading.Thread(target=lambda: seen.extend(c.id for c in shared)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(map(int, seen)) == list(range(1, 3001))


def test_slow_candidates_are_those_of_their_block_so_far():
    endless = "var k = x; while k > 0.0 limit 1000000000 { k += 1.0; } k"
    x = np.arange(1.0, 400.0)
    with komuz.Pool(x, x, signature=SIGNATURE, score="squared", candidate_budget=5000) as pool:
        ranked = [c.status for batch in (["x", endless], [endless + " ", "x * 2.0"]) for c in pool.rank(batch)]
    assert ranked == ["ok", "unscored", "unscored", "ok"]


def test_arrays_may_change_once_the_pool_is_there():
    X, y = np.array([[1.0], [2.0], [3.0]]), np.array([1.0, 2.0, 3.0])
    with komuz.Pool(X, y, signature="fn(x: f64) -> f64", score="squared") as pool:
        X[:], y[:] = 0.0, 7.0
        assert [c.score for c in pool.rank(["x"])] == [0.0]


def test_what_belongs_to_an_end_is_refused():
    for name in ("json", "best", "plot", "optimise", "unprotect"):
        with pytest.raises(komuz.OptionError, match=f"there is no option `{name}` here"):
            komuz.Pool([1.0], [1.0], signature="fn(x: f64) -> f64", **{name: "x"})


def test_a_round_that_asks_for_itself_is_an_error():
    with komuz.Pool([1.0], [1.0], signature="fn(x: f64) -> f64", score="squared") as pool:
        rounds = []

        def asks():
            yield "x"
            while not rounds:
                time.sleep(0.001)
            for _ in rounds[0]:
                pass

        rounds.append(pool.rank(asks()))
        with pytest.raises(komuz.InputError, match="the pool's own thread calls it"):
            list(rounds[0])
        assert [c.score for c in pool.rank(["x"])] == [0.0]


def test_looking_at_a_pool_that_another_thread_closes():
    for _ in range(20):
        pool = komuz.Pool([1.0], [1.0], signature="fn(x: f64) -> f64", score="squared")
        pool.rank(["x", "x + x"])
        seen = []

        def look():
            try:
                seen.append(len(pool.ranking()))
            except komuz.InputError as error:
                seen.append(str(error))

        threads = [threading.Thread(target=look) for _ in range(3)]
        for thread in threads:
            thread.start()
        pool.close()
        for thread in threads:
            thread.join()
        assert seen == [2, 2, 2]


def test_lists_may_change_behind_a_round():
    with komuz.Pool([1.0], [1.0], signature="fn(x: f64) -> f64", score="squared") as pool:
        batch = ["x"] * 5000
        candidates = pool.rank(batch)
        batch.clear()
        assert len(list(candidates)) == 5000


def endless():
    number = 0
    while True:
        number += 1
        yield f"x * {number}.0"


@pytest.mark.parametrize("way", ["close", "break", "collect"])
def test_a_generator_without_an_end_is_read_no_further(way):
    pool = komuz.Pool([1.0], [1.0], signature="fn(x: f64) -> f64", score="squared")
    candidates = pool.rank(endless())
    if way == "collect":
        del pool, candidates
        gc.collect()
        return
    assert next(candidates).score == 0.0
    if way == "break":
        with pool:
            for _ in pool.candidates:
                break
    else:
        pool.close()
    assert "closed" in repr(pool) and len(list(candidates)) == len(pool) - 1


def test_an_endless_generator_at_the_end_of_the_process():
    code = """
import itertools, komuz
pool = komuz.Pool([1.0], [1.0], signature="fn(x: f64) -> f64", score="squared")
candidates = pool.rank(f"x * {n}.0" for n in itertools.count())
print(next(candidates).id)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "1\n"


def test_texts_that_are_no_text():
    with komuz.Pool([1.0], [1.0], signature="fn(x: f64) -> f64", score="squared") as pool:
        assert [c.status for c in pool.rank(["x", "x\ud800", "x + x"])] == ["ok", "compile_error", "ok"]
