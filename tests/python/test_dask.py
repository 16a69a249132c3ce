# SPDX-License-Identifier: Apache-2.0
"""Runs in parts on a cluster of Dask: the bytes of one machine, also where workers die."""
import contextlib
import os
import signal
import time

import distributed
import numpy as np
import pytest

import komuz
from conftest import ROOT

SIGNATURE = "fn(x: f64, y: f64) -> f64"
REGRESSION = "examples/regression"
SLOW = "pub fn f(x: f64, y: f64) -> f64 { var s = 0.0; var k = 0; while k < 20000 { s += x; k += 1; } s + %d.0 }"
SKETCH = "pub fn f(x: f64, y: f64) -> f64 { ?a(0.0..64.0, steps: 64) + ?b(0.0..64.0, steps: 64) * ?[x, y, x * y] }"


@contextlib.contextmanager
def cluster_of(workers):
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def client():
    before = os.getcwd()
    os.chdir(ROOT)  # where workers look for paths
    try:
        with cluster_of(2) as client:
            yield client
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def table():
    X = np.random.default_rng(1).uniform(-2, 2, size=(50, 2))
    return X, 2 * X[:, 0] + X[:, 1]


def texts(count=5000):
    shapes = ("x * {0}.0 + y", "x + {0}.0 * y", "x / (y - {0}.0)", "x * {0}.0 +", "{0}.0 * x + y", "sqrt(x) * {0}.0")
    return [shapes[k % 6].format(k // 7 % 60) for k in range(count)]


def test_texts_have_the_bytes_of_one_machine(client, table):
    plain = komuz.rank(texts(), *table, signature=SIGNATURE, score="squared")
    for shards in (None, 1, 3, 5, 40):
        parts = komuz.rank(texts(), *table, signature=SIGNATURE, score="squared", client=client, shards=shards)
        assert parts.to_json() == plain.to_json(), shards
        assert parts.complete and len(parts) == 5000
    named = [(f"n{k}", text) for k, text in enumerate(texts(3000))]
    options = dict(signature=SIGNATURE, score="absolute", case_scores=True, fix=True)
    plain = komuz.rank(named, *table, **options)
    parts = komuz.rank(iter(named), *table, **options, client=client, shards=3)
    assert parts.to_json() == plain.to_json()
    for at in (0, 1, 700, 2999):
        one, other = parts.rows[at], plain.rows[at]
        assert (one.id, one.row, one.source, one.failures) == (other.id, other.row, other.source, other.failures)
        assert one.diagnostics == other.diagnostics
        assert list(one.case_scores() or []) == list(other.case_scores() or [])
    assert parts.best.predict(table[0][:3]) == pytest.approx(plain.best.predict(table[0][:3]))
    assert parts.to_pandas().equals(plain.to_pandas())
    assert str(parts) == str(plain) and parts._repr_html_() == plain._repr_html_()


def test_paths_sketches_pairs_and_harnesses(client, at_root, table):
    cases = f"{REGRESSION}/cases.csv"
    paths = (f"{REGRESSION}/candidates.jsonl", cases)
    for call, options in (
        (paths, dict(score="squared")),
        ((komuz.Sketch(SKETCH), *table), dict(score="squared")),
        ((komuz.Sketch(SKETCH), *table), dict(score="squared", samples=3000, seed=4, programs=3)),
        ((["a + b", "a * b", "a"] * 500, [((2, 3), 5), ((4, 5), 9)]), dict(signature="fn(a: i64, b: i64) -> i64")),
    ):
        plain = komuz.rank(*call, **options).to_json()
        assert komuz.rank(*call, **options, client=client, shards=3).to_json() == plain


def test_harness(client, tmp_path):
    harness = tmp_path / "harness.komuz"
    harness.write_text(
        "pub fn choose(a: f64, b: f64) -> f64;\n"
        "pub fn score(a: f64, b: f64) -> f64 { -abs(choose(a, b) - 3.0 * a) }\n"
    )
    texts = [f"pub fn choose(a: f64, b: f64) -> f64 {{ a + {k % 700}.0 * sqrt(b - 3.5) }}" for k in range(2100)]
    cases = tmp_path / "cases.csv"
    cases.write_text("a,b\n1,4\n2,5\n3,6\n4,3\n")
    call = (texts, cases)
    plain = komuz.rank(*call, harness=harness)
    assert komuz.rank(*call, harness=harness, client=client, shards=2).to_json() == plain.to_json()


def test_progress_and_how_threads_are_shared(client, table):
    told = []
    komuz.rank(
        texts(3000), *table, signature=SIGNATURE, client=client, threads=2, progress=lambda done, total: told.append((done, total))
    )
    assert told[-1] == (3000, 3000) and [done for done, _ in told] == sorted(done for done, _ in told)
    with pytest.raises(ZeroDivisionError):
        komuz.rank(texts(3000), *table, signature=SIGNATURE, client=client, progress=lambda done, total: 1 / 0)


def test_a_killed_worker_loses_its_task_alone(client, table):
    slow = [SLOW % (k % 800) for k in range(6 * 1024)]
    options = dict(signature=SIGNATURE, score="squared", native="never", fuel=10**6)
    X, y = table[0][:4], table[1][:4]
    plain = komuz.rank(slow, X, y, **options).to_json()
    client.wait_for_workers(2, timeout=60)
    victim = sorted(client.run(os.getpid).values())[0]
    killed = []

    def kill(done, total):
        if not killed:
            os.kill(victim, signal.SIGKILL)
            killed.append(done)

    parts = komuz.rank(slow, X, y, **options, client=client, shards=6, progress=kill)
    assert killed and killed[0] < 6 * 1024 and parts.to_json() == plain


def test_a_folder_keeps_logs(client, table, tmp_path):
    options = dict(signature=SIGNATURE, score="squared", client=client, folder=tmp_path / "logs")
    plain = komuz.rank(texts(), *table, signature=SIGNATURE, score="squared").to_json()
    assert komuz.rank(texts(), *table, **options, shards=4).to_json() == plain
    logs = sorted((tmp_path / "logs").iterdir())
    assert [log.name for log in logs] == [f"shard-{k}-of-4.jsonl" for k in range(1, 5)]
    whole = [log.read_bytes() for log in logs]
    logs[1].write_bytes(whole[1][: len(whole[1]) // 2])  # its worker was killed
    os.remove(logs[2])
    assert komuz.rank(texts(), *table, **options).to_json() == plain  # as many parts as are there
    assert [log.read_bytes() for log in logs] == whole
    with pytest.raises(komuz.InputError, match="another run"):
        komuz.rank(texts(), *table, **{**options, "score": "absolute"})


def test_ctrl_c_cancels_what_is_left(client, table):
    slow = [SLOW % k for k in range(40 * 1024)]

    def interrupt(done, total):
        if len(sent) == 0:
            sent.append(done)
            os.kill(os.getpid(), signal.SIGINT)

    sent = []
    with pytest.warns(komuz.InterruptedWarning, match="that had come"):
        ranking = komuz.rank(
            slow, table[0][:4], table[1][:4], signature=SIGNATURE, score="squared", native="never", fuel=10**6,
            client=client, shards=40, progress=interrupt,
        )
    assert not ranking.complete and len(ranking) % 1024 == 0 and 0 < len(ranking) < 40 * 1024
    while any(client.processing().values()):  # the test's own limit ends it if they never do
        time.sleep(0.05)


def test_the_best_program_of_parts(client, table):
    ranking = komuz.rank(["x", "x * y", "x + y"], *table, signature=SIGNATURE, score="squared", client=client)
    assert ranking.best_program == komuz.rank(["x", "x * y", "x + y"], *table, signature=SIGNATURE, score="squared").best_program


def test_what_does_not_go_with_a_client(client, table):
    with pytest.raises(komuz.OptionError, match="`held_out` does not go with `client`"):
        komuz.rank(["x"], *table, signature=SIGNATURE, held_out=table, client=client)
    with pytest.raises(komuz.OptionError, match="`cut_off` does not go with `client`"):
        komuz.rank(["x"], *table, signature=SIGNATURE, cut_off=True, score="squared", client=client)
    with pytest.raises(komuz.OptionError, match="`log` does not go with `client`"):
        komuz.rank(["x"], *table, signature=SIGNATURE, log="log.jsonl", client=client)
    with pytest.raises(komuz.OptionError, match="`shards` is for runs on a cluster"):
        komuz.rank(["x"], *table, signature=SIGNATURE, shards=3)
    with pytest.raises(komuz.OptionError, match="`shards` is 5000"):
        komuz.rank(["x"], *table, signature=SIGNATURE, shards=5000, client=client)
    with pytest.raises(komuz.OptionError, match="`client` is a str"):
        komuz.rank(["x"], *table, signature=SIGNATURE, client="tcp://localhost:1")
    with pytest.raises(komuz.InputError, match="no such file|cannot read"):
        komuz.rank(["x"], "no_such.csv", signature=SIGNATURE, client=client)
    with pytest.raises(komuz.InputError, match="there are no candidates"):
        komuz.rank([], *table, signature=SIGNATURE, client=client)
    with pytest.raises(komuz.InputError) as error:
        komuz.rank("no_such.jsonl", *table, client=client)
    assert "no_such.jsonl" in str(error.value)


def ends_its_worker(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_parts_that_kill_their_workers_are_given_up(table, monkeypatch):
    from komuz import _cluster

    monkeypatch.setattr(_cluster, "run_part", ends_its_worker)
    with cluster_of(1) as client, pytest.raises(komuz.ClusterError, match="part 1/1 has ended four workers"):
        komuz.rank(["x"], *table, signature=SIGNATURE, client=client)


def test_a_cluster_without_workers_is_an_error(table, monkeypatch):
    from komuz import _cluster

    monkeypatch.setattr(_cluster, "_PATIENCE", 0.5)
    with cluster_of(0) as client, pytest.raises(komuz.ClusterError, match="all workers of the local cluster"):
        komuz.rank(["x"], *table, signature=SIGNATURE, client=client)
