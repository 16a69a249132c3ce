# SPDX-License-Identifier: Apache-2.0
"""How long an editor waits for `komuz lsp`, beside clangd and a language server of npm.

Usage: python3 bench/lsp_bench KOMUZ [--quick] [--alone] [--npm FOLDER] [--only WORD] [--write FILE]

A client on standard streams. It types words into functions and takes them out again, a key at a time, and waits for each answer: half of
the time the text is broken, as it is under an editor's hands. The peers get texts of as many lines, with functions of the same shape:
clangd C, typescript-language-server TypeScript. It is fetched from npm into a temporary folder, or taken from FOLDER; without network it
is left out, as clangd is where it is not installed.

Each figure is of 1,000 requests. Peers that take longer get 8 s for a row (edits: 90 s), and the table says how many requests that
were. --quick: 50 requests, and 3 s for peers. --requests N: so many. --write replaces the tables of FILE between `<!-- lsp measured -->`
and `<!-- end of lsp measured -->`.
"""
import argparse
import datetime
import os
import random
import sys
import tempfile
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent), str(FOLDER.parent.parent / "tests" / "lsp")]

from asking import measure_completion_behind_edits, measure_edits, measure_questions, measure_starts, measure_tokens  # noqa: E402
from measure import machine, write_between_marks  # noqa: E402
from peers import find_peers  # noqa: E402
from projects import measure_ranking, measure_rename  # noqa: E402
from report import table  # noqa: E402
from resting import measure_idle, measure_memory  # noqa: E402

MARKS = "<!-- lsp measured -->\n", "<!-- end of lsp measured -->\n"
# By a word for --only.
TIMES = {"start": measure_starts, "edit": measure_edits, "question": measure_questions, "completion": measure_completion_behind_edits,
         "token": measure_tokens, "rename": measure_rename, "ranking": measure_ranking}
# From the start, so that a whole run takes twelve minutes where all is slow, too.
PEER_SECONDS = 480
RESTS = {"memory": measure_memory, "idle": measure_idle}


class Bench:
    """The servers, komuz first, and how much is measured."""

    def __init__(self, peers, options):
        self.peers, self.count, self.draw = peers, options.requests, random.Random(1)
        is_whole = self.count >= 1000
        self.peer_seconds, self.edit_seconds, self.idle_seconds = (8, 90, 10) if is_whole else (3, 3, 3)
        self.end_of_peers = time.perf_counter() + PEER_SECONDS

    def within(self, peer, those, seconds=None):
        """All of those for komuz; for peers as many as they do in so many seconds, and few where time runs out."""
        now = time.perf_counter()
        deadline = now + min(seconds or self.peer_seconds, max(2, self.end_of_peers - now))
        for one in those:
            yield one
            if peer is not self.peers[0] and time.perf_counter() > deadline:
                return


def measured_rows(measures, only, bench):
    rows = []
    for word, measure in measures.items():
        if only not in word:
            continue
        begin = time.perf_counter()
        rows += measure(bench)
        print("… %s: %.0f s" % (word, time.perf_counter() - begin), file=sys.stderr, flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(prog="python3 bench/lsp_bench", description=__doc__.splitlines()[0])
    parser.add_argument("komuz")
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--quick", dest="requests", action="store_const", const=50, help="50 requests each")
    parser.add_argument("--alone", action="store_true", help="without peers")
    parser.add_argument("--npm", help="a folder where typescript-language-server is installed")
    parser.add_argument("--only", default="", choices=["", *TIMES, *RESTS])
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables into the file, too")
    options = parser.parse_args()
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(find_peers(options.komuz, options.alone, options.npm or temporary), options)
        names = [peer.name for peer in bench.peers]
        times, rests = (measured_rows(measures, options.only, bench) for measures in (TIMES, RESTS))
    # The load of the last minute; the client and the server that it waits for are one by turns.
    text = "%s; %s; load at the end %.1f, of which 1 is the measuring itself; %.0f s in all.\n" % (
        machine(), datetime.date.today(), os.getloadavg()[0], time.perf_counter() - begin)
    text += "".join("\n" + table(head, rows, names) for head, rows in (("median; p99 in ms (requests)", times), ("memory and rest", rests)) if rows)
    print(text, end="")
    if options.write:
        write_between_marks(options.write, text, *MARKS)


if __name__ == "__main__":
    main()
