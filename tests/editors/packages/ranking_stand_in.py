#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`komuz lsp`, whose messages it passes on, but for rankings: these are always the same, so that a test knows what an editor has to show.

    ranking_stand_in.py KOMUZ
"""
import json
import subprocess
import sys
import threading

SKETCH = "//! cases: cases.csv\nfn f(x: f64) -> f64 { x * ?k[1.0, 2.0, 3.0] }\n"
CHOICES = ["1.0", "2.0", "3.0"]
# By rank.
ORDER = [1, 0, 2]
SCORES = [0.00077, 12.5, "NaN"]


def read_frame(stream):
    length = 0
    while True:
        line = stream.readline()
        if not line:
            return None
        if line == b"\r\n":
            return stream.read(length)
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)


def frame(body):
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class StandIn:
    def __init__(self, komuz):
        self.server = subprocess.Popen([komuz, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock = threading.Lock()

    def to_client(self, body):
        with self.lock:
            sys.stdout.buffer.write(frame(body))
            sys.stdout.buffer.flush()

    def pass_answers(self):
        while (body := read_frame(self.server.stdout)) is not None:
            self.to_client(body)

    def answer(self, message):
        params = message["params"]
        if message["method"] == "komuz/ranking":
            rows = [{"rank": rank + 1, "variant": str(variant), "score": SCORES[rank], "text": f"x * {CHOICES[variant]}", "choices": []}
                    for rank, variant in enumerate(ORDER)]
            first = params.get("first", 0)
            return {"state": "done", "version": 1, "score": "squared", "lowerIsBetter": True, "variants": "3", "evaluated": 3, "isSample": False,
                    "failed": 1, "total": 3, "rows": rows[first:first + params.get("count", 100)]}
        if message["method"] == "komuz/fill":
            hole = SKETCH.split("\n")[1]
            begin, end = hole.index("?"), hole.index("]") + 1
            choice = CHOICES[int(params["variant"])]
            place = {"start": {"line": 1, "character": begin}, "end": {"line": 1, "character": end}}
            return {"text": SKETCH.replace(hole[begin:end], choice), "edit": {"changes": {params["textDocument"]["uri"]: [{"range": place, "newText": choice}]}}}
        sys.exit(f"nobody asked for {message['method']}")

    def run(self):
        answers = threading.Thread(target=self.pass_answers)
        answers.start()
        while (body := read_frame(sys.stdin.buffer)) is not None:
            message = json.loads(body)
            if message.get("method", "").startswith("komuz/"):
                reply = {"jsonrpc": "2.0", "id": message["id"], "result": self.answer(message)}
                self.to_client(json.dumps(reply).encode())
            else:
                self.server.stdin.write(frame(body))
                self.server.stdin.flush()
        self.server.stdin.close()
        answers.join()
        sys.exit(self.server.wait())


if __name__ == "__main__":
    StandIn(sys.argv[1]).run()
