# SPDX-License-Identifier: Apache-2.0
"""As much of HTTP and of WebSocket (RFC 6455) as the checks need, byte by byte, so that a client can also do what it should not."""
import base64
import hashlib
import json
import os
import socket
import struct
import subprocess
import urllib.parse

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
SECONDS = 120


class Server:
    """`komuz lsp` on a port; `address` is what it prints."""

    def __init__(self, komuz, *options):
        self.process = subprocess.Popen([komuz, "lsp", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline().strip()
        assert line.startswith("listening on "), line
        self.address = line.removeprefix("listening on ")
        parts = urllib.parse.urlsplit(self.address)
        self.port, self.path, self.host = parts.port, parts.path, parts.netloc
        self.origin = "http://" + parts.netloc

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        self.process.wait()

    def stream(self):
        made = socket.create_connection(("127.0.0.1", self.port))
        made.settimeout(SECONDS)
        return made

    def asked(self, target, method="GET", body=b"", **fields):
        """Status, header and body of an answer. A field that is None is left out."""
        with self.stream() as stream:
            lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in {"Host": self.host, **fields}.items() if value is not None)
            stream.sendall(f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode() + body)
            return read_answer(stream)

    def upgraded(self, target=None, **fields):
        """The status and the body of a refusal, or (101, a WebSocket)."""
        stream = self.stream()
        key = base64.b64encode(os.urandom(16)).decode()
        wanted = {"Host": self.host, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
                  "Sec-WebSocket-Version": "13", "Origin": self.origin, **{name.replace("_", "-"): value for name, value in fields.items()}}
        lines = "".join(f"{name}: {value}\r\n" for name, value in wanted.items() if value is not None)
        stream.sendall(f"GET {self.path if target is None else target} HTTP/1.1\r\n{lines}\r\n".encode())
        head = read_head(stream)
        if status_of(head) != 101:
            body = rest_of(stream)
            stream.close()
            return status_of(head), body.decode()
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        assert accept in head, head
        return 101, WebSocket(stream)

    def client(self):
        status, made = self.upgraded()
        assert status == 101, made
        return made


def read_head(stream):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = stream.recv(1)
        assert byte, head
        head += byte
    return head.decode()


def status_of(head):
    return int(head.split(" ")[1])


def rest_of(stream):
    found = b""
    while more := stream.recv(1 << 16):
        found += more
    return found


def read_answer(stream):
    head = read_head(stream)
    return status_of(head), head, rest_of(stream).decode()


class WebSocket:
    def __init__(self, stream):
        self.stream = stream

    def frame(self, kind, data, is_last=True, is_masked=True, length=None):
        """`length`: what the header says instead of the truth."""
        length = len(data) if length is None else length
        mask_bit = 0x80 if is_masked else 0
        head = bytes([(0x80 if is_last else 0) | kind])
        if length < 126:
            head += bytes([mask_bit | length])
        elif length < 1 << 16:
            head += bytes([mask_bit | 126]) + struct.pack(">H", length)
        else:
            head += bytes([mask_bit | 127]) + struct.pack(">Q", length)
        if not is_masked:
            return head + data
        mask = os.urandom(4)
        # As one large number: a loop over bytes takes too long for large messages.
        stretched = (mask * (len(data) // 4 + 1))[:len(data)]
        return head + mask + (int.from_bytes(data, "big") ^ int.from_bytes(stretched, "big")).to_bytes(len(data), "big")

    def send_frame(self, kind, data, **how):
        self.stream.sendall(self.frame(kind, data, **how))

    def send(self, message):
        self.send_frame(TEXT, json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode())

    def request(self, number, method, **params):
        self.send({"id": number, "method": method, "params": params})

    def note(self, method, **params):
        self.send({"method": method, "params": params})

    def take(self, count):
        found = b""
        while len(found) < count:
            more = self.stream.recv(count - len(found))
            if not more:
                return None
            found += more
        return found

    def next_frame(self):
        """(kind, data, is it whole?); None: the stream has ended."""
        head = self.take(2)
        if head is None:
            return None
        length = head[1] & 0x7F
        assert not head[1] & 0x80, "a server masks nothing"
        if length == 126:
            length = struct.unpack(">H", self.take(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.take(8))[0]
        return head[0] & 15, self.take(length) if length else b"", bool(head[0] & 0x80)

    def next(self):
        found = self.next_frame()
        if found is None:
            return None
        kind, data, is_whole = found
        assert kind == TEXT and is_whole, found
        return json.loads(data)

    def answer(self, number):
        while (message := self.next()) is not None:
            if message.get("id") == number and "method" not in message:
                return message
        return None

    def close_code(self):
        """The code of the close frame that comes; None: the stream ends without one."""
        while (found := self.next_frame()) is not None:
            if found[0] == CLOSE:
                return struct.unpack(">H", found[1][:2])[0] if found[1] else 1005
        return None

    def begin(self, **options):
        self.request(0, "initialize", capabilities={}, **options)
        self.note("initialized")
        return self.answer(0)

    def open(self, text, uri="untitled:1", version=1):
        self.note("textDocument/didOpen", textDocument={"uri": uri, "languageId": "komuz", "version": version, "text": text})

    def close(self):
        self.stream.close()
