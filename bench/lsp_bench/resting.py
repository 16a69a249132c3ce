# SPDX-License-Identifier: Apache-2.0
"""Memory and rest."""
import tempfile
import time

from documents import Document
from processes import megabytes, wake_ups
from report import Rest, median

# Of each thousand requests that are measured elsewhere; a million in a whole run.
EDITS_OF_A_REQUEST = 1000
BURST = 100


def measure_memory(bench):
    komuz = bench.peers[0]
    with tempfile.TemporaryDirectory() as folder:
        client = komuz.start(folder)
        document = Document(client, komuz.language, folder, 100_000)
        row = Rest("memory, 100,000 lines open", "{:.0f} MB", 150, 80)
        row.figures[komuz.name] = megabytes(client.process.pid)
        yield row
        client.ask("textDocument/hover", textDocument=document.name, position={"line": document.spots[0] + 1, "character": 20})
        row = Rest("… behind a first hover", "{:.0f} MB", 150, 80)
        row.figures[komuz.name] = megabytes(client.process.pid)
        yield row
        client.end()
    yield memory_of_edits(komuz, bench.count * EDITS_OF_A_REQUEST, bench.draw)


def memory_of_edits(komuz, edits, draw):
    """Keys come in bursts, whose last one is waited for."""
    with tempfile.TemporaryDirectory() as folder:
        client = komuz.start(folder)
        document = Document(client, komuz.language, folder, 1000)
        burst, sizes, made = b"", [], 0
        for made, key in enumerate(document.keys(draw, edits), 1):
            burst += document.change_bytes(*key)
            if made % BURST:
                continue
            client.write(burst)
            client.diagnostics(document.uri, document.version)
            burst = b""
            sizes.append(megabytes(client.process.pid))
        client.write(burst)
        client.diagnostics(document.uri, document.version)
        client.end()
    # It goes up and down with each edit, so many moments are compared with many.
    tenth = max(1, len(sizes) // 10)
    early, late = median(sizes[:tenth]), median(sizes[-tenth:])
    row = Rest("memory in the last tenth of %s edits, over that in the first tenth" % f"{made:,}", "{:+.1f} %", 5)
    row.figures[komuz.name] = (late / early - 1) * 100
    row.note = "%.1f MB" % late
    return row


def measure_idle(bench):
    row = Rest("wake-ups in %d s without work" % bench.idle_seconds, "{:.0f}", 0, 0)
    for peer in bench.peers:
        with tempfile.TemporaryDirectory() as folder:
            client = peer.start(folder)
            Document(client, peer.language, folder, 1000)
            time.sleep(1)
            before = wake_ups(client.process.pid)
            time.sleep(bench.idle_seconds)
            row.figures[peer.name] = wake_ups(client.process.pid) - before
            client.end()
    yield row
