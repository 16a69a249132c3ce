# SPDX-License-Identifier: Apache-2.0
"""A document that is open, and typed into."""
import json
from pathlib import Path

from stdio_client import framed


class Document:
    def __init__(self, client, language, folder, lines):
        self.client, self.language = client, language
        self.lines = language.text(lines).split("\n")
        path = Path(folder) / ("typed" + language.ending)
        text = "\n".join(self.lines)
        path.write_text(text, encoding="utf-8")
        self.uri, self.version = path.as_uri(), 1
        self.name = {"uri": self.uri}
        # Lines of bodies, which words are typed behind.
        self.spots = [k for k, line in enumerate(self.lines) if " base = " in line]
        client.open(self.uri, language.name, text)
        client.diagnostics(self.uri, 1)

    def change_bytes(self, line, begin, end, text):
        """The message of an edit."""
        self.version += 1
        change = {"range": {"start": {"line": line, "character": begin}, "end": {"line": line, "character": end}}, "text": text}
        return framed(json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [change]}}).encode())

    def change(self, line, begin, end, text):
        self.client.write(self.change_bytes(line, begin, end, text))

    def keys(self, draw, count):
        """So many edits: words are typed behind a line of a body, taken out again, and then those behind another one. Half of the time
        the text is broken, as it is under an editor's hands. A burst is made to its end, so that the text is what it was."""
        made = 0
        while made < count:
            line = draw.choice(self.spots)
            at = len(self.lines[line])
            edits = [(at + k, at + k, letter) for k, letter in enumerate(" " + self.language.typed)]
            edits += [(begin, begin + 1, "") for begin, _, _ in reversed(edits)]
            for begin, end, text in edits:
                made += 1
                yield line, begin, end, text
