#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What editors/ has for programs that no test runs: can it be read, and does it start `komuz lsp`? And are the pages whole?

    check_settings.py
"""
import json
import os
import re
import sys
import tomllib
import xml.etree.ElementTree

from editor_runs import EDITORS

PAGE_LINES = 60


def read(path):
    with open(os.path.join(EDITORS, path), "rb") as file:
        return file.read()


def main():
    helix = tomllib.loads(read("helix/languages.toml").decode())
    language = helix["language"][0]
    server = helix["language-server"][language["language-servers"][0]]
    assert [server["command"], *server["args"]] == ["komuz", "lsp"], server
    assert language["file-types"] == ["komuz"] and language["indent"]["unit"] == "    ", language
    kate = json.loads(read("kate/lspclient.json"))["servers"]["komuz"]
    assert kate["command"] == ["komuz", "lsp"], kate
    definition = xml.etree.ElementTree.fromstring(read("kate/komuz.xml"))
    assert re.fullmatch(kate["highlightingModeRegex"], definition.get("name")), "the client of Kate does not know the syntax's name"
    package = json.loads(read("tree-sitter/package.json"))["tree-sitter"][0]
    for name in (package["highlights"] + package["locals"]):
        assert os.path.isfile(os.path.join(EDITORS, "tree-sitter", name)), name
    # What Neovim has of Vim's package are links.
    for name in ("syntax", "indent", "ftplugin", "ftdetect", "compiler", "autoload", "doc"):
        assert os.path.realpath(os.path.join(EDITORS, "neovim", name)) == os.path.realpath(os.path.join(EDITORS, "vim", name)), name
    count = 0
    for folder in sorted(os.listdir(EDITORS)):
        page = os.path.join(EDITORS, folder, "README.md") if os.path.isdir(os.path.join(EDITORS, folder)) else os.path.join(EDITORS, folder)
        text = read(os.path.relpath(page, EDITORS)).decode()
        count += 1
        assert text.count("\n") <= PAGE_LINES or folder in ("vscode", "web"), f"{page} is more than a screen"
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
            assert os.path.exists(os.path.join(os.path.dirname(page), link)), f"{page}: the link {link} leads to nothing"
    print(f"settings of Helix and Kate are read; {count} pages are whole")


if __name__ == "__main__":
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    main()
