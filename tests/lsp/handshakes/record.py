#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands between a client and its language server, and keeps what the client says.

    record.py FILE FOLDER SERVER…

Starts SERVER, passes on both ways what comes, byte for byte, and appends each message of the client to FILE, one a line. What tells of
a machine is left out: FOLDER, in which the client works, is written as /w, ids of processes as 1, and the home folder as /home/u.
"""
import json
import os
import subprocess
import sys
import threading


def clean(value, folder, key=""):
    if isinstance(value, dict):
        return {name: clean(one, folder, name) for name, one in value.items()}
    if isinstance(value, list):
        return [clean(one, folder) for one in value]
    if key == "processId" and value is not None:
        return 1
    if isinstance(value, str):
        value = value.replace(folder, "/w")
        home = os.path.expanduser("~")
        return value.replace(home + "/", "/home/u/") if len(home) > 1 else value
    return value


def read_frame(stream):
    """The head and the body of a message as they came; nothing at the end of the stream."""
    head, length = b"", 0
    while True:
        line = stream.readline()
        if not line:
            return None
        head += line
        if not line.strip():
            break
        name, _, number = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(number)
    body = b""
    while len(body) < length:
        part = stream.read(length - len(body))
        if not part:
            return None
        body += part
    return head, body


def pass_answers(server):
    while part := server.stdout.read1(65536):
        sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()


def pass_messages(server, file, folder):
    with open(file, "a", encoding="utf-8") as out:
        while frame := read_frame(sys.stdin.buffer):
            head, body = frame
            message = clean(json.loads(body), folder)
            out.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n")
            out.flush()
            server.stdin.write(head + body)
            server.stdin.flush()
    server.stdin.close()


def outlive_the_client():
    """Emacs kills a server's process group right behind `exit`, before anyone can read it: what records leaves the group."""
    child = os.fork()
    if child != 0:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    os.setsid()


def main(file, folder, *command):
    outlive_the_client()
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    answers = threading.Thread(target=pass_answers, args=(server,))
    answers.start()
    threading.Thread(target=pass_messages, args=(server, file, folder), daemon=True).start()
    status = server.wait()
    answers.join()
    return status


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    result = main(*sys.argv[1:])
    # The thread that reads waits for a client that may have no more to say.
    os._exit(result)
