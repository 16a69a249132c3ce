#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The process of `komuz lsp`: streams, sockets, how it ends, what a cancelled request waits for, what it keeps.

    check_process.py KOMUZ
"""
import ctypes
import json
import os
import resource
import select
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from stdio_client import FrameReader, framed

KOMUZ = os.path.abspath(sys.argv[1])


def request(number, method, **params):
    return framed({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def note(method, **params):
    return framed({"jsonrpc": "2.0", "method": method, "params": params})


def opened(text, uri="untitled:1", version=1):
    return note("textDocument/didOpen",
                textDocument={"uri": uri, "languageId": "komuz", "version": version, "text": text})


BEGIN = request(0, "initialize", capabilities={}) + note("initialized")
END = request(9, "shutdown") + note("exit")


class Reader:
    """Messages of a stream."""

    def __init__(self, read):
        self.read, self.frames = read, FrameReader()

    def next(self):
        """None: the stream has ended."""
        while (body := self.frames.next()) is None:
            more = self.read()
            if not more:
                return None
            self.frames.add(more)
        return json.loads(body)

    def answer(self, number):
        while (message := self.next()) is not None:
            if message.get("id") == number and "method" not in message:
                return message
        return None


class Server:
    def __init__(self, *options, **how):
        self.process = subprocess.Popen([KOMUZ, "lsp", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, **how)
        self.reader = Reader(lambda: self.process.stdout.read(1 << 16))

    def send(self, data):
        self.process.stdin.write(data)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        self.process.wait()

    def end(self):
        return self.process.wait(timeout=60)


def connected(where):
    if ":" in where:
        client = socket.create_connection(where.rsplit(":", 1))
    else:
        client = socket.socket(socket.AF_UNIX)
        client.connect(where)
    client.settimeout(10)
    return client, Reader(lambda: client.recv(1 << 16))


def where_of(server):
    line = server.process.stderr.readline().decode().strip()
    return line.removeprefix("listening on ")


def memory_of(server):
    """Bytes that are in use."""
    with open(f"/proc/{server.process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def without_pidfd():
    """The calling process may not open descriptors of processes, as on an old system or in a sandbox."""
    pidfd_open, enosys, allow, refuse = 434, 38, 0x7FFF0000, 0x00050000
    steps = [(0x20, 0, 0, 0), (0x15, 0, 1, pidfd_open), (0x06, 0, 0, refuse | enosys), (0x06, 0, 0, allow)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None)
    no_new_privileges, set_seccomp, by_filter = 38, 22, 2
    assert libc.prctl(no_new_privileges, 1, 0, 0, 0) == 0
    assert libc.prctl(set_seccomp, by_filter, ctypes.byref(program), 0, 0) == 0


# Takes the server so long that whoever asks meanwhile waits: a deep chain of functions, checked as a whole.
def long_text(functions):
    lines = [f"fn f{k}(x: f64) -> f64 {{ if x > {k}.0 {{ f{k - 1}(x - 1.0) }} else {{ x * {k}.5 }} }}\n" if k else
             "fn f0(x: f64) -> f64 { x }\n" for k in range(functions)]
    return "".join(lines)


class Process(unittest.TestCase):
    def test_exit_codes(self):
        for data, code in ((BEGIN + END, 0), (BEGIN + note("exit"), 1), (note("exit"), 1), (BEGIN, 1), (b"", 1),
                           (BEGIN + request(9, "shutdown"), 0), (BEGIN + END + END, 0), (b"Content-Length: 9\r\n\r\n{", 1)):
            with Server() as server:
                server.send(data)
                server.process.stdin.close()
                server.process.stdin = open(os.devnull, "rb")
                self.assertEqual(server.end(), code, data)

    def test_a_byte_at_a_time(self):
        with Server() as server:
            for byte in BEGIN + opened("fn f() -> i64 { x }") + END:
                server.send(bytes([byte]))
            self.assertEqual(server.reader.answer(0)["result"]["serverInfo"]["name"], "komuz")
            self.assertEqual(server.reader.next()["params"]["diagnostics"][0]["code"], "K0201")
            self.assertEqual(server.end(), 0)

    def test_files_as_input(self):
        with tempfile.TemporaryFile() as file:
            file.write(BEGIN + END)
            file.seek(0)
            done = subprocess.run([KOMUZ, "lsp"], stdin=file, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0)
            self.assertIn(b"capabilities", done.stdout)

    def test_nobody_reads(self):
        with Server() as server:
            server.process.stdout.close()
            server.process.stdout = open(os.devnull, "rb")
            server.send(BEGIN)
            self.assertEqual(server.end(), 1)

    def test_what_is_cancelled_waits_for_nothing(self):
        with Server() as server:
            server.send(BEGIN)
            server.reader.answer(0)
            uri, cancelled = "untitled:1", 0
            server.send(opened(long_text(4000), uri))
            for number in range(1, 41, 2):
                # The text of the first request is analysed anew; the second waits for it, and its end does not. How long it takes is
                # measured by a benchmark, not here.
                server.send(note("textDocument/didChange", textDocument={"uri": uri, "version": number + 1},
                                 contentChanges=[{"range": {"start": {"line": 0, "character": 0},
                                                            "end": {"line": 0, "character": 0}}, "text": "\n"}]))
                asked = [request(k, "textDocument/semanticTokens/full", textDocument={"uri": uri}) for k in (number, number + 1)]
                server.send(b"".join(asked) + note("$/cancelRequest", id=number + 1) + note("$/cancelRequest", id=number))
                answers = {}
                while len(answers) < 2:
                    message = server.reader.next()
                    if "method" not in message:
                        answers[message["id"]] = message
                cancelled += all(answer.get("error", {}).get("code") == -32800 for answer in answers.values())
            # A busy machine may have answered before it reads on; not every time.
            self.assertGreater(cancelled, 0)
            server.send(END)
            self.assertIn("result", server.reader.answer(9))

    def test_it_ends_with_its_parent(self):
        for way in ("option", "initialize", "option beside another process"):
            parent = subprocess.Popen(["sleep", "60"])
            options = [] if way == "initialize" else ["--parent", str(parent.pid)]
            said = {"option": None, "initialize": parent.pid}.get(way, os.getpid())
            with Server(*options) as server:
                server.send(request(0, "initialize", capabilities={}, processId=said))
                self.assertIsNotNone(server.reader.answer(0))
                parent.kill()
                parent.wait()
                server.end()
        # One that has ended already.
        with Server("--parent", str(parent.pid)) as server:
            server.end()

    def test_it_ends_with_its_parent_where_the_system_does_not_tell(self):
        parent = subprocess.Popen(["sleep", "60"])
        with Server("--parent", str(parent.pid), preexec_fn=without_pidfd) as server:
            server.send(request(0, "initialize", capabilities={}))
            self.assertIsNotNone(server.reader.answer(0))
            with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
                self.assertIn("Seccomp:\t2\n", file.read())
            parent.kill()
            parent.wait()
            server.end()
        with Server("--parent", str(parent.pid), preexec_fn=without_pidfd) as server:
            server.end()

    def test_several_clients_on_a_port_and_a_socket(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s")
            for options in (["--tcp", "0"], ["--socket", path]):
                with Server(*options) as server:
                    where = where_of(server)
                    if options[0] == "--socket":
                        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
                    (one, read_one), (two, read_two) = connected(where), connected(where)
                    one.sendall(BEGIN + opened("fn f() -> i64 { one }"))
                    two.sendall(BEGIN + opened("fn f() -> i64 { two }"))
                    for reader, name in ((read_one, "one"), (read_two, "two")):
                        reader.answer(0)
                        self.assertIn(name, reader.next()["params"]["diagnostics"][0]["message"])
                    # One says nothing more and half-closes; one vanishes with an answer on its way.
                    one.sendall(END)
                    one.shutdown(socket.SHUT_WR)
                    self.assertIn("result", read_one.answer(9))
                    self.assertIsNone(read_one.next())
                    one.close()
                    two.sendall(b"".join(request(k, "textDocument/semanticTokens/full",
                                                 textDocument={"uri": "untitled:1"}) for k in range(1, 100)))
                    two.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    two.close()
                    three, read_three = connected(where)
                    three.sendall(BEGIN)
                    self.assertIn("result", read_three.answer(0))
                    three.close()
                    self.assertIsNone(server.process.poll())

    def test_half_closed(self):
        """Who says that nothing more comes gets all answers, on streams and on ports, whatever hangs in the middle of a message."""
        asked = BEGIN + opened("fn f() -> i64 { 1 }") + b"".join(
            request(k, "textDocument/semanticTokens/full", textDocument={"uri": "untitled:1"}) for k in range(1, 50))
        for rest in (b"", b"Content-Le", b"Content-Length: 100\r\n\r\n{"):
            with Server() as server:
                server.send(asked + rest)
                server.process.stdin.close()
                server.process.stdin = open(os.devnull, "rb")
                self.assertIn("result", server.reader.answer(49))
                self.assertEqual(server.end(), 1)
            with Server("--tcp", "0") as server:
                client, reader = connected(where_of(server))
                with client:
                    client.sendall(asked + rest)
                    client.shutdown(socket.SHUT_WR)
                    self.assertIn("result", reader.answer(49))
                    self.assertIsNone(reader.next())

    def test_clients_that_vanish(self):
        """In the middle of a message, with answers on their way, or while they read nothing: the others notice nothing."""
        many = b"".join(request(k, "textDocument/semanticTokens/full", textDocument={"uri": "untitled:1"}) for k in range(1, 400))
        with Server("--tcp", "0") as server:
            where = where_of(server)
            for last in (b"Content-Length: 1000\r\n\r\n{", many, b"Content-Length: 5\r\n\r\n{}"):
                for linger in (b"\1\0\0\0\0\0\0\0", b"\0\0\0\0\0\0\0\0"):
                    client, _ = connected(where)
                    client.sendall(BEGIN + opened(long_text(50)) + last)
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    client.close()
            client, reader = connected(where)
            with client:
                client.sendall(BEGIN + opened("fn f() -> i64 { x }") + END)
                self.assertIn("capabilities", reader.answer(0)["result"])
                self.assertEqual(reader.next()["params"]["diagnostics"][0]["code"], "K0201")
                self.assertIn("result", reader.answer(9))
            self.assertIsNone(server.process.poll())

    def test_nobody_reads_what_is_on_its_way(self):
        """More answers than a pipe holds, whose reader goes: the process ends, and no signal does it."""
        with Server() as server:
            server.send(BEGIN + opened(long_text(300)))
            server.reader.answer(0)
            try:
                for k in range(1, 200):
                    server.send(request(k, "textDocument/semanticTokens/full", textDocument={"uri": "untitled:1"}))
                    if k == 100:
                        server.process.stdout.close()
                        server.process.stdout = open(os.devnull, "rb")
            except BrokenPipeError:
                pass
            self.assertEqual(server.end(), 1)

    def test_who_reads_no_answers_waits(self):
        """What is kept for a client that does not read is bounded: it waits, others do not, and it gets all answers when it reads."""
        def asked(number):
            return request(number, "textDocument/semanticTokens/full", textDocument={"uri": "untitled:1"})

        most = 200_000
        with Server() as server:
            server.send(BEGIN + opened(long_text(300)))
            server.reader.answer(0)
            stream, sent, rest = server.process.stdin.fileno(), 0, b""
            os.set_blocking(stream, False)
            # It takes no more: neither from a pipe that is full nor for a second behind that.
            while sent < most and select.select([], [stream], [], 1.0)[1]:
                rest = rest or asked(sent + 1)
                written = os.write(stream, rest)
                rest = rest[written:]
                sent += not rest
            self.assertLess(sent, most)
            self.assertLess(memory_of(server), 100e6)
            # From now on it reads, and what was cut off comes, too.
            os.set_blocking(stream, True)
            writer = threading.Thread(target=lambda: server.send(rest + END))
            writer.start()
            wanted = sent + (1 if rest else 0)
            answers = [message["id"] for message in iter(server.reader.next, None) if "result" in message]
            writer.join()
            self.assertEqual(answers, [*range(1, wanted + 1), 9])
            self.assertEqual(server.end(), 0)
        with Server("--tcp", "0") as server:
            where = where_of(server)
            (silent, _), (other, reader) = connected(where), connected(where)
            with silent, other:
                silent.sendall(BEGIN + opened(long_text(300)) + b"".join(asked(number) for number in range(1, 3000)))
                other.sendall(BEGIN + opened("fn f() -> i64 { x }"))
                self.assertIn("result", reader.answer(0))
                for number in range(1, 100):
                    other.sendall(asked(number))
                    self.assertIn("result", reader.answer(number))
                self.assertLess(memory_of(server), 100e6)

    def test_what_is_broken_loses_no_document(self):
        deep = b"[" * 600 + b"]" * 600
        bad = [b"Content-Length: -1\r\n\r\n", b"Content-Length: 99999999999999999999\r\n\r\n", b"CONTENT-LENGTH: 2\n\n[]", b"X: 1\r\n\r\n",
               *(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in (b"{", b"[{}]", b"\xff\xfe", deep, b'"text"', b"{}"))]
        with Server() as server:
            server.send(BEGIN + opened("fn kept() -> i64 { 1 }\n", version=7))
            for number, broken in enumerate(bad, 10):
                # A version that goes back is taken as it is.
                change = note("textDocument/didChange", textDocument={"uri": "untitled:1", "version": 30 - number},
                              contentChanges=[{"range": {"start": {"line": 90, "character": 0}, "end": {"line": 99, "character": 9}}, "text": "//\n"}])
                server.send(broken + change + request(number, "textDocument/hover", textDocument={"uri": "untitled:1"},
                                                      position={"line": 0, "character": 4}))
                self.assertIn("fn kept() -> i64", server.reader.answer(number)["result"]["contents"]["value"], broken)
            server.send(END)
            self.assertEqual(server.end(), 0)

    def test_texts_that_nobody_writes_are_answered(self):
        """Deep, or all on one line. What grew with the square of that took minutes."""
        count = 60_000
        texts = {"brackets": "fn f() -> i64 { " + "(" * count + "1" + ")" * count + " }", "open": "fn f() -> i64 { " + "[" * count,
                 "type": "fn f(x: " + "[" * count + "i64" + "]" * count + ") -> i64 { 1 }", "signs": "fn f() -> i64 { " + "-" * count + "1 }",
                 "calls": "fn f(x: i64) -> i64 { " + "f(" * count + "x" + ")" * count + " }",
                 "names": "fn f(x: i64) -> i64 { x" + " + x" * count + " }", "items": "fn f() -> i64 { 1 + }\n" * (count // 10)}
        places = ("hover", "completion", "references", "documentHighlight", "prepareRename", "linkedEditingRange", "signatureHelp")
        with Server() as server:
            server.send(BEGIN)
            number = 10
            for name, text in texts.items():
                uri = "untitled:" + name
                server.send(opened(text, uri))
                document, middle = {"uri": uri}, {"line": 0, "character": len(text) // 2}
                for method in (*places, "selectionRange", "documentSymbol", "foldingRange", "semanticTokens/full"):
                    number += 1
                    server.send(request(number, "textDocument/" + method, textDocument=document, position=middle, positions=[middle],
                                        context={"includeDeclaration": True}))
                    answer = server.reader.answer(number)
                    if method != "prepareRename":
                        self.assertIn("result", answer, (name, method))
                server.send(note("textDocument/didClose", textDocument=document))
            server.send(END)
            self.assertEqual(server.end(), 0)

    def test_a_number_that_is_no_process_ends_nothing(self):
        for number in (0, -1, 2**32 + 1, 2**40, 2**62):
            with Server() as server:
                server.send(request(0, "initialize", capabilities={}, processId=number) + note("initialized") + request(1, "workspace/symbol", query="x"))
                self.assertEqual(server.reader.answer(1)["result"], [], number)
                server.send(END)
                self.assertEqual(server.end(), 0, number)

    def test_a_home_is_no_project(self):
        """Neither a home folder nor all that there is are looked through; a folder in it is."""
        with tempfile.TemporaryDirectory() as home:
            folder = os.path.join(home, "project")
            os.mkdir(folder)
            for where in (home, folder):
                with open(os.path.join(where, "secret.komuz"), "w", encoding="utf-8") as file:
                    file.write("pub fn found_here() -> i64 { 1 }\n")
            for root, count in ((home, 0), (folder, 1), ("/", 0)):
                with Server(env={**os.environ, "HOME": home}) as server:
                    server.send(request(0, "initialize", capabilities={}, rootUri="file://" + root) + note("initialized") +
                                request(1, "workspace/symbol", query="found_here") + END)
                    self.assertEqual(len(server.reader.answer(1)["result"]), count, root)

    def test_a_large_folder_is_looked_at_in_part(self):
        """Of more than 10,000 files no more than those are, whatever is asked."""
        with tempfile.TemporaryDirectory() as folder:
            for number in range(10_050):
                with open(os.path.join(folder, f"m{number}.komuz"), "w", encoding="utf-8") as file:
                    file.write("fn")
            with Server() as server:
                server.send(request(0, "initialize", capabilities={}, rootUri="file://" + folder) + note("initialized") +
                            request(1, "workspace/diagnostic", previousResultIds=[]) + END)
                reports = server.reader.answer(1)["result"]["items"]
                self.assertTrue(9_000 < len(reports) <= 10_000, len(reports))

    def test_a_port_that_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            done = subprocess.run([KOMUZ, "lsp", "--tcp", str(taken.getsockname()[1])], capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 3)
            self.assertIn(b"cannot listen on port", done.stderr)

    def test_a_record_that_cannot_be_written_is_told(self):
        done = subprocess.run([KOMUZ, "lsp", "--record", "/dev/full"], input=BEGIN + END, capture_output=True, timeout=10)
        self.assertIn(b'"id":9', done.stdout)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"/dev/full", done.stderr)

    def test_a_socket_is_not_taken_from_a_process_that_listens(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s")
            with Server("--socket", path) as server:
                where_of(server)
                done = subprocess.run([KOMUZ, "lsp", "--socket", path], capture_output=True, timeout=10)
                self.assertEqual(done.returncode, 3)
                self.assertIn(b"another process listens", done.stderr)
                client, reader = connected(path)
                client.sendall(BEGIN)
                self.assertIn("result", reader.answer(0))
                client.close()
                server.process.kill()
            # One that was left behind.
            self.assertTrue(os.path.exists(path))
            with Server("--socket", path) as server:
                self.assertEqual(where_of(server), path)

    def test_without_descriptors_it_waits_for_one(self):
        few = 32
        with Server("--tcp", "0", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (few, few))) as server:
            where = where_of(server)
            clients = [connected(where)[0] for _ in range(2 * few)]
            time.sleep(0.2)

            def used():
                with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

            before = used()
            time.sleep(0.5)
            self.assertLess(used() - before, 0.1, "seconds of a core")
            for client in clients:
                client.close()
            client, reader = connected(where)
            client.sendall(BEGIN)
            self.assertIn("result", reader.answer(0))
            client.close()

    def test_idle_it_sleeps(self):
        with Server() as server:
            server.send(BEGIN + opened("fn f() -> i64 { 1 }"))
            server.reader.answer(0)
            server.reader.next()

            def switches():
                total = 0
                for thread in os.listdir(f"/proc/{server.process.pid}/task"):
                    with open(f"/proc/{server.process.pid}/task/{thread}/status", encoding="ascii") as file:
                        total += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
                return total

            # A busy machine may take a while before all threads have come to rest.
            def rests_for_a_second():
                before = switches()
                time.sleep(1.0)
                return switches() == before

            self.assertTrue(any(rests_for_a_second() for _ in range(10)))

    def test_a_record_is_played_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "record.jsonl")
            with open(os.path.join(folder, "lib.komuz"), "w", encoding="utf-8") as file:
                file.write("pub fn two() -> i64 { 2 } // é\n")
            uri = "file://" + os.path.join(folder, "a.komuz")
            with Server("--record", path, env={**os.environ, "XDG_CACHE_HOME": folder}) as server:
                server.send(BEGIN + opened("use lib;\nuse std.math;\nfn f() -> i64 { lib.two() + é }\n", uri))
                for number in range(1, 60):
                    server.send(note("textDocument/didChange", textDocument={"uri": uri, "version": number + 1},
                                     contentChanges=[{"text": f"use lib;\nfn f() -> i64 {{ lib.two() + {number} + z }}\n"}]))
                    server.send(request(100 + number, "textDocument/hover", textDocument={"uri": uri},
                                        position={"line": 1, "character": 22}))
                    if number % 3 == 0:
                        server.send(note("$/cancelRequest", id=100 + number))
                server.send(END)
                server.process.stdout.readall()
                self.assertEqual(server.end(), 0)
            os.remove(os.path.join(folder, "lib.komuz"))
            again = subprocess.run([KOMUZ, "lsp", "--replay", path], capture_output=True, text=True, timeout=60)
            self.assertEqual((again.returncode, again.stderr), (0, ""))
            self.assertTrue(again.stdout.startswith("the same: "))
            with open(path, encoding="utf-8") as file:
                record = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(record.replace("K0201", "K0202"))
            other = subprocess.run([KOMUZ, "lsp", "--replay", path], capture_output=True, text=True, timeout=60)
            self.assertEqual(other.returncode, 1)
            self.assertIn("was sent in the place of", other.stderr)

    def test_memory_of_many_edits(self):
        with Server() as server:
            text = long_text(300)
            server.send(BEGIN + opened(text))
            server.reader.answer(0)

            # One edit after the other: texts that wait for a busy machine would count, too.
            def edit(first, count):
                for number in range(first, first + count):
                    server.send(note("textDocument/didChange", textDocument={"uri": "untitled:1", "version": number},
                                     contentChanges=[{"text": text + f"// {number}\n"}]) +
                                request(number, "textDocument/hover", textDocument={"uri": "untitled:1"},
                                        position={"line": 0, "character": 3}))
                    server.reader.answer(number)
                return memory_of(server)

            before = edit(2, 200)
            self.assertLess(edit(300, 1000), before * 1.05 + 4e6)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
