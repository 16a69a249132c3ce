# SPDX-License-Identifier: Apache-2.0
"""What a real client uses of the server: the tests that drive one keep it, and rows_of_clients.py makes a table of it.

`komuz lsp --record` says what came; KOMUZ_CLIENT_USES is the folder where the uses are kept, a file for each test. Without it nothing is.
"""
import glob
import json
import os
import stat
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from stdio_client import FrameReader  # noqa: E402


def wrapper(folder, komuz):
    """An executable like komuz, whose language server keeps records in the folder; for editors that are told a program alone."""
    path = os.path.join(folder, "komuz")
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"""#!/bin/sh
[ "$1" = lsp ] || exec '{komuz}' "$@"
shift
# Who hands on what is said has nothing to record.
case "$1" in --connect) exec '{komuz}' lsp "$@" ;; esac
exec '{komuz}' lsp --record '{folder}/'$$.record "$@"
""")
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def sessions_of(record):
    """The messages of each client of a record, in their order."""
    readers, sessions = {}, {}
    with open(record, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "bytes" not in row:
                continue
            reader = readers.setdefault(row["client"], FrameReader())
            reader.add(row["bytes"].encode("latin-1"))
            while (body := reader.next()) is not None:
                sessions.setdefault(row["client"], []).append(json.loads(body))
    return list(sessions.values())


def keep(client, test, records):
    """… of a client, a column of the table, in the records of a test."""
    folder = os.environ.get("KOMUZ_CLIENT_USES")
    if not folder:
        return
    methods, offers = set(), []
    for record in records:
        for session in sessions_of(record):
            methods |= {message["method"] for message in session if "method" in message}
            offers += [message["params"].get("capabilities", {}) for message in session if message.get("method") == "initialize"]
    assert offers, f"{test}: no session is in {records}"
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, test + ".json"), "w", encoding="utf-8") as out:
        json.dump({"client": client, "methods": sorted(methods), "offers": offers}, out, ensure_ascii=False)


def records_in(folder):
    return sorted(glob.glob(os.path.join(glob.escape(folder), "*.record")))


def all_uses():
    """By client: what it sent, and what it says of itself; of all tests that have run."""
    folder = os.environ.get("KOMUZ_CLIENT_USES", "")
    uses = {}
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*.json"))):
        with open(path, encoding="utf-8") as text:
            kept = json.load(text)
        own = uses.setdefault(kept["client"], {"methods": set(), "offers": []})
        own["methods"] |= set(kept["methods"])
        own["offers"] += kept["offers"]
    return uses
