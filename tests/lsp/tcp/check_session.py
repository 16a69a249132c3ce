#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Editors that are attached to a session of `komuz repl` by `:lsp`: over TCP, and by `komuz lsp --connect`.

    check_session.py KOMUZ
"""
import fcntl
import glob
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import urllib.parse

KOMUZ = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PATIENCE = 30  # seconds, for a machine that does something else


def framed(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Session:
    """`komuz repl` on pipes: each input is followed by one whose answer is known, so all before it has been answered."""

    def __init__(self, folder):
        environment = {**os.environ, "HOME": folder, "XDG_CACHE_HOME": os.path.join(folder, "cache"),
                       "XDG_STATE_HOME": os.path.join(folder, "state")}
        self.process = subprocess.Popen([KOMUZ, "repl"], cwd=folder, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
        self.marks = 0
        self.rest = b""

    def say(self, text):
        self.marks += 1
        mark = f'"mark {self.marks}"\n'.encode()
        self.process.stdin.write(text.encode() + b"\n" + mark)
        return self.until(mark)

    def until(self, mark):
        """What comes before a line."""
        end = time.monotonic() + PATIENCE
        while mark not in self.rest:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"the session said only {self.rest!r}")
            more = self.process.stdout.read(1 << 16)
            if not more:
                raise EOFError(f"the session has ended: {self.rest!r}")
            self.rest += more
        said, _, self.rest = self.rest.partition(mark)
        return said.decode()

    def end(self):
        self.process.stdin.close()
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.stdout.close()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()


class TerminalSession:
    """`komuz repl` on a terminal, where a line is edited while editors ask."""

    def __init__(self, folder):
        self.child, self.file = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.environ.update({"HOME": folder, "TERM": "xterm", "NO_COLOR": "1", "XDG_CACHE_HOME": os.path.join(folder, "cache"),
                               "XDG_STATE_HOME": os.path.join(folder, "state")})
            os.execv(KOMUZ, [KOMUZ, "repl"])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        self.shown = ""

    def press(self, keys):
        os.write(self.file, keys.encode())

    def until(self, words):
        """What is written before and with the words."""
        end = time.monotonic() + PATIENCE
        while words not in self.shown:
            if not select.select([self.file], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"the terminal shows only {self.shown!r}")
            self.shown += os.read(self.file, 1 << 16).decode()
        before, _, self.shown = self.shown.partition(words)
        return before + words

    def kill(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.file)


class Editor:
    """A client. It may come by a socket, or by a process that hands on what is said."""

    def __init__(self, read, write, close):
        self.read, self.write, self.close = read, write, close
        self.bytes, self.number, self.waiting = b"", 0, []
        self.ask("initialize", capabilities={"textDocument": {"publishDiagnostics": {"versionSupport": True}}})
        self.tell("initialized")

    @classmethod
    def by_port(cls, port):
        stream = socket.create_connection(("127.0.0.1", port), PATIENCE)
        return cls(lambda: stream.recv(1 << 16), stream.sendall, stream.close)

    def tell(self, method, **params):
        self.write(framed({"method": method, "params": params}))

    def ask(self, method, **params):
        self.number += 1
        self.write(framed({"id": self.number, "method": method, "params": params}))
        return self.find(lambda message: message.get("id") == self.number and "method" not in message)

    def next(self):
        """None: the stream has ended."""
        while True:
            head, end, rest = self.bytes.partition(b"\r\n\r\n")
            if end:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.bytes = rest[length:]
                    return json.loads(rest[:length])
            try:
                more = self.read()
            except ConnectionResetError:
                return None
            if not more:
                return None
            self.bytes += more

    def wait_for_end(self):
        while self.next() is not None:
            pass

    def find(self, is_it):
        for k, message in enumerate(self.waiting):
            if is_it(message):
                return self.waiting.pop(k)
        while (message := self.next()) is not None:
            if is_it(message):
                return message
            self.waiting.append(message)
        raise EOFError("the server has gone")

    def findings(self, wanted):
        """Waits until exactly these are told of the document."""
        seen = []

        def are_they(message):
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            seen[:] = [one["message"] for one in message["params"]["diagnostics"]]
            return seen == wanted
        self.find(are_they)

    def open(self, uri, text):
        self.uri = uri
        self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "komuz", "version": 1, "text": text})

    def at(self, method, line, column):
        return self.ask(method, textDocument={"uri": self.uri}, position={"line": line, "character": column})["result"]


class LiveSession(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.session = Session(self.folder)
        self.addCleanup(self.session.kill)

    def listen(self, command=":lsp"):
        said = self.session.say(command)
        self.assertRegex(said, r"^editors connect to 127\.0\.0\.1:\d+")
        return int(said.split(":")[1].split()[0].rstrip(",;"))

    def editor(self, port):
        editor = Editor.by_port(port)
        self.addCleanup(editor.close)
        return editor

    def test_knows_what_the_session_has_defined(self):
        self.session.say("fn half(x: f64) -> f64 { x / 2.0 }")
        editor = self.editor(self.listen())
        editor.open("untitled:1", "pub fn f(x: f64) -> f64 { half(x) + third(x) }\n")
        editor.findings(["there is no function `third`"])
        self.assertIn("fn half(x: f64) -> f64", json.dumps(editor.at("textDocument/hover", 0, 27)))
        place = editor.at("textDocument/definition", 0, 27)
        path = urllib.parse.unquote(place["uri"].removeprefix("file://"))
        with open(path, encoding="utf-8") as file:
            line = file.read().splitlines()[place["range"]["start"]["line"]]
        self.assertEqual(line, "fn half(x: f64) -> f64 { x / 2.0 }")
        items = editor.at("textDocument/completion", 0, 28)["items"]
        self.assertIn("half", [item["label"] for item in items])
        # Another definition is seen at once, and so is that it has gone.
        self.session.say("fn third(x: f64) -> f64 { x / 3.0 }")
        editor.findings([])
        self.session.say(":undo")
        editor.findings(["there is no function `third`"])

    def test_what_a_file_defines_is_found_there(self):
        with open(os.path.join(self.folder, "lib.komuz"), "w", encoding="utf-8") as out:
            out.write("// Words.\n\nfn half(x: f64) -> f64 { x / 2.0 }\n")
        self.session.say(":load lib.komuz")
        editor = self.editor(self.listen())
        editor.open("untitled:1", "pub fn f(x: f64) -> f64 { half(x) }\n")
        editor.findings([])
        place = editor.at("textDocument/definition", 0, 27)
        self.assertEqual(place["uri"], "file://" + os.path.join(self.folder, "lib.komuz"))
        self.assertEqual(place["range"]["start"], {"line": 2, "character": 3})

    def test_ranks_sketches_on_the_sessions_cases(self):
        with open(os.path.join(self.folder, "data.csv"), "w", encoding="utf-8") as out:
            out.write("x,y\n1.0,2.0\n2.0,4.5\n3.0,6.0\n")
        self.session.say(":cases data.csv y\n:score squared")
        editor = self.editor(self.listen())
        editor.open("untitled:1", "pub fn f(x: f64) -> f64 { x * ?k[1.0, 2.0, 3.0] }\n")
        end = time.monotonic() + PATIENCE
        while (ranking := editor.ask("komuz/ranking", textDocument={"uri": "untitled:1"})["result"])["state"] != "done":
            self.assertLess(time.monotonic(), end, ranking)
        self.assertEqual(ranking["rows"][0]["variant"], "1")
        self.assertEqual(ranking["rows"][0]["worst"]["row"], 2)
        self.assertEqual(ranking["cases"], {"file": "data.csv", "rows": 3})
        self.session.say(":cases none")
        while editor.ask("komuz/ranking", textDocument={"uri": "untitled:1"})["result"]["state"] != "none":
            self.assertLess(time.monotonic(), end)

    def test_items_go_to_the_session_where_it_takes_them(self):
        port = self.listen()
        editor = self.editor(port)
        editor.open("untitled:1", "fn double(x: f64) -> f64 { x * 2.0 }\n")
        send = {"command": "komuz.toSession", "arguments": ["untitled:1"]}
        self.assertIn(":lsp input", editor.ask("workspace/executeCommand", **send)["error"]["message"])
        self.assertIn("may define items here; 1 is", self.session.say(":lsp input"))
        # The session shows it to its client behind the answer to the command.
        end = time.monotonic() + PATIENCE
        while "result" not in (answer := editor.ask("workspace/executeCommand", **send)):
            self.assertLess(time.monotonic(), end)
        self.assertEqual(answer["result"], {"defines": ["double"]})
        while self.session.say("double(4.0)") != "8.0\n":
            self.assertLess(time.monotonic(), end)
        # No command gets in by that way.
        editor.open("untitled:2", "fn f() -> f64 { 1.0 \n:}\n:save stolen.txt\n")
        editor.ask("workspace/executeCommand", command="komuz.toSession", arguments=["untitled:2"])
        self.session.say("1")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "stolen.txt")))

    def test_a_line_is_edited_while_editors_ask_and_send(self):
        terminal = TerminalSession(self.folder)
        self.addCleanup(terminal.kill)
        terminal.until("> ")
        terminal.press(":lsp input\r")
        port = int(re.search(r"127\.0\.0\.1:(\d+)", terminal.until(", and may define items here")).group(1))
        terminal.press("doub")
        terminal.until("doub")
        editor = self.editor(port)
        editor.open("untitled:1", "fn double(x: f64) -> f64 { x * 2.0 }\n")
        editor.findings([])
        editor.ask("workspace/executeCommand", command="komuz.toSession", arguments=["untitled:1"])
        terminal.until("from an editor:")
        terminal.until("fn double(x: f64) -> f64 { x * 2.0 }")
        # The line is as it was, and goes on.
        terminal.until("doub")
        terminal.press("le(4.0)\r")
        terminal.until("8.0")
        terminal.press(":quit\r")
        editor.wait_for_end()

    def test_eglot_is_attached(self):
        emacs = shutil.which("emacs")
        packages = sorted(glob.glob("/usr/share/emacs/site-lisp/elpa/eglot-1*"))
        if not emacs or not packages:
            self.skipTest("Eglot is not installed (scripts/setup --test)")
        self.session.say("fn half(x: f64) -> f64 { x / 2.0 }")
        port = self.listen(":lsp input")
        with open(os.path.join(self.folder, "a.komuz"), "w", encoding="utf-8") as out:
            out.write("pub fn both(x: f64) -> f64 { half(x) + half(x) }\n")
        answers = os.path.join(self.folder, "answers")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "eglot_session.el")
        environment = {**os.environ, "HOME": self.folder, "KOMUZ_PORT": str(port), "KOMUZ_ANSWERS": answers}
        ran = subprocess.run([emacs, "-Q", "--batch", "-L", packages[-1], "-l", script], cwd=self.folder, env=environment,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=2 * PATIENCE)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        with open(answers, encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines(), [
                "findings: ", "hover: fn half(x: f64) -> f64", "definition: fn half(x: f64) -> f64 { x / 2.0 }",
                "completion: half", "stopped: t"], ran.stderr)
        # It was sent before the editor left.
        end = time.monotonic() + PATIENCE
        while not self.session.say("both(3.0)").endswith("3.0\n"):
            self.assertLess(time.monotonic(), end)

    def test_neovim_is_attached(self):
        """By its package, set up in the line that docs/lsp.md says."""
        editor = shutil.which("nvim")
        if not editor:
            self.skipTest("Neovim is not installed (scripts/setup --test)")
        self.session.say("fn half(x: f64) -> f64 { x / 2.0 }")
        port = self.listen(":lsp input")
        with open(os.path.join(self.folder, "a.komuz"), "w", encoding="utf-8") as out:
            out.write("pub fn both(x: f64) -> f64 { half(x) + third(x) }\n")
        answers = os.path.join(self.folder, "answers")
        package = os.path.join(ROOT, "editors", "neovim")
        environment = {**os.environ, "HOME": self.folder, "KOMUZ_ANSWERS": answers, "XDG_CACHE_HOME": os.path.join(self.folder, "cache")}
        setup = f"lua require('komuz').setup {{ cmd = {{ '{KOMUZ}', 'lsp', '--connect', '{port}' }} }}"
        command = [editor, "--headless", "--clean", "-n", "--cmd", f"set runtimepath^={package}", "--cmd", setup,
                   "-c", "luafile " + os.path.join(HERE, "neovim_session.lua")]

        def said():
            if not os.path.exists(answers):
                return []
            with open(answers, encoding="utf-8") as file:
                return file.read().splitlines()

        with open(os.path.join(self.folder, "printed"), "w+", encoding="utf-8") as printed:
            run = subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed)
            try:
                end = time.monotonic() + 2 * PATIENCE
                while "ready: define it" not in said() and run.poll() is None:
                    self.assertLess(time.monotonic(), end, said())
                    time.sleep(0.05)
                self.session.say("fn third(x: f64) -> f64 { x / 3.0 }")
                # Neovim sends `both` now.
                while not self.session.say("both(6.0)").endswith("5.0\n"):
                    self.assertLess(time.monotonic(), end, said())
                    time.sleep(0.05)
                self.session.say(":lsp off")
                status = run.wait(2 * PATIENCE)
            finally:
                run.kill()
                run.wait()
            printed.seek(0)
            words = printed.read()
        self.assertEqual(said(), [
            "findings: there is no function `third`", "hover: fn half(x: f64) -> f64",
            "definition: fn half(x: f64) -> f64 { x / 2.0 }", "ready: define it", "findings: ",
            "chosen: define `both` in the session", "lines: 1"], words)
        self.assertEqual(status, 0, words)

    def test_two_editors_have_documents_of_their_own(self):
        port = self.listen()
        one, other = self.editor(port), self.editor(port)
        one.open("untitled:1", "pub fn f() -> f64 { a }\n")
        other.open("untitled:1", "pub fn f() -> f64 { b }\n")
        one.findings(["there is no `a` here"])
        other.findings(["there is no `b` here"])
        self.assertIn("; 2 are", self.session.say(":lsp"))
        self.session.say("const a: f64 = 1.0")
        one.findings([])
        one.close()
        self.session.say("const b: f64 = 1.0")
        other.findings([])

    def test_says_what_it_cannot_do(self):
        self.assertIn("no editor can connect", self.session.say(":lsp off"))
        self.assertIn("`70000` is no port", self.session.say(":lsp 70000"))
        self.assertIn("`soon` is no port", self.session.say(":lsp soon"))
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.assertIn("Address already in use", self.session.say(f":lsp {taken.getsockname()[1]}"))
        port = self.listen()
        self.assertEqual(self.listen(), port)
        self.assertIn(f"editors connect to port {port} already", self.session.say(f":lsp {port % 60000 + 1025}"))

    def test_ends_with_the_session_and_by_off(self):
        editor = self.editor(self.listen())
        self.assertEqual(self.session.say(":lsp off"), "editors are cut off\n")
        editor.wait_for_end()
        port = self.listen()
        editor = self.editor(port)
        self.assertEqual(self.session.end(), 0)
        editor.wait_for_end()
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), PATIENCE)

    def test_a_page_gets_nothing(self):
        port = self.listen()
        for request in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"):
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as stream:
                stream.sendall(request)
                stream.shutdown(socket.SHUT_WR)
                answer = b""
                while more := stream.recv(1 << 16):
                    answer += more
            self.assertNotIn(b"result", answer)

    def test_an_editor_that_starts_a_program_connects_by_it(self):
        self.session.say("fn half(x: f64) -> f64 { x / 2.0 }")
        port = self.listen()
        with subprocess.Popen([KOMUZ, "lsp", "--connect", str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              bufsize=0) as process:
            editor = Editor(lambda: process.stdout.read(1 << 16), process.stdin.write, process.kill)
            editor.open("untitled:1", "pub fn f(x: f64) -> f64 { half(x) }\n")
            editor.findings([])
            # More than a pipe holds, both ways.
            editor.tell("textDocument/didChange", textDocument={"uri": "untitled:1", "version": 2},
                        contentChanges=[{"text": "fn g() -> f64 { no }\n" * 20_000}])
            editor.find(lambda message: message.get("params", {}).get("version") == 2)
            editor.ask("shutdown")
            editor.tell("exit")
            self.assertEqual(process.wait(PATIENCE), 0)

        def left(leave):
            """How `--connect` ends, and what it says then, when `leave` has been done."""
            with subprocess.Popen([KOMUZ, "lsp", "--connect", str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, bufsize=0) as process:
                editor = Editor(lambda: process.stdout.read(1 << 16), process.stdin.write, process.kill)
                editor.open("untitled:1", "pub fn f(x: f64) -> f64 { half(x) }\n")
                editor.findings([])
                leave(process, editor)
                return process.wait(PATIENCE), process.stderr.read().decode()

        self.assertEqual(left(lambda _, editor: editor.tell("exit")), (1, ""))
        self.assertEqual(left(lambda process, _: process.stdin.close()), (1, ""))
        status, words = left(lambda *_: self.session.say(":lsp off"))
        self.assertEqual(status, 1)
        self.assertIn("the session has ended the connection", words)
        self.assertIn(f"say `:lsp {port}` there", words)
        refused = subprocess.run([KOMUZ, "lsp", "--connect", str(port)], stdin=subprocess.DEVNULL, capture_output=True,
                                 text=True, check=False, timeout=PATIENCE)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn(f"say `:lsp {port}`", refused.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
