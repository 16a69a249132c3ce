# SPDX-License-Identifier: Apache-2.0
"""A client of a language server on standard streams, for checks and for benchmarks (bench/lsp_bench)."""
import json
import os
import re
import select
import subprocess
import time
from pathlib import Path

LENGTH = re.compile(rb"Content-Length: *(\d+)", re.I)


def framed(message):
    """The bytes of a message; it may be JSON already."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class FrameReader:
    """Bytes to bodies of messages."""

    def __init__(self):
        self.bytes, self.wanted = bytearray(), 0

    def add(self, data):
        self.bytes += data

    def next(self):
        """The next body; None: it has not come yet."""
        # A large answer comes in many parts: its header is read once.
        if len(self.bytes) < self.wanted:
            return None
        end = self.bytes.find(b"\r\n\r\n")
        if end < 0:
            return None
        begin = end + 4
        self.wanted = begin + int(LENGTH.search(self.bytes, 0, end)[1])
        if len(self.bytes) < self.wanted:
            return None
        body = bytes(self.bytes[begin:self.wanted])
        del self.bytes[:self.wanted]
        self.wanted = 0
        return body


class ServerError(Exception):
    """The server is gone, silent, or has answered with an error."""


class Client:
    """A server that was started and has answered `initialize`; what it asks gets an empty answer."""

    def __init__(self, command, folder, capabilities=None, options=None, patience=120):
        self.name, self.patience = Path(command[0]).name, patience
        self.frames, self.number = FrameReader(), 0
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        bufsize=0, cwd=folder)
        uri = Path(folder).as_uri()
        self.can = self.ask("initialize", processId=os.getpid(), rootUri=uri, capabilities=capabilities or {},
                            initializationOptions=options, workspaceFolders=[{"uri": uri, "name": "work"}])["capabilities"]
        self.tell("initialized")

    # --- messages

    def write(self, data):
        """Bytes of messages. The server must not wait for ever for someone who reads."""
        while data:
            readable, writable, _ = select.select([self.process.stdout], [self.process.stdin], [], self.patience)
            if not readable and not writable:
                raise ServerError("%s takes nothing for %d s" % (self.name, self.patience))
            if readable:
                self.read()
            if writable:
                # As much as a pipe takes without waiting.
                data = data[os.write(self.process.stdin.fileno(), data[:4096]):]

    def read(self):
        more = os.read(self.process.stdout.fileno(), 1 << 20)
        if not more:
            raise ServerError("%s has ended" % self.name)
        self.frames.add(more)

    def send(self, message):
        self.write(framed({"jsonrpc": "2.0", **message}))

    def tell(self, method, **params):
        self.send({"method": method, "params": params})

    def start(self, method, **params):
        """The id of a request whose answer is not waited for."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def next(self):
        """The next message, and when it had come (time.perf_counter)."""
        while (body := self.frames.next()) is None:
            if not select.select([self.process.stdout], [], [], self.patience)[0]:
                raise ServerError("%s says nothing for %d s" % (self.name, self.patience))
            self.read()
        when = time.perf_counter()
        message = json.loads(body)
        if "id" in message and "method" in message:
            self.send({"id": message["id"], "result": None})
        return message, when

    def answer(self, number):
        """The result of a request, and when it had come."""
        while True:
            message, when = self.next()
            if message.get("id") == number and "method" not in message:
                if "result" not in message:
                    raise ServerError("%s: %s" % (self.name, message["error"]))
                return message["result"], when

    def ask(self, method, **params):
        return self.answer(self.start(method, **params))[0]

    def wait_for(self, method, is_it):
        """The parameters of a notification, and when it had come."""
        while True:
            message, when = self.next()
            if message.get("method") == method and is_it(message["params"]):
                return message["params"], when

    def diagnostics(self, uri, version):
        """When those of a version had come. Who says no version says it of the last one."""
        return self.wait_for("textDocument/publishDiagnostics",
                             lambda params: params["uri"] == uri and params.get("version", version) == version)[1]

    def open(self, uri, language, text, version=1):
        self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": language, "version": version, "text": text})

    def end(self):
        """The exit code; None: it had to be killed."""
        try:
            self.ask("shutdown")
            self.tell("exit")
            return self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        finally:
            self.process.stdin.close()
            self.process.stdout.close()
