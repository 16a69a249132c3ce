# SPDX-License-Identifier: Apache-2.0
"""How long komuz takes for what concerns many files, and for sketches."""
import math
import tempfile
import time
from pathlib import Path

from asking import milliseconds
from report import Row, Target, at_most, median, number, p99

FILES, LINES = 100, 1000


def measure_rename(bench):
    komuz = bench.peers[0]
    row = Row("rename over %d files of %s lines" % (FILES, f"{LINES:,}"), Target("50 ms", at_most(median, 50)), Target("20 ms", at_most(median, 20)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = "use shared;\n\nfn own(x: f64) -> f64 { shared.shared(x) }\n" + komuz.language.text(LINES - 3)
        texts = {folder / ("user_%d.komuz" % k): text for k in range(FILES)}
        shared = folder / "shared.komuz"
        texts[shared] = "pub fn shared(x: f64) -> f64 { x * 2.0 }\n"
        for path, words in texts.items():
            path.write_text(words, encoding="utf-8")
        client = komuz.start(name)
        for path, words in texts.items():
            client.open(path.as_uri(), "komuz", words)
        client.diagnostics(shared.as_uri(), 1)
        times = row.times[komuz.name] = []
        for k in range(bench.count):
            start = time.perf_counter()
            asked = client.start("textDocument/rename", textDocument={"uri": shared.as_uri()}, position={"line": 0, "character": 8}, newName="other_%d" % k)
            result, when = client.answer(asked)
            times.append(milliseconds(start, when))
            assert len(result["documentChanges"]) == FILES + 1
        client.end()
    yield row


CASES = 256


def cases():
    lines = ["x,y,expected"]
    for k in range(CASES):
        x, y = k / 64, (k * 37 % 256) / 40
        lines.append("%r,%r,%r" % (x, y, 1.21 * x + 0.7 * math.sin(y)))
    return "\n".join(lines) + "\n"


def sketch(k):
    return ("//! cases: cases.csv\n//! score: squared\n"
            "pub fn f(x: f64, y: f64) -> f64 { ?a(0.0..2.0, steps: 100) * x + ?b(0.0..2.0, steps: 100) * sin(y) + %.3f }\n" % (k / 1000))


def measure_ranking(bench):
    """A key changes a number of the sketch. Its time ends when the inlay hints of a finished evaluation have come."""
    komuz = bench.peers[0]
    row = Row("best hint of a sketch of 10,000 variants × %d cases behind a key" % CASES, Target("60 ms", at_most(median, 60)), Target("25 ms", at_most(median, 25)))
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "cases.csv").write_text(cases(), encoding="utf-8")
        client = komuz.start(name, {"komuz": {"ranking": True}})
        uri = (Path(name) / "a.komuz").as_uri()

        def step(version, is_last):
            """When the first news, or the last, of a version had come."""
            def is_it(params):
                assert params["state"] in ("running", "done"), params
                return params["version"] == version and (params["state"] == "done" or not is_last)
            return client.wait_for("komuz/rankingChanged", is_it)

        client.open(uri, "komuz", sketch(0), 0)
        step(0, True)
        first, times = [], row.times.setdefault(komuz.name, [])
        for version in range(1, bench.count + 1):
            start = time.perf_counter()
            client.tell("textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=[{"text": sketch(version % 100)}])
            news, when = step(version, False)
            first.append(milliseconds(start, when))
            if news["state"] != "done":
                step(version, True)
            hints, when = client.answer(client.start("textDocument/inlayHint", textDocument={"uri": uri}, range=everything))
            times.append(milliseconds(start, when))
            labels = [hint["label"] for hint in hints]
            assert len(labels) == 2 and not any("…" in label for label in labels), labels
        client.end()
    row.note = "the first step: %s; %s ms" % (number(median(first)), number(p99(first)))
    yield row
