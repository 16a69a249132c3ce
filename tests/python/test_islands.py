# SPDX-License-Identifier: Apache-2.0
"""Islands: searches that exchange their best, the same in this process and on any cluster."""
import contextlib
import os
import signal
import time

import numpy as np
import pytest

import komuz

FORMULA = (
    "pub fn f(x: f64, y: f64) -> f64 { ?e(x, y) }\n"
    "space e(x: f64, y: f64) -> f64 depth 4 { x, y, ?(0.0..=4.0, steps: 9), e + e, e * e, e - e, ?[e, -e] }\n"
)
ISLANDS = dict(score="squared", islands=3, generations=13, population=60, migrate_every=4, migrants=3, seed=5)


@pytest.fixture(scope="module")
def table():
    X = np.random.default_rng(2).uniform(-2, 2, size=(40, 2))
    return X, 1.5 * X[:, 0] * X[:, 1] - X[:, 0] + 2.5


@pytest.fixture(scope="module")
def plain(table):
    return komuz.search(FORMULA, *table, **ISLANDS)


def test_all_variants_are_in_one_ranking(plain, table):
    assert plain.complete and len(plain) == 3 * 13 * 60
    assert komuz.search(FORMULA, *table, **ISLANDS, threads=1).to_json() == plain.to_json()
    best = plain.best
    assert best.predict(table[0]) == pytest.approx(komuz.compile(best.source)(table[0]))
    assert plain.rows[0].source == best.source and plain.rows[5].id.startswith("#")


def test_one_island_is_the_usual_search(table):
    options = dict(score="squared", generations=7, population=50, seed=3)
    alone = komuz.search(FORMULA, *table, **options)
    assert komuz.search(FORMULA, *table, **options, islands=1).to_json() == alone.to_json()


def test_who_migrates_matters(plain, table):
    for other in (dict(migrants=0), dict(migrate_every=5), dict(islands=2), dict(seed=6)):
        assert komuz.search(FORMULA, *table, **{**ISLANDS, **other}).to_json() != plain.to_json()


def test_the_best_reach_all_islands(table):
    # By the fourth exchange the best of four islands has come around.
    found = komuz.search(FORMULA, *table, **{**ISLANDS, "islands": 4, "generations": 30, "migrate_every": 3, "migrants": 2})
    best = found.best
    copies = [row for row in found.rows if row.row["duplicate_of"] == best.id]
    assert len(copies) >= 3


def test_a_target_ends_all(table):
    X, _ = table
    options = dict(score="squared", islands=3, generations=400, population=60, migrate_every=2, seed=1, target=0.0)
    found = komuz.search("pub fn f(x: f64, y: f64) -> f64 { ?a(0.0..=64.0, steps: 65) * x + ?b(0.0..=64.0, steps: 65) * y + ?c(0.0..=64.0, steps: 65) }", X, 3 * X[:, 0] + 7 * X[:, 1] + 11, **options)
    assert found.complete and found.best.score == 0 and len(found) < 3 * 400 * 60


def test_few_variants_are_all_tried(table):
    found = komuz.search("pub fn f(x: f64, y: f64) -> f64 { ?[x, y, x * y] }", *table, score="squared", islands=2)
    assert found.complete and len(found) == 6 and found.rows[1].row["duplicate_of"] is not None


@pytest.mark.parametrize("method", ["lexicase", "local", "random"])
def test_methods(method, table):
    options = {**ISLANDS, "method": method}
    assert komuz.search(FORMULA, *table, **options).to_json() == komuz.search(FORMULA, *table, **options).to_json()


def interrupt(done, total):
    """Ctrl-C, once there are candidates."""
    if done > 0:
        os.kill(os.getpid(), signal.SIGINT)


def test_progress_and_ctrl_c(table):
    told = []
    komuz.search(FORMULA, *table, **ISLANDS, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3 * 13 * 60, 3 * 13 * 60)
    with pytest.warns(komuz.InterruptedWarning):
        found = komuz.search(FORMULA, *table, **{**ISLANDS, "generations": 10**6}, progress=interrupt)
    assert not found.complete and 0 < len(found) < 10**6 and found.best.score is not None


def test_bad_options(table):
    for bad, message in (
        (dict(islands=0), "`islands` is 0"),
        (dict(migrate_every=0), "`migrate_every` is 0"),
        (dict(migrants=60), "`migrants` is 60, and a generation has 60 variants"),
        (dict(time=3), "islands end by `generations`"),
        (dict(log="log.jsonl"), "`log` does not go with `islands`"),
        (dict(split=0.2), "`split` does not go with `islands`"),
    ):
        with pytest.raises(komuz.OptionError, match=message):
            komuz.search(FORMULA, *table, **{**ISLANDS, **bad})


@contextlib.contextmanager
def cluster_of(workers, threads=1):
    distributed = pytest.importorskip("distributed", reason="python3-distributed is not installed (scripts/setup --test)")
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=threads, processes=True, dashboard_address=":0"
    ) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def client():
    with cluster_of(2) as client:
        yield client


def test_workers_find_the_same(client, plain, table):
    assert komuz.search(FORMULA, *table, **ISLANDS, client=client).to_json() == plain.to_json()
    with cluster_of(1, threads=2) as one:
        assert komuz.search(FORMULA, *table, **ISLANDS, client=one).to_json() == plain.to_json()


@pytest.mark.parametrize("method", ["evolve", "lexicase"])
def test_a_killed_worker_changes_nothing(client, table, method):
    options = {**ISLANDS, "generations": 40, "method": method}
    plain = komuz.search(FORMULA, *table, **options).to_json()
    client.wait_for_workers(2, timeout=60)
    victims = sorted(client.run(os.getpid).values())

    def kill(done, total):
        if done > total / 3 and len(victims) == 2:
            os.kill(victims.pop(), signal.SIGKILL)

    assert komuz.search(FORMULA, *table, **options, client=client, progress=kill).to_json() == plain
    assert len(victims) == 1


def test_ctrl_c_on_a_cluster(client, table):
    options = {**ISLANDS, "generations": 10**6, "migrate_every": 10}
    with pytest.warns(komuz.InterruptedWarning):
        found = komuz.search(FORMULA, *table, **options, client=client, progress=interrupt)
    assert not found.complete and len(found) > 0
    while any(client.processing().values()):  # the test's own limit ends it if they never do
        time.sleep(0.05)


def test_the_best_of_islands_can_be_written(table, tmp_path):
    found = komuz.search(FORMULA, *table, **{**ISLANDS, "generations": 3}, best=tmp_path / "best.py")
    assert "def f(" in (tmp_path / "best.py").read_text() and found.best_program.startswith("pub fn f(")
