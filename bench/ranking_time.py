#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long after a key the best variant of a sketch stands beside its holes: 10,000 variants on 256 cases, through `komuz lsp`.

  ranking_time.py KOMUZ [KEYS]

A key changes a number of the sketch. Its time ends when the inlay hints of a finished evaluation have come; that of the first step is
shown beside it. Medians and 99th percentiles of KEYS (1,000), in milliseconds.
"""
import json
import math
import subprocess
import sys
import tempfile
import time


class Client:
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
        size = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(size))

    def ask(self, method, params):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        while True:
            message = self.next_message()
            if message.get("id") == self.next_id:
                return message["result"]

    # The states of a version until it is done, each with the time when it came.
    def wait_for(self, version):
        times = []
        while True:
            message = self.next_message()
            params = message.get("params", {})
            if message.get("method") != "komuz/rankingChanged" or params["version"] != version:
                continue
            times.append(time.perf_counter())
            assert params["state"] in ("running", "done"), params
            if params["state"] == "done":
                return times


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, math.ceil(share * len(values)) - 1)] * 1000


def sketch(number):
    return ("//! cases: cases.csv\n//! score: squared\n"
            "pub fn f(x: f64, y: f64) -> f64 { ?a(0.0..2.0, steps: 100) * x + ?b(0.0..2.0, steps: 100) * sin(y) + %.3f }\n" % (number / 1000))


def main():
    komuz, keys = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/cases.csv", "w", encoding="utf-8") as file:
            file.write("x,y,expected\n")
            for k in range(256):
                x, y = k / 64, (k * 37 % 256) / 40
                file.write("%r,%r,%r\n" % (x, y, 1.21 * x + 0.7 * math.sin(y)))
        client = Client(komuz, folder)
        uri = "file://" + folder + "/a.komuz"
        client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "komuz", "version": 0, "text": sketch(0)}})
        client.wait_for(0)
        first, whole = [], []
        for version in range(1, keys + 1):
            begin = time.perf_counter()
            client.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                                   "contentChanges": [{"text": sketch(version % 100)}]})
            times = client.wait_for(version)
            hints = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}})
            whole.append(time.perf_counter() - begin)
            first.append(times[0] - begin)
            labels = [hint["label"] for hint in hints]
            assert len(labels) == 2 and not any("…" in label for label in labels), labels
        client.ask("shutdown", None)
        client.tell("exit", None)
        client.process.wait(10)
    print("%d keys, 10,000 variants on 256 cases" % keys)
    print("first step   p50 %6.1f ms   p99 %6.1f ms" % (percentile(first, 0.5), percentile(first, 0.99)))
    print("best hint    p50 %6.1f ms   p99 %6.1f ms" % (percentile(whole, 0.5), percentile(whole, 0.99)))


if __name__ == "__main__":
    main()
