#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`komuz lsp --websocket`: who is let in, what a frame may be, how clients go.

    check_web_socket.py KOMUZ
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from web_client import BINARY, CLOSE, PING, PONG, TEXT, Server, rest_of

KOMUZ = os.path.abspath(sys.argv[1])
MOST_MESSAGE = 64 << 20
WRONG = "fn f(x: f64) -> f64 { y }\n"


def processor_ticks(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as stat:
        return sum(map(int, stat.read().rpartition(")")[2].split()[11:13]))


class Door(unittest.TestCase):
    """DNS rebinding, pages of other sites, no token, an old token."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(KOMUZ, "--page")

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def refused(self, words, target=None, **fields):
        status, said = self.server.upgraded(target, **fields)
        self.assertEqual(status, 403, fields)
        self.assertIn(words, said)

    def test_a_name_that_was_bound_to_this_machine(self):
        port = self.server.port
        for host in (f"evil.example:{port}", "evil.example", f"127.0.0.1:{port + 1}", f"[::1]:{port}"):
            self.refused("not a name of this server", Host=host, Origin=f"http://{host}")
            status, _, said = self.server.asked(self.server.path, Host=host)
            self.assertEqual((status, "not a name of this server" in said), (403, True))

    def test_a_page_of_another_site(self):
        port = self.server.port
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}", f"http://localhost:{port}"):
            self.refused("another site", Origin=origin)
        self.refused("names the page", Origin=None)

    def test_no_token_and_an_old_one(self):
        with Server(KOMUZ, "--page") as other:
            old = other.path
        for target in ("/", "/lsp", old, old[:-2] + "/", self.server.path[:-2] + "/"):
            self.refused("no token, or that of another run", target)
            status, _, said = self.server.asked(target)
            self.assertEqual((status, "no token, or that of another run" in said), (403, True))

    def test_fields_that_come_twice(self):
        path, host, origin = self.server.path, self.server.host, self.server.origin
        for double in (f"Host: {host}\r\nHost: evil.example", f"Host: {host}\r\nOrigin: {origin}\r\nOrigin: http://evil.example"):
            with self.server.stream() as stream:
                stream.sendall(f"GET {path} HTTP/1.1\r\n{double}\r\n\r\n".encode())
                self.assertIn(b" 403 ", rest_of(stream)[:20])

    def test_the_own_page_under_both_names(self):
        for host in (f"127.0.0.1:{self.server.port}", f"localhost:{self.server.port}"):
            status, client = self.server.upgraded(Host=host, Origin=f"http://{host}")
            self.assertEqual(status, 101, client)
            self.assertIn("capabilities", client.begin()["result"])
            client.close()

    def test_only_the_loopback_address_listens(self):
        with open(f"/proc/{self.server.process.pid}/net/tcp", encoding="ascii") as table:
            mine = [row.split()[1] for row in table if row.split()[1].endswith(f":{self.server.port:04X}") and row.split()[3] == "0A"]
        self.assertEqual(mine, [f"0100007F:{self.server.port:04X}"])

    def test_the_token_is_printed_once_and_new_each_time(self):
        with Server(KOMUZ, "--page") as other:
            self.assertNotEqual(other.path, self.server.path)
            other.client().close()
            other.process.kill()
            self.assertEqual(other.process.stderr.read(), "")

    def test_pages(self):
        status, head, body = self.server.asked(self.server.path)
        self.assertEqual(status, 200)
        policy = next(line for line in head.splitlines() if line.startswith("Content-Security-Policy: "))
        for word in ("default-src 'none'", "script-src 'self'", f"connect-src 'self' ws://{self.server.host};", "frame-ancestors 'none'"):
            self.assertIn(word, policy)
        self.assertIn("page.js", body)
        self.assertEqual(self.server.asked(self.server.path + "page.js")[0], 200)
        self.assertIn("licences.txt", self.server.asked(self.server.path + "page.js")[2][:200])
        self.assertEqual(self.server.asked(self.server.path + "none.js")[0], 404)
        # A body that nobody wants does not take the answer back.
        self.assertEqual(self.server.asked(self.server.path, "POST", b"x" * 100_000, Content_Length="100000")[0], 405)

    def test_what_is_no_request(self):
        for data, status in ((b"hello\r\n\r\n", b" 400 "), (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b" 400 "), (b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000, b" 431 "),
                             (b"Content-Length: 2\r\n\r\n{}", b" 400 ")):
            with self.server.stream() as stream:
                stream.sendall(data)
                self.assertIn(status, rest_of(stream)[:20], data[:40])
        # Half of one, and no more: nobody else waits for it.
        with self.server.stream() as stream, self.server.stream():
            stream.sendall(b"GET / HTTP/1.1\r\n")
            self.assertEqual(self.server.asked("/")[0], 403)

    def test_streams_that_say_nothing(self):
        silent = [self.server.stream() for _ in range(100)]
        status, client = self.server.upgraded()
        self.assertEqual(status, 101, client)
        self.assertIn("capabilities", client.begin()["result"])
        # The oldest have gone, the others may still ask, and a client is none of them.
        self.assertEqual(silent[0].recv(1), b"")
        silent[-1].sendall(b"GET / HTTP/1.1\r\n\r\n")
        self.assertIn(b" 403 ", rest_of(silent[-1])[:20])
        more = [self.server.stream() for _ in range(100)]
        self.assertEqual(self.server.asked("/")[0], 403)
        client.request(1, "none")
        self.assertEqual(client.answer(1)["error"]["code"], -32601)
        for stream in (*silent, *more, client):
            stream.close()

    def test_a_wrong_handshake(self):
        self.assertEqual(self.server.upgraded(Sec_WebSocket_Version="8")[0], 426)
        self.assertEqual(self.server.upgraded(Sec_WebSocket_Key=None)[0], 400)
        self.assertEqual(self.server.upgraded(self.server.path + "page.js")[0], 404)


class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(KOMUZ, "--websocket", "0")

    @classmethod
    def tearDownClass(cls):
        assert cls.server.process.poll() is None, "the server has ended"
        cls.server.__exit__()

    def client(self):
        made = self.server.client()
        self.addCleanup(made.close)
        return made

    def is_alive(self):
        client = self.client()
        self.assertIn("capabilities", client.begin()["result"])

    def test_a_session(self):
        self.assertTrue(self.server.address.startswith("ws://127.0.0.1:"))
        client = self.client()
        client.begin()
        client.open("/// é 😀\nfn f(x: f64) -> f64 { y }\n")
        pushed = client.next()
        self.assertEqual(pushed["method"], "textDocument/publishDiagnostics")
        client.request(1, "textDocument/hover", textDocument={"uri": "untitled:1"}, position={"line": 1, "character": 3})
        self.assertIn("é 😀", client.answer(1)["result"]["contents"]["value"])
        client.request(2, "shutdown")
        client.note("exit")
        self.assertIsNone(client.answer(2)["result"])
        self.assertEqual(client.close_code(), 1000)

    def test_several_clients_have_documents_of_their_own(self):
        clients = [self.client() for _ in range(5)]
        for k, client in enumerate(clients):
            client.begin()
            client.open(f"fn own{k}(x: f64) -> f64 {{ x }}\n")
        for k, client in enumerate(clients):
            client.request(1, "textDocument/documentSymbol", textDocument={"uri": "untitled:1"})
            self.assertEqual([one["name"] for one in client.answer(1)["result"]], [f"own{k}"])

    def test_portions_and_fragments(self):
        client = self.client()
        data = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}, "é": "😀"}}, ensure_ascii=False).encode()
        # In pieces that cut letters, with a ping between.
        client.send_frame(TEXT, data[:7], is_last=False)
        client.send_frame(PING, b"between")
        for k in range(7, len(data), 11):
            client.send_frame(0, data[k:k + 11], is_last=False)
        client.send_frame(0, b"")
        self.assertEqual(client.next_frame(), (PONG, b"between", True))
        self.assertIn("capabilities", client.answer(0)["result"])
        client.note("initialized")
        data = client.frame(TEXT, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "none"}).encode())
        for k in range(len(data)):
            client.stream.sendall(data[k:k + 1])
        self.assertEqual(client.answer(1)["error"]["code"], -32601)
        # Two in one portion.
        client.stream.sendall(client.frame(TEXT, b'{"jsonrpc":"2.0","id":2,"method":"none"}') + client.frame(TEXT, b"{"))
        self.assertEqual(client.next()["id"], 2)
        self.assertEqual(client.next()["error"]["code"], -32700)

    def test_large_messages_come_and_go_whole(self):
        client = self.client()
        client.begin()
        text = "".join(f"fn f{k}(x: f64) -> f64 {{ x + {k}.0 }}\n" for k in range(20_000))
        client.open(text)
        client.request(1, "textDocument/semanticTokens/full", textDocument={"uri": "untitled:1"})
        self.assertGreater(len(client.answer(1)["result"]["data"]), 500_000)

    def test_pings(self):
        client = self.client()
        for data in (b"", b"x" * 125):
            client.send_frame(PING, data)
            self.assertEqual(client.next_frame(), (PONG, data, True))
        client.send_frame(PONG, b"unasked")
        client.begin()

    def test_close_codes(self):
        def code(data, **how):
            client = self.client()
            client.send_frame(*data, **how)
            return client.close_code()

        self.assertEqual(code((BINARY, b"{}")), 1003)
        self.assertEqual(code((TEXT, b"\xff\xfe{}")), 1007)
        self.assertEqual(code((TEXT, b"{}"), is_masked=False), 1002)
        self.assertEqual(code((0, b"continues nothing")), 1002)
        self.assertEqual(code((3, b"")), 1002)
        self.assertEqual(code((PING, b"x" * 126)), 1002)
        self.assertEqual(code((TEXT, b"", ), length=MOST_MESSAGE + 1), 1009)
        self.assertEqual(code((TEXT, b"", ), length=1 << 62), 1009)
        self.assertEqual(code((CLOSE, struct.pack(">H", 1001))), 1001)
        self.assertEqual(code((CLOSE, b"")), 1000)
        self.is_alive()

    def test_a_message_of_the_most_bytes_and_one_more_in_fragments(self):
        client = self.client()
        client.send_frame(TEXT, b'"' + b"x" * (MOST_MESSAGE - 2), is_last=False)
        client.send_frame(0, b'"')
        self.assertEqual(client.next()["error"]["code"], -32600)
        client = self.client()
        client.send_frame(TEXT, b"x" * MOST_MESSAGE, is_last=False)
        try:
            client.send_frame(0, b"xx")
        except OSError:
            pass
        self.assertEqual(client.close_code(), 1009)
        self.is_alive()

    def test_a_large_binary_message_is_refused_before_it_is_whole(self):
        client = self.client()
        client.send_frame(BINARY, b"x" * 100, length=MOST_MESSAGE)
        self.assertEqual(client.close_code(), 1003)

    def test_clients_that_vanish(self):
        for k in range(60):
            client = self.server.client()
            if k % 3:
                client.begin()
                client.open(WRONG)
            if k % 4 == 1:
                # Half a frame.
                client.stream.sendall(client.frame(TEXT, b"x" * 1000)[:50])
            if k % 5 == 1:
                client.stream.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER: a reset
            client.close()
        self.is_alive()

    def test_half_closed(self):
        client = self.client()
        client.begin()
        client.stream.shutdown(1)
        # A WebSocket ends by a frame: without one nothing more is said, and the stream ends.
        self.assertIsNone(client.close_code())
        self.is_alive()

    def test_a_client_that_reads_nothing_keeps_nobody_waiting(self):
        client = self.client()
        client.begin()
        client.open("".join(f"fn f{k}(x: f64) -> f64 {{ x + {k}.0 }}\n" for k in range(5000)))
        for k in range(20):
            client.request(k, "textDocument/semanticTokens/full", textDocument={"uri": "untitled:1"})
        self.is_alive()

    def test_random_bytes(self):
        seed = int(os.environ.get("KOMUZ_SEED", random.randrange(1 << 30)))
        print("KOMUZ_SEED", seed)
        rng = random.Random(seed)
        for _ in range(200):
            client = self.server.client()
            try:
                data = bytearray(client.frame(TEXT, b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}') * 3)
                for _ in range(rng.randrange(1, 6)):
                    data[rng.randrange(len(data))] = rng.randrange(256)
                client.stream.sendall(data)
            except OSError:
                pass  # it was closed before
            client.close()
        self.is_alive()

    def test_it_sleeps(self):
        client = self.client()
        client.begin()
        before = processor_ticks(self.server.process.pid)
        time.sleep(1)
        self.assertLessEqual(processor_ticks(self.server.process.pid) - before, 1)


class Process(unittest.TestCase):
    def test_a_record_is_played_again(self):
        with tempfile.TemporaryDirectory() as folder:
            record = os.path.join(folder, "record.jsonl")
            with Server(KOMUZ, "--page", "--record", record) as server:
                for _ in range(2):
                    client = server.client()
                    client.begin()
                    client.open(WRONG)
                    client.next()
                    client.request(1, "shutdown")
                    client.note("exit")
                    client.answer(1)
                    self.assertEqual(client.close_code(), 1000)
                    client.close()
                with open(record, encoding="utf-8") as text:
                    self.assertNotIn(server.path.strip("/"), text.read())
            again = subprocess.run([KOMUZ, "lsp", "--replay", record], capture_output=True, text=True, check=False)
            self.assertEqual((again.returncode, again.stdout), (0, "the same: 6 messages\n"))

    def test_a_port_that_is_taken(self):
        with Server(KOMUZ, "--page") as server:
            ran = subprocess.run([KOMUZ, "lsp", "--websocket", str(server.port)], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 3)
        self.assertIn(f"cannot listen on port {server.port}", ran.stderr)

    def test_it_ends_with_its_parent(self):
        parent = subprocess.Popen(["sleep", "60"])
        server = Server(KOMUZ, "--page", "--parent", str(parent.pid))
        client = server.client()
        client.begin()
        parent.kill()
        parent.wait()
        self.assertEqual(server.process.wait(timeout=5), 0)
        client.close()
        server.__exit__()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
