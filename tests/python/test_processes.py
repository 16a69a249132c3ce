# SPDX-License-Identifier: Apache-2.0
"""Interrupts, threads and other processes."""
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import komuz

SIGNATURE = "fn(x: f64) -> f64"
LOOP = "pub fn f(x: f64) -> f64 { var s = 0.0; var k = 0; while k < 900000 { s += x; k += 1; } s + %d.0 }"


def run_python(code, **more):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, **more)


def test_importing_is_quick_and_imports_no_packages():
    code = (
        "import time, sys; t = time.process_time(); import komuz; t = time.process_time() - t\n"
        "print(t * 1000, sorted({'numpy', 'pandas', 'ctypes', 'json'} & set(sys.modules)))"
    )
    best = min(float(run_python(code).stdout.split()[0]) for _ in range(5))
    assert best < 50
    assert run_python(code).stdout.split(maxsplit=1)[1].strip() == "[]"


def test_ctrl_c_ends_a_run_with_the_ranking_so_far():
    sent = []

    def texts():  # many that are quick, then some that take long
        yield from (f"x * {k}.0" for k in range(5000))
        sent.append(None)
        threading.Timer(0.3, interrupt).start()
        yield from (LOOP % k for k in range(1_000_000))

    def interrupt():
        sent[0] = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.warns(komuz.InterruptedWarning, match="interrupted"):
        ranking = komuz.rank(texts(), np.arange(4096.0), np.arange(4096.0), signature=SIGNATURE, native="never", score="squared")
    took = time.perf_counter() - sent[0]
    assert not ranking.complete and len(ranking) >= 4096 and ranking.best.source.endswith("{ x * 1.0 }")
    assert took < 0.5, took  # a few milliseconds, where others do not use the processors


@pytest.fixture
def noticed():
    """An event that is set when Python has seen SIGINT; Komuz has then, too, as it holds the interpreter's lock."""
    event = threading.Event()

    def handler(*_):
        event.set()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    yield event
    signal.signal(signal.SIGINT, before)


def interrupt_and_wait(noticed):
    os.kill(os.getpid(), signal.SIGINT)
    assert noticed.wait(30)
    time.sleep(0.001)  # lets go of the lock, if the handler has not come to its end


# The engine reads 1,024 candidates at a time, and that many programs are one epoch.
FEW = 100


def test_no_more_candidates_are_read_behind_a_signal(noticed):
    read_behind = []

    def texts():
        yield from (f"x * {k}.0" for k in range(1500))
        interrupt_and_wait(noticed)
        for k in range(100_000):
            read_behind.append(k)
            yield f"x + {k}.0"

    with pytest.warns(komuz.InterruptedWarning):
        ranking = komuz.rank(texts(), np.arange(16.0), np.arange(16.0), signature=SIGNATURE, score="squared")
    assert len(ranking) <= 1500 and not ranking.complete
    assert len(read_behind) < FEW


@pytest.mark.parametrize("what", ["texts", "sketch", "search"])
def test_no_more_candidates_are_run_behind_a_signal(what, noticed):
    done_then = []

    def progress(done, total):
        if not done_then:
            done_then.append(done)
            interrupt_and_wait(noticed)

    x = np.arange(64.0)
    sketch = komuz.Sketch("pub fn f(x: f64) -> f64 { ?a(0.0..=9.0, steps: 1000) * x + ?b(0.0..=9.0, steps: 1000) }")
    options = {"score": "squared", "threads": 1, "progress": progress, "native": "never"}
    with pytest.warns(komuz.InterruptedWarning):
        if what == "texts":
            texts = [f"x * {k}.5" for k in range(200_000)]
            ranking = komuz.rank(texts, x, x, signature=SIGNATURE, **options)
        elif what == "sketch":
            ranking = komuz.rank(sketch, x, x, **options)
        else:
            ranking = komuz.search(sketch, x, x, generations=100_000, **options)
    assert not ranking.complete and len(ranking) < done_then[0] + FEW


def test_ctrl_c_ends_a_function():
    f = komuz.compile(LOOP % 1)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        f(np.arange(1e6), fuel=10**9)
    assert time.perf_counter() - begin < 2


def test_other_threads_go_on_while_the_engine_works():
    ticks = []
    ended = threading.Event()

    def tick():
        while not ended.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    komuz.rank([LOOP % k for k in range(300)], np.arange(8.0), np.arange(8.0), signature=SIGNATURE, threads=1)
    ended.set()
    thread.join()
    assert len(ticks) > 20


def test_threads_may_call_at_once():
    texts = [f"x * {k}.0" for k in range(200)]
    x = np.arange(50.0)
    expected = komuz.rank(texts, x, 3 * x, signature=SIGNATURE).to_json()
    found = [None] * 4

    def run(k):
        found[k] = komuz.rank(texts, x, 3 * x, signature=SIGNATURE).to_json()

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_a_fork_says_what_to_do():
    komuz.compile("x", signature=SIGNATURE)(1.0)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            komuz.rank(["x"], [(1.0, 1.0)], signature=SIGNATURE)
            os.write(write, b"no error")
        except komuz.ForkError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert b"get_context('spawn')" in os.read(read, 1000)


def best_of(texts):
    return komuz.rank(texts, [(1.0, 2.0)], signature=SIGNATURE).best.id


def test_spawned_workers():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(best_of, [["x", "x + x"], ["2.0 * x", "x"]]) == ["2", "1"]


def test_only_the_entry_is_exported():
    [module] = [path for path in os.listdir(os.path.dirname(komuz.__file__)) if path.startswith("_komuz.c")]
    path = os.path.join(os.path.dirname(komuz.__file__), module)
    said = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    assert [line.split()[-1] for line in said.splitlines()] == ["PyInit__komuz"]


def test_a_process_ends_in_good_order():
    code = "import komuz\nkomuz.rank(['x'], [(1.0, 1.0)], signature='fn(x: f64) -> f64')\nprint('done')"
    ended = run_python(code)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")


AT_THE_END = """
import threading, time
import numpy as np
import komuz

x = np.arange(3.0)
LOOP = "pub fn f(x: f64) -> f64 { var s = 0.0; for k in 0..900000 { s += x * f64(k); } s }"
began = threading.Event()

def endless():
    while True:
        began.set()
        yield "x"

def slow():
    began.set()
    time.sleep(60)
    yield "x"

def told(*_):
    began.set()

calls = {
    "rank": lambda: komuz.rank(endless(), x, x, signature="fn(x: f64) -> f64"),
    "list": lambda: komuz.rank([LOOP] * 10**6, x, x, fuel=10**9, progress=told, native="never"),
    "slow": lambda: komuz.rank(slow(), x, x, signature="fn(x: f64) -> f64"),
    "fit": lambda: komuz.fit(np.random.default_rng(1).normal(size=(500, 3)), np.random.default_rng(2).normal(size=500), progress=told),
    "function": lambda: (began.set(), [komuz.compile(LOOP)(np.ones(1000), fuel=10**9) for _ in range(100)]),
    "small": lambda: (began.set(), [komuz.compile("x", signature="fn(x: f64) -> f64")(x) for _ in range(10**6)]),
}
threading.Thread(target=calls[NAME], daemon=True).start()
began.wait(30)
time.sleep(0.05)
"""


@pytest.mark.parametrize("name", ["rank", "list", "slow", "fit", "function", "small"])
def test_a_process_ends_while_other_threads_are_in_a_call(name):
    begin = time.perf_counter()
    done = run_python(AT_THE_END.replace("NAME", repr(name)))
    assert (done.returncode, done.stderr) == (0, "")
    assert time.perf_counter() - begin < 30


def test_other_threads_go_on_while_a_function_runs_long():
    f = komuz.compile("pub fn f(x: f64) -> f64 { var s = 0.0; for k in 0..300000 { s += sin(x + f64(k)); } s }")
    ticks, has_ended = [], threading.Event()

    def tick():
        while not has_ended.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    f(np.ones(200))
    end = time.perf_counter()
    has_ended.set()
    thread.join()
    assert sum(begin < at < end for at in ticks) >= min(3, (end - begin) / 0.05)


def test_ctrl_c_of_an_event_loop_waits_for_no_round(tmp_path):
    code = """
import asyncio, time
import numpy as np
import komuz

def slowly():
    yield "x"
    print("begun", flush=True)
    time.sleep(30)
    yield "x + x"

async def main():
    async for candidate in pool.rank(slowly()):
        pass

x = np.arange(3.0)
pool = komuz.Pool(x, x, signature="fn(x: f64) -> f64")
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("ended", flush=True)
    import os
    os._exit(0)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    begin = time.perf_counter()
    assert process.communicate(timeout=60)[0] == "ended\n"
    assert time.perf_counter() - begin < 20
