#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long an editor waits for `komuz lsp`, beside clangd and a language server of npm.

Usage: bench/lsp_bench.py KOMUZ [--quick] [--other FOLDER] [--only WORD]

A client on standard streams. It types words into functions and takes them out again, a key at a time, and waits for each
answer: half of the time the text is broken, as it is under an editor's hands. The peers get texts of as many lines, with
functions of the same shape: clangd C, typescript-language-server TypeScript. It is fetched from npm into a temporary folder,
or taken from FOLDER; without network it is left out, as clangd is where it is not installed.

--quick makes a twentieth of the requests. --only measures the rows whose name has the word.
"""

import argparse
import json
import os
import random
import re
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OTHER = ["typescript-language-server@5", "typescript@5"]
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True, "codeDescriptionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "semanticTokens": {"requests": {"full": {"delta": True}, "range": True}, "formats": ["relative"],
                           "tokenTypes": ["function", "variable", "parameter", "type", "number"], "tokenModifiers": []},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


# --- texts

def section(form, k):
    """Twelve lines: two helpers, and a function that calls them and those of an earlier section."""
    return [line % {"k": k, "before": max(0, k - 3)} for line in form]


KOMUZ_SECTION = """\
// The share of what is left at step %(k)d.
const RATE_%(k)d: f64 = 0.%(k)d5;

fn left_%(k)d(amount: f64, steps: i64) -> f64 { amount * pow(1.0 - RATE_%(k)d, f64(steps)) }

fn cost_%(k)d(weight: f64, amount: f64) -> f64 {
    let base = if weight > 2.5 { weight * 1.5 } else { weight + RATE_%(k)d };
    let total = base + left_%(before)d(amount, 3);
    max(total, 0.0)
}
""".splitlines()
C_SECTION = """\
// The share of what is left at step %(k)d.
static const double RATE_%(k)d = 0.%(k)d5;

static double left_%(k)d(double amount, long steps) { return amount * pow(1.0 - RATE_%(k)d, (double)steps); }

double cost_%(k)d(double weight, double amount) {
    double base = weight > 2.5 ? weight * 1.5 : weight + RATE_%(k)d;
    double total = base + left_%(before)d(amount, 3);
    return fmax(total, 0.0);
}
""".splitlines()
TS_SECTION = """\
// The share of what is left at step %(k)d.
const RATE_%(k)d: number = 0.%(k)d5;

function left_%(k)d(amount: number, steps: number): number { return amount * Math.pow(1.0 - RATE_%(k)d, steps); }

export function cost_%(k)d(weight: number, amount: number): number {
    let base = weight > 2.5 ? weight * 1.5 : weight + RATE_%(k)d;
    let total = base + left_%(before)d(amount, 3);
    return Math.max(total, 0.0);
}
""".splitlines()


class Language:
    def __init__(self, name, ending, form, head, typed):
        self.name, self.ending, self.form, self.head = name, ending, form, head
        self.typed = typed  # behind a line with `base =`

    def text(self, lines):
        all_lines = list(self.head)
        k = 0
        while len(all_lines) + len(self.form) <= lines:
            all_lines += section(self.form, k)
            k += 1
        comment = "// end"
        return "\n".join(all_lines + [comment] * (lines - len(all_lines))) + "\n"


KOMUZ = Language("komuz", ".komuz", KOMUZ_SECTION, [], "let typed = left_1(base, 2);")
C = Language("c", ".c", C_SECTION, ["#include <math.h>"], "double typed = left_1(base, 2);")
TS = Language("typescript", ".ts", TS_SECTION, [], "let typed = left_1(base, 2);")


# --- a client

class Server:
    def __init__(self, command, language, folder):
        self.language, self.folder = language, folder
        self.bytes, self.number, self.waiting = b"", 0, []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        bufsize=0, cwd=folder)
        self.reply = self.ask("initialize", processId=os.getpid(), rootUri=Path(folder).as_uri(), capabilities=CAPABILITIES,
                              workspaceFolders=[{"uri": Path(folder).as_uri(), "name": "bench"}])
        self.can = self.reply["result"]["capabilities"]
        self.tell("initialized")

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        data = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        while data:
            # Whoever waits for us to read must not wait for ever.
            readable, writable, _ = select.select([self.process.stdout], [self.process.stdin], [], 60)
            if readable:
                self.bytes += os.read(self.process.stdout.fileno(), 1 << 20)
            if writable:
                data = data[os.write(self.process.stdin.fileno(), data[:4096] if readable else data[:65536]):]

    def tell(self, method, **params):
        self.send({"method": method, "params": params})

    def start(self, method, **params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def take_frame(self):
        head, end, rest = self.bytes.partition(b"\r\n\r\n")
        if not end:
            return None
        length = int(re.search(rb"Content-Length: *(\d+)", head, re.I).group(1))
        if len(rest) < length:
            return None
        self.bytes = rest[length:]
        return rest[:length]

    def next(self, patience=120):
        """The next message as bytes, and when it had come."""
        while (frame := self.take_frame()) is None:
            if not select.select([self.process.stdout], [], [], patience)[0]:
                sys.exit("%s says nothing for %d s" % (self.language.name, patience))
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                sys.exit("%s has ended" % self.language.name)
            self.bytes += more
        return frame, time.perf_counter()

    def answer(self, number):
        """The answer of a request and when it had come; what the server asks meanwhile gets an empty answer."""
        while True:
            frame, when = self.next()
            message = json.loads(frame)
            if message.get("id") == number and "method" not in message:
                return message, when
            self.take(message)

    def take(self, message):
        if "id" in message and "method" in message:
            self.send({"id": message["id"], "result": None})

    def ask(self, method, **params):
        return self.answer(self.start(method, **params))[0]

    def time(self, method, **params):
        begin = time.perf_counter()
        message, when = self.answer(self.start(method, **params))
        if "error" in message:
            sys.exit("%s: %s: %s" % (self.language.name, method, message["error"]))
        return (when - begin) * 1000

    def diagnostics(self, uri, version):
        """When those of a version had come."""
        while True:
            frame, when = self.next()
            message = json.loads(frame)
            if message.get("method") != "textDocument/publishDiagnostics":
                self.take(message)
                continue
            params = message["params"]
            # Who says no version says it of the last one.
            if params["uri"] == uri and params.get("version", version) == version:
                return when

    def end(self):
        self.ask("shutdown")
        self.tell("exit")
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    # --- of its process, with those that it started

    def processes(self):
        all_of_them, found = {}, [self.process.pid]
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    all_of_them[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                except OSError:
                    continue
        for pid in found:
            found += [child for child, parent in all_of_them.items() if parent == pid]
        return found

    def megabytes(self):
        total = 0
        for pid in self.processes():
            total += int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/%d/status" % pid).read_text()).group(1))
        return total / 1024

    def wake_ups(self):
        total = 0
        for pid in self.processes():
            for task in Path("/proc/%d/task" % pid).iterdir():
                total += sum(int(n) for n in re.findall(r"ctxt_switches:\s+(\d+)", (task / "status").read_text()))
        return total


class Document:
    """A text that is open, and typed into."""

    def __init__(self, server, lines, name="typed"):
        self.server = server
        self.lines = server.language.text(lines).split("\n")
        path = Path(server.folder) / (name + server.language.ending)
        path.write_text("\n".join(self.lines))
        self.uri, self.version = path.as_uri(), 1
        self.spots = [k for k, line in enumerate(self.lines) if " base = " in line]
        server.tell("textDocument/didOpen", textDocument={
            "uri": self.uri, "languageId": server.language.name, "version": 1, "text": "\n".join(self.lines)})

    def name(self):
        return {"uri": self.uri}

    def close(self):
        self.server.tell("textDocument/didClose", textDocument=self.name())

    def change(self, line, begin, end, text):
        self.version += 1
        self.server.tell("textDocument/didChange", textDocument={"uri": self.uri, "version": self.version}, contentChanges=[
            {"range": {"start": {"line": line, "character": begin}, "end": {"line": line, "character": end}}, "text": text}])

    def keys(self, draw, count):
        """So many edits: words are typed behind a line with `base =`, taken out again, and then those behind another one."""
        made = 0
        while True:
            line = draw.choice(self.spots)
            at = len(self.lines[line])
            edits = [(at + k, at + k, letter) for k, letter in enumerate(" " + self.server.language.typed)]
            edits += [(begin, begin + 1, "") for begin, _, _ in reversed(edits)]
            for begin, end, text in edits:
                # A burst is made to its end, so that the text is what it was.
                if made >= count and begin == at and text:
                    return
                made += 1
                yield line, begin, end, text


# --- rows

def summary(times):
    times = sorted(times)
    return "%s | %s" % (number(statistics.median(times)), number(times[min(len(times) - 1, int(len(times) * 0.99))]))


def number(value):
    return "%.2f" % value if value < 10 else "%.1f" % value if value < 100 else "%.0f" % value


class Bench:
    def __init__(self, options, peers):
        self.options, self.peers = options, peers
        self.draw = random.Random(1)
        self.count = 50 if options.quick else 1000

    def row(self, name, server, times, note=""):
        print("| %s | %s | %d | %s | %s |" % (name, server, len(times), summary(times), note), flush=True)

    def wants(self, name):
        return self.options.only in name

    def each_server(self):
        for name, (command, language) in self.peers.items():
            with tempfile.TemporaryDirectory() as folder:
                yield name, command, language, folder

    def measure_starts(self):
        name = "start to `initialize` answered"
        if not self.wants(name):
            return
        tries = 10 if self.options.quick else 50
        for server_name, command, language, folder in self.each_server():
            times = []
            for _ in range(tries):
                begin = time.perf_counter()
                server = Server(command, language, folder)
                times.append((time.perf_counter() - begin) * 1000)
                server.end()
            self.row(name, server_name, times)

    def measure_edits(self, lines):
        name = "an edit to its diagnostics, %s lines" % f"{lines:,}"
        if not self.wants(name):
            return
        for server_name, command, language, folder in self.each_server():
            if lines > 1000 and server_name != "komuz":
                continue
            server = Server(command, language, folder)
            document = Document(server, lines)
            server.diagnostics(document.uri, 1)
            times = []
            for line, begin, end, text in document.keys(self.draw, self.count):
                start = time.perf_counter()
                document.change(line, begin, end, text)
                times.append((server.diagnostics(document.uri, document.version) - start) * 1000)
            self.row(name, server_name, times)
            server.end()

    def measure_questions(self):
        for method, word, extra in (("hover", "hover", {}), ("definition", "definition", {}),
                                    ("documentHighlight", "highlight", {}), ("completion", "completion", {})):
            name = word + ", 1,000 lines"
            if not self.wants(name):
                continue
            for server_name, command, language, folder in self.each_server():
                server = Server(command, language, folder)
                document = Document(server, 1000)
                server.diagnostics(document.uri, 1)
                times = []
                for _ in range(self.count):
                    line = self.draw.choice(document.spots) + 1
                    column = document.lines[line].index("left_") + (4 if word == "completion" else 1)
                    times.append(server.time("textDocument/" + method, textDocument=document.name(),
                                             position={"line": line, "character": column}))
                self.row(name, server_name, times)
                server.end()

    def measure_completion_behind_edits(self):
        name = "completion behind an edit, 1,000 lines"
        if not self.wants(name):
            return
        for server_name, command, language, folder in self.each_server():
            server = Server(command, language, folder)
            document = Document(server, 1000)
            server.diagnostics(document.uri, 1)
            times = []
            for line, begin, end, text in document.keys(self.draw, self.count):
                document.change(line, begin, end, text)
                times.append(server.time("textDocument/completion", textDocument=document.name(),
                                         position={"line": line, "character": begin + len(text)}))
            self.row(name, server_name, times)
            server.end()

    def measure_tokens(self):
        name = "semantic tokens delta behind an edit, 10,000 lines"
        if not self.wants(name):
            return
        for server_name, command, language, folder in self.each_server():
            if server_name != "komuz":
                continue
            server = Server(command, language, folder)
            document = Document(server, 10000)
            server.diagnostics(document.uri, 1)
            has_delta = server.can["semanticTokensProvider"].get("full") is not True
            known = server.ask("textDocument/semanticTokens/full", textDocument=document.name())["result"]
            times = []
            for line, begin, end, text in document.keys(self.draw, self.count):
                start = time.perf_counter()
                document.change(line, begin, end, text)
                if has_delta:
                    asked = server.start("textDocument/semanticTokens/full/delta", textDocument=document.name(),
                                         previousResultId=known["resultId"])
                else:
                    asked = server.start("textDocument/semanticTokens/full", textDocument=document.name())
                message, when = server.answer(asked)
                known = message["result"]
                times.append((when - start) * 1000)
            self.row(name, server_name, times, "" if has_delta else "the server has no delta: full")
            server.end()

    def measure_rename(self):
        name = "rename over 100 files of 1,000 lines"
        if not self.wants(name):
            return
        for server_name, command, language, folder in self.each_server():
            if server_name != "komuz":
                continue
            (Path(folder) / "shared.komuz").write_text("pub fn shared(x: f64) -> f64 { x * 2.0 }\n")
            server = Server(command, language, folder)
            if not server.can.get("renameProvider"):
                print("| %s | komuz | 0 | | | not measured: the server announces no `renameProvider` |" % name)
                server.end()
                continue
            text = "use shared;\n\nfn own(x: f64) -> f64 { shared.shared(x) }\n" + language.text(997)
            for k in range(100):
                (Path(folder) / ("user_%d.komuz" % k)).write_text(text)
            uris = [(Path(folder) / ("user_%d.komuz" % k)).as_uri() for k in range(100)]
            for uri in uris:
                server.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "komuz", "version": 1, "text": text})
            shared = (Path(folder) / "shared.komuz")
            server.tell("textDocument/didOpen", textDocument={"uri": shared.as_uri(), "languageId": "komuz", "version": 1,
                                                              "text": shared.read_text()})
            server.diagnostics(shared.as_uri(), 1)
            times, changed = [], 0
            for k in range(max(3, self.count // 20)):
                begin = time.perf_counter()
                message, when = server.answer(server.start("textDocument/rename", textDocument={"uri": shared.as_uri()},
                                                           position={"line": 0, "character": 8}, newName="other_%d" % k))
                times.append((when - begin) * 1000)
                result = message.get("result") or {}
                changed = len(result.get("documentChanges") or result.get("changes") or [])
            self.row(name, server_name, times, "%d files changed" % changed)
            server.end()

    def measure_memory(self):
        name = "memory"
        if not self.wants(name):
            return
        edits = 2000 if self.options.quick else 100000
        with tempfile.TemporaryDirectory() as folder:
            command, language = self.peers["komuz"]
            server = Server(command, language, folder)
            document = Document(server, 100000)
            server.diagnostics(document.uri, 1)
            opened = server.megabytes()
            server.ask("textDocument/hover", textDocument=document.name(),
                       position={"line": document.spots[0] + 1, "character": 20})
            asked = server.megabytes()
            print("| memory, 100,000 lines open | komuz | %.0f MB | | | %.0f MB behind a first hover |" % (opened, asked))
            server.end()
            server = Server(command, language, folder)
            document = Document(server, 1000)
            server.diagnostics(document.uri, 1)
            for k, (line, begin, end, text) in enumerate(document.keys(self.draw, edits)):
                document.change(line, begin, end, text)
                server.diagnostics(document.uri, document.version)
                if k == edits // 10:
                    early = server.megabytes()
            late = server.megabytes()
            print("| memory behind %s edits over that behind a tenth of them | komuz | %+.1f %% | | | %.1f MB |"
                  % (f"{edits:,}", (late / early - 1) * 100, late))
            server.end()

    def measure_idle(self):
        name = "idle"
        if not self.wants(name):
            return
        seconds = 3 if self.options.quick else 20
        for server_name, command, language, folder in self.each_server():
            server = Server(command, language, folder)
            document = Document(server, 1000)
            server.diagnostics(document.uri, 1)
            time.sleep(1)
            before = server.wake_ups()
            time.sleep(seconds)
            print("| idle, wake-ups in %d s | %s | %d | | | |" % (seconds, server_name, server.wake_ups() - before), flush=True)
            server.end()

    def run(self):
        print("| what | server | requests | median, ms | p99, ms | |")
        print("| --- | --- | --- | --- | --- | --- |", flush=True)
        self.measure_starts()
        self.measure_edits(1000)
        self.measure_edits(10000)
        self.measure_questions()
        self.measure_completion_behind_edits()
        self.measure_tokens()
        self.measure_rename()
        # The ranking of a sketch while one types has its row here, once the server ranks.
        self.measure_memory()
        self.measure_idle()


def fetch_other(folder):
    """The command of the server of npm; None: it cannot be had."""
    server = Path(folder) / "node_modules/.bin/typescript-language-server"
    if not server.exists() and shutil.which("npm"):
        subprocess.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", *OTHER], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=300)
    return [str(server), "--stdio"] if server.exists() else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("komuz")
    parser.add_argument("--quick", action="store_true", help="a twentieth of the requests")
    parser.add_argument("--other", help="a folder where typescript-language-server is installed")
    parser.add_argument("--only", default="", help="rows whose name has this word")
    parser.add_argument("--alone", action="store_true", help="without peers")
    options = parser.parse_args()
    peers = {"komuz": ([str(Path(options.komuz).resolve()), "lsp"], KOMUZ)}
    with tempfile.TemporaryDirectory() as temporary:
        if not options.alone:
            if shutil.which("clangd"):
                peers["clangd"] = (["clangd", "--log=error"], C)
            else:
                print("clangd is not installed: left out", file=sys.stderr)
            command = fetch_other(options.other or temporary)
            if command:
                peers["typescript-language-server"] = (command, TS)
            else:
                print("typescript-language-server cannot be had from npm: left out", file=sys.stderr)
        Bench(options, peers).run()


if __name__ == "__main__":
    main()
