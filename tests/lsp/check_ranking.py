#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the ranking of a finished evaluation in an editor the one of `komuz eval` on the same file, row by row?

  check_ranking.py KOMUZ
"""
import json
import math
import os
import subprocess
import sys
import tempfile

SKETCHES = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "sketches")


class Server:
    def __init__(self, komuz, root):
        self.process = subprocess.Popen([komuz, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id = 0
        self.ask("initialize", {"rootUri": "file://" + root, "capabilities": {},
                                "initializationOptions": {"komuz": {"ranking": True}}})
        self.tell("initialized", {})

    def send(self, message):
        text = json.dumps(dict(message, jsonrpc="2.0")).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def next_message(self):
        size = None
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        assert size is not None, "the server has ended"
        return json.loads(self.process.stdout.read(size))

    def ask(self, method, params):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        while True:
            message = self.next_message()
            if message.get("id") == self.next_id:
                assert "result" in message, message
                return message["result"]

    # The first notification that says so.
    def wait_for_ranking(self, uri):
        while True:
            message = self.next_message()
            if message.get("method") != "komuz/rankingChanged" or message["params"]["uri"] != uri:
                continue
            assert message["params"]["state"] in ("running", "done"), message
            if message["params"]["state"] == "done":
                return message["params"]

    def end(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        assert self.process.wait(10) == 0


def number(value):
    return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(value, value)


def rows_of_eval(komuz, sketch, cases, score, samples):
    options = ["--samples", str(samples), "--seed", "0"] if samples else []
    # It says by its exit code whether any variant has a score.
    run = subprocess.run([komuz, "eval", sketch, "--cases", cases, "--score", score, "--json", "-", "--threads", "2", *options],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    assert run.returncode in (0, 1), run
    rows = []
    for row in json.loads(run.stdout)["results"]:
        if row["duplicate_of"] is not None or row["rank"] is None:
            continue
        score = {"inf": math.inf, "-inf": -math.inf}.get(row["score_text"], row["score"])
        rows.append((row["rank"], row["id"], row["status"], score, row["fuel"], row["code_bytes"]))
    return rows


def check(komuz, folder, name, source, cases, score):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("//! cases: %s\n//! score: %s\n%s" % (cases, score, source))
    server = Server(komuz, folder)
    uri = "file://" + path
    with open(path, encoding="utf-8") as file:
        server.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "komuz", "version": 1, "text": file.read()}})
    server.wait_for_ranking(uri)
    rows = []
    while True:
        part = server.ask("komuz/ranking", {"textDocument": {"uri": uri}, "first": len(rows), "count": 5000})
        assert part["state"] == "done", part["state"]
        if not part["rows"]:
            break
        rows += part["rows"]
    assert len(rows) == part["total"], (len(rows), part["total"])
    ours = [(row["rank"], "#" + row["variant"], row["status"], number(row["score"]), row["fuel"], row["bytes"]) for row in rows]
    wanted = rows_of_eval(komuz, path, os.path.join(folder, cases), score, part["evaluated"] if part["isSample"] else None)
    assert wanted, "eval has ranked nothing"
    # Rows that trapped have no fuel that counts.
    for mine, theirs in zip(ours, wanted):
        if theirs[3] is None:
            mine, theirs = mine[:4], theirs[:4]
        assert mine == theirs, (name, mine, theirs)
    assert len(ours) == len(wanted), (name, len(ours), len(wanted))
    server.end()
    print("%s by %s: %d rows, the same" % (name, score, len(ours)))


def main():
    komuz = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        with open(os.path.join(SKETCHES, "periods.csv"), encoding="utf-8") as file:
            periods = file.read()
        with open(os.path.join(folder, "periods.csv"), "w", encoding="utf-8") as file:
            file.write(periods)
        with open(os.path.join(SKETCHES, "formula.komuz"), encoding="utf-8") as file:
            formula = file.read()
        for score in ("relative", "squared", "exact", "r2"):
            check(komuz, folder, "formula.komuz", formula, "periods.csv", score)
        # More than an editor evaluates: a sample, the same one.
        large = "pub fn period(l: f64, a: f64) -> f64 { ?(0.0..1.0, steps: 1000) * l + ?(0.0..1.0, steps: 1000) * a + ?(0.0..1.0, steps: 1000) }\n"
        check(komuz, folder, "large.komuz", large, "periods.csv", "squared")
        # Some trap, some are equal, some have no number.
        odd = "pub fn period(l: f64, a: f64) -> f64 { ?[l / (a - a), l, 1.0 * l, l * 1.0, f64(1 / (i64(a) - i64(a)))] }\n"
        check(komuz, folder, "odd.komuz", odd, "periods.csv", "absolute")
    return 0


if __name__ == "__main__":
    sys.exit(main())
