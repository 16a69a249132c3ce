#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of runs on Dask (docs/cluster.md): islands on workers beside processes that are started by hand, and what Dask takes of a
run of many parts. Workers are processes of this machine with one thread each; to start them is not counted.

    PYTHONPATH=build/release/python bench/dask_bench.py [--workers N] [--rounds N] [--shard-seconds S] [--cases N] [PART…]

PART: islands, shards, tasks, scaling; by default all. Needs python3-distributed (scripts/setup --test).
"""
import argparse
import multiprocessing
import os
import sys
import time

import distributed
import numpy as np

import komuz

SIGNATURE = "fn(x: f64) -> f64"
# A loop of so many steps; candidates differ by a number.
LOOP = "pub fn f(x: f64) -> f64 {{ var s = x; var k = 0; while k < {steps} {{ s = s * 0.999 + x; k += 1; }} s + {number}.0 }}"
FORMULA = """pub fn f(x: f64, y: f64) -> f64 { ?e(x, y) }
space e(x: f64, y: f64) -> f64 depth 5 { x, y, ?(0.0..=4.0, steps: 33), e + e, e * e, e - e, sin(e), ?[e, -e] }
"""
BLOCK = 1024


def cluster_of(workers):
    return distributed.LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0")


def search_table(cases):
    X = np.random.default_rng(3).uniform(-2, 2, size=(cases, 2))
    return X, np.sin(X[:, 0]) * X[:, 1] + 1.5 * X[:, 0]


def search_options(seconds, cases):
    # About so many seconds of one thread for each island.
    generations = int(seconds * 12 * 1000 / cases)
    return dict(score="squared", population=1000, generations=max(20, generations), threads=1, seed=7)


def search_alone(options, cases, seed, begin, out):
    komuz.compile("x", signature=SIGNATURE)  # what a process does once
    begin.wait()
    found = komuz.search(FORMULA, *search_table(cases), **{**options, "seed": seed})
    out.put(len(found))


def by_hand(workers, options, cases):
    """Processes that know nothing of each other: seconds, and variants."""
    context = multiprocessing.get_context("spawn")
    begin, out = context.Barrier(workers + 1), context.Queue()
    processes = [context.Process(target=search_alone, args=(options, cases, 100 + k, begin, out)) for k in range(workers)]
    for process in processes:
        process.start()
    begin.wait()
    start = time.perf_counter()
    variants = sum(out.get() for _ in processes)
    took = time.perf_counter() - start
    for process in processes:
        process.join()
    return took, variants


def islands(workers, rounds, seconds, cases):
    options = search_options(10 * seconds, cases)
    table = search_table(cases)
    with cluster_of(workers) as cluster, distributed.Client(cluster) as client:
        def on_dask():
            start = time.perf_counter()
            found = komuz.search(FORMULA, *table, **options, islands=workers, migrate_every=10, migrants=5, client=client)
            return time.perf_counter() - start, len(found)

        on_dask()  # imports
        shares = []
        for _ in range(rounds):
            hand, dask = by_hand(workers, options, cases), on_dask()
            rates = [variants / took for took, variants in (hand, dask)]
            shares.append(rates[1] / rates[0])
            print(
                f"islands  {workers} workers, {cases:,} cases: {rates[1]:,.0f} variants/s on Dask in {dask[0]:.2f} s, "
                f"{rates[0]:,.0f} by hand in {hand[0]:.2f} s: {shares[-1]:.3f}",
                flush=True,
            )
        print(f"islands  median share {np.median(shares):.3f}")


def steps_for(seconds):
    """Steps of the loop, so that a block of candidates takes so long on one thread."""
    steps, x = 2000, np.arange(4.0)
    while True:
        texts = [LOOP.format(steps=steps, number=k) for k in range(BLOCK)]
        start = time.perf_counter()
        komuz.rank(texts, x, x, signature=SIGNATURE, score="squared", threads=1, native="never", tier="traditional", fuel=10**9)
        took = time.perf_counter() - start
        if took > 0.5 * seconds or steps > 10**7:
            return max(1, int(steps * seconds / took))
        steps *= 2


def parts(count, seconds):
    steps = steps_for(seconds)
    return [LOOP.format(steps=steps, number=k) for k in range(count * BLOCK)]


RUN = dict(signature=SIGNATURE, score="squared", native="never", tier="traditional", fuel=10**9)


def run_by_hand(sent, mine, of, begin, out):
    from komuz import _komuz
    from komuz._session import session
    import tempfile

    begin.wait()
    with tempfile.TemporaryDirectory() as folder:
        for part in mine:
            words = sent.words + ["--threads=1", "--shard", f"{part}/{of}", "--log", os.path.join(folder, f"{part}")]
            _komuz.rank(session(), False, words, iter(sent.texts), len(sent.texts), None, sent.cases, None, None)
    out.put(len(mine))


def shards(workers, rounds, seconds, count=100):
    """The same parts as tasks, and by processes that take them in turn."""
    from komuz._cases import read_cases
    from komuz._given import Sent

    texts = parts(count, seconds)
    x = np.arange(4.0)
    given = read_cases(x, x, None, False, None)
    words = ["candidates", "--json", "report"] + [f"--{name}={value}" for name, value in RUN.items() if name != "signature"]
    words += [f"--signature={SIGNATURE}", "--cases", given.name] + given.words
    sent = Sent(words, [(str(k + 1), text) for k, text in enumerate(texts)], None, (given.name, given.table.csv_text()))
    with cluster_of(workers) as cluster, distributed.Client(cluster) as client:
        komuz.rank(texts[:BLOCK], x, x, **RUN, client=client, shards=1)  # imports
        for _ in range(rounds):
            context = multiprocessing.get_context("spawn")
            begin, out = context.Barrier(workers + 1), context.Queue()
            processes = [
                context.Process(target=run_by_hand, args=(sent, range(k + 1, count + 1, workers), count, begin, out))
                for k in range(workers)
            ]
            for process in processes:
                process.start()
            begin.wait()
            start = time.perf_counter()
            for _ in processes:
                out.get()
            hand = time.perf_counter() - start
            for process in processes:
                process.join()
            start = time.perf_counter()
            komuz.rank(texts, x, x, **RUN, client=client, shards=count, threads=1)
            dask = time.perf_counter() - start
            print(
                f"shards   {count} of {seconds} s on {workers} workers: {dask:.2f} s on Dask, {hand:.2f} s by hand: "
                f"Dask's part {100 * (dask - hand) / dask:.1f} %",
                flush=True,
            )


def tasks(workers, rounds):
    """How many parts without work go through in a second, beside a run of the same in this process."""
    x = np.arange(4.0)
    with cluster_of(workers) as cluster, distributed.Client(cluster) as client:
        for count in (10, 100, 400):
            used = time.process_time(), sum(client.run(time.process_time).values())
            texts = [LOOP.format(steps=1, number=k) for k in range(BLOCK)]
            took, here = [], []
            for _ in range(rounds + 1):
                start = time.perf_counter()
                komuz.rank(texts, x, x, **RUN, client=client, shards=count)
                took.append(time.perf_counter() - start)
                start = time.perf_counter()
                komuz.rank(texts, x, x, **RUN)
                here.append(time.perf_counter() - start)
            best, local = min(took[1:]), min(here[1:])
            rounds_of_all = count * (rounds + 1)
            mine = (time.process_time() - used[0]) / rounds_of_all
            theirs = (sum(client.run(time.process_time).values()) - used[1]) / rounds_of_all
            print(
                f"tasks    {count} parts: {best:.3f} s, {count / best:,.0f} a second; in this process {local:.3f} s; processor time of a part "
                f"{1e3 * mine:.1f} ms of client and scheduler, {1e3 * theirs:.1f} ms of workers",
                flush=True,
            )


def scaling(rounds, seconds):
    texts = parts(40, seconds)
    x = np.arange(4.0)
    for workers in (1, 2):
        with cluster_of(workers) as cluster, distributed.Client(cluster) as client:
            komuz.rank(texts[:BLOCK], x, x, **RUN, client=client, shards=1)
            took = []
            for _ in range(rounds):
                start = time.perf_counter()
                komuz.rank(texts, x, x, **RUN, client=client, shards=40)
                took.append(time.perf_counter() - start)
            print(f"scaling  {workers} workers: {min(took):.2f} s for 40 parts of {seconds} s", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--shard-seconds", type=float, default=1.0)
    options.add_argument("--cases", type=int, default=10_000, help="of the search on islands")
    options.add_argument("parts", nargs="*", default=["islands", "shards", "tasks", "scaling"])
    asked = options.parse_args()
    for part in asked.parts:
        if part == "islands":
            islands(asked.workers, asked.rounds, asked.shard_seconds, asked.cases)
        elif part == "shards":
            shards(asked.workers, asked.rounds, asked.shard_seconds)
        elif part == "tasks":
            tasks(asked.workers, asked.rounds)
        elif part == "scaling":
            scaling(asked.rounds, asked.shard_seconds)
        else:
            sys.exit(f"there is no part `{part}`")


if __name__ == "__main__":
    main()
