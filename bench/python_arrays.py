#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of large arrays, and of Ctrl-C, in the package of Python.

    PYTHONPATH=build/release/python bench/python_arrays.py [--tries N] [arrays|interrupts]

Arrays: komuz.rank of two programs on 10^6 rows of 10 columns, and komuz.fit on 200,000 rows of 5, each in a process of its own: the time of
the call, and by how much the memory of the process grew at most. Interrupts: from SIGINT to the ranking, at random moments of runs of several
kinds.
"""
import argparse
import os
import random
import subprocess
import sys
import time
import warnings

RANK = """
X = numpy.random.default_rng(0).normal(size=(1_000_000, 10))
y = X[:, 0] * X[:, 1]
signature = "fn(" + ", ".join(f"x{k}: f64" for k in range(10)) + ") -> f64"
def call():
    komuz.rank(["x0 * x1", "x0 + x1"], X, y, score="squared", signature=signature, native="never")
"""
FIT = """
X = numpy.random.default_rng(0).normal(size=(200_000, 5))
y = X[:, 0] * X[:, 1] + 1.0
def call():
    komuz.fit(X, y, generations=1, population=50, search_rows=500, operators="+ *")
"""
MEASURE = """
import resource, time
def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before, begin = memory(), time.perf_counter()
call()
print(f"{time.perf_counter() - begin:.2f} s, {memory() - before:.0f} MiB more")
"""


def arrays():
    for name, code in (("rank, 10^6 rows x 10", RANK), ("fit, 200,000 rows x 5", FIT)):
        code = "import numpy, komuz\n" + code + MEASURE
        said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        print(f"{name:24} {said.strip()}")


def kinds():
    import numpy as np

    import komuz

    x, z = np.random.default_rng(1).normal(size=(2, 256))
    many = np.random.default_rng(2).normal(size=(2, 400_000))
    texts = [f"x * {k}.5 + z * {k % 97}.25" for k in range(100_000)]
    signature = "fn(x: f64, z: f64) -> f64"
    sketch = komuz.Sketch(
        "pub fn f(x: f64, z: f64) -> f64 { ?a(0.0..=9.0, steps: 2000) * x + ?b(0.0..=9.0, steps: 2000) * z }"
    )
    options = {"score": "squared"}
    small = {"x": x, "z": z}
    return {
        "texts": lambda: komuz.rank(texts, small, x, signature=signature, **options),
        "a generator": lambda: komuz.rank((text for text in texts), small, x, signature=signature, **options),
        "a sketch": lambda: komuz.rank(sketch, small, x, **options),
        "a search": lambda: komuz.search(sketch, small, x, generations=100_000, **options),
        "400,000 rows": lambda: komuz.rank(texts, {"x": many[0], "z": many[1]}, many[0], signature=signature, **options),
    }


def interrupt_after(seconds):
    """A process that sends SIGINT, and writes when."""
    code = f"""
import os, signal, time
time.sleep({seconds})
sent = time.perf_counter()
os.kill({os.getpid()}, signal.SIGINT)
print(sent)
"""
    return subprocess.Popen([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, text=True)


def interrupts(tries):
    drawn = random.Random(1)
    warnings.simplefilter("ignore")
    for name, run in kinds().items():
        took = []
        while len(took) < tries:
            sender = interrupt_after(0.1 + 0.5 * drawn.random())
            try:
                ranking = run()
                ended = time.perf_counter()
                sent = float(sender.communicate()[0])
            except KeyboardInterrupt:  # the run had ended before
                sender.wait()
                continue
            if not ranking.complete:
                took.append((ended - sent) * 1e3)
        took.sort()
        print(f"Ctrl-C, {name:16} median {took[len(took) // 2]:5.1f} ms, most {took[-1]:5.1f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=["arrays", "interrupts"])
    parser.add_argument("--tries", type=int, default=10)
    given = parser.parse_args()
    if "arrays" in given.what:
        arrays()
    if "interrupts" in given.what:
        interrupts(given.tries)
