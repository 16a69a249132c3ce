# SPDX-License-Identifier: Apache-2.0
"""How long requests and edits of one document take. Each function measures a row for every server."""
import tempfile
import time

from documents import Document
from report import Row, Target, at_most, median, p99, part_of_clangd


def milliseconds(begin, end):
    return (end - begin) * 1000


def measure_starts(bench):
    row = Row("start to `initialize` answered", Target("1/10 of clangd's", part_of_clangd(median, 10)),
              Target("1/20", part_of_clangd(median, 20)))
    for peer in bench.peers:
        with tempfile.TemporaryDirectory() as folder:
            times = row.times[peer.name] = []
            for _ in bench.within(peer, range(bench.count)):
                begin = time.perf_counter()
                client = peer.start(folder)
                times.append(milliseconds(begin, time.perf_counter()))
                client.end()
    yield row


def for_each_document(bench, row, lines, times_of, peers=None):
    """Has `times_of(peer, client, document)` measure a document of so many lines with each server."""
    for peer in peers or bench.peers:
        with tempfile.TemporaryDirectory() as folder:
            client = peer.start(folder)
            document = Document(client, peer.language, folder, lines)
            row.times[peer.name] = times_of(peer, client, document)
            client.end()
    return row


def measure_edits(bench):
    def times_of(peer, client, document):
        times = []
        for line, begin, end, text in bench.within(peer, document.keys(bench.draw, bench.count), bench.edit_seconds):
            start = time.perf_counter()
            document.change(line, begin, end, text)
            times.append(milliseconds(start, client.diagnostics(document.uri, document.version)))
        return times

    row = Row("an edit to its diagnostics, 1,000 lines", Target("p99: 1/10 of clangd's median", part_of_clangd(p99, 10)),
              Target("p99: 1/40, 8 ms; median 2 ms", part_of_clangd(p99, 40), at_most(p99, 8), at_most(median, 2)))
    yield for_each_document(bench, row, 1000, times_of)
    row = Row("the same, 10,000 lines", Target("p99: 30 ms", at_most(p99, 30)), Target("p99: 15 ms", at_most(p99, 15)))
    yield for_each_document(bench, row, 10_000, times_of, bench.peers[:1])


QUESTIONS = (("hover", "hover", 1, 0.5), ("definition", "definition", 1, 0.5), ("documentHighlight", "highlight", 1, 0.5),
             ("completion", "completion", 5, 2))


def measure_questions(bench):
    for method, word, must, goal in QUESTIONS:
        def times_of(peer, client, document, method=method):
            times = []
            for _ in bench.within(peer, range(bench.count)):
                line = bench.draw.choice(document.spots) + 1
                column = document.lines[line].index("left_") + (4 if method == "completion" else 1)
                start = time.perf_counter()
                asked = client.start("textDocument/" + method, textDocument=document.name, position={"line": line, "character": column})
                times.append(milliseconds(start, client.answer(asked)[1]))
            return times

        row = Row("%s, 1,000 lines" % word, Target("%g ms" % must, at_most(median, must)), Target("%g ms" % goal, at_most(median, goal)))
        yield for_each_document(bench, row, 1000, times_of)


def measure_completion_behind_edits(bench):
    def times_of(peer, client, document):
        times = []
        for line, begin, end, text in bench.within(peer, document.keys(bench.draw, bench.count)):
            start = time.perf_counter()
            document.change(line, begin, end, text)
            asked = client.start("textDocument/completion", textDocument=document.name, position={"line": line, "character": begin + len(text)})
            times.append(milliseconds(start, client.answer(asked)[1]))
        return times

    yield for_each_document(bench, Row("completion behind an edit, 1,000 lines"), 1000, times_of)


def measure_tokens(bench):
    def times_of(peer, client, document):
        assert client.can["semanticTokensProvider"]["full"] != True, "the server has no delta"  # noqa: E712
        known = client.ask("textDocument/semanticTokens/full", textDocument=document.name)["resultId"]
        times = []
        for line, begin, end, text in bench.within(peer, document.keys(bench.draw, bench.count)):
            start = time.perf_counter()
            document.change(line, begin, end, text)
            asked = client.start("textDocument/semanticTokens/full/delta", textDocument=document.name, previousResultId=known)
            result, when = client.answer(asked)
            assert "edits" in result, result.keys()
            known = result["resultId"]
            times.append(milliseconds(start, when))
        return times

    row = Row("semantic tokens delta behind an edit, 10,000 lines", Target("8 ms", at_most(median, 8)), Target("3 ms", at_most(median, 3)))
    yield for_each_document(bench, row, 10_000, times_of, bench.peers[:1])
