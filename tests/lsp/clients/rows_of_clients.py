#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which client uses which row of lsp/wire/methods.def, by what the clients of this run really sent (client_uses.py).

    rows_of_clients.py [TABLE]     prints the table, and writes it to the file TABLE

Compares it with that of docs/lsp.md; KOMUZ_UPDATE=1 writes that one anew. Columns of clients that have not run are as they are there.
Exit codes: 0, they are the same; 1, they are not; 77, no client has run.
"""
import os
import re
import sys

from client_uses import all_uses

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
PAGE = os.path.join(ROOT, "docs", "lsp.md")
BEGIN = "<!-- clients: KOMUZ_UPDATE=1 ctest -R '^(lsp|editors)' writes this -->\n"
END = "<!-- end of clients -->\n"
CLIENTS = ["Neovim", "Eglot", "Eglot, TCP", "lsp-mode", "ALE", "CodeMirror", "VS Code's client", "VS Code", "the page"]
USED, OFFERED, NOT_OFFERED, UNKNOWN = "●", "○", "", "?"

# The capability of a client that says that it knows a request, where that is not called as the request is.
CAPABILITIES = {
    "completionItem/resolve": "textDocument.completion",
    "textDocument/prepareRename": "textDocument.rename.prepareSupport",
    "textDocument/prepareCallHierarchy": "textDocument.callHierarchy",
    "callHierarchy/incomingCalls": "textDocument.callHierarchy",
    "callHierarchy/outgoingCalls": "textDocument.callHierarchy",
    "textDocument/semanticTokens/full": "textDocument.semanticTokens.requests.full",
    "textDocument/semanticTokens/full/delta": "textDocument.semanticTokens.requests.full.delta",
    "textDocument/semanticTokens/range": "textDocument.semanticTokens.requests.range",
    "inlayHint/resolve": "textDocument.inlayHint.resolveSupport",
    "codeAction/resolve": "textDocument.codeAction.resolveSupport",
    "codeLens/resolve": "textDocument.codeLens",
    "workspace/diagnostic": "workspace.diagnostics",
    "workspace/willRenameFiles": "workspace.fileOperations.willRename",
    "workspace/didRenameFiles": "workspace.fileOperations.didRename",
    "workspace/didCreateFiles": "workspace.fileOperations.didCreate",
    "workspace/didDeleteFiles": "workspace.fileOperations.didDelete",
    "workspace/didChangeWorkspaceFolders": "workspace.workspaceFolders",
    "textDocument/didSave": "textDocument.synchronization.didSave",
    "window/workDoneProgress/cancel": "window.workDoneProgress",
}
# What every client is free to send, and says nothing of.
COMMON = {"initialize", "initialized", "shutdown", "exit", "$/cancelRequest", "$/setTrace", "textDocument/didOpen", "textDocument/didChange",
          "textDocument/didClose"}
# What clients send when they have had nothing else to do for a while, or wait no more: not in every run.
BY_THE_CLOCK = {"$/cancelRequest", "completionItem/resolve", "textDocument/documentHighlight", "textDocument/signatureHelp", "textDocument/hover",
                "codeLens/resolve", "inlayHint/resolve", "window/workDoneProgress/cancel", "textDocument/semanticTokens/full/delta",
                "textDocument/semanticTokens/range", "textDocument/diagnostic", "workspace/diagnostic", "exit"}
# … and of this client all that it sends while its windows are drawn.
DRAWN = "VS Code"


def methods():
    with open(os.path.join(ROOT, "lsp", "wire", "methods.def"), encoding="utf-8") as text:
        return re.findall(r'^(?:REQUEST|NOTIFICATION|LIFE)\("([^"]+)"', text.read(), re.MULTILINE)


def follows_the_clock(method, client):
    return method in BY_THE_CLOCK or client == DRAWN


def has(offers, path):
    """Is a value at the path that means yes?"""
    for part in path.split("."):
        if not isinstance(offers, dict) or part not in offers:
            return False
        offers = offers[part]
    return offers not in (None, False)


def cell(method, use):
    if method in use["methods"]:
        return USED
    if method in COMMON:
        return OFFERED
    capability = CAPABILITIES.get(method, method.replace("/", ".", 1))
    return OFFERED if any(has(offers, capability) for offers in use["offers"]) else NOT_OFFERED


def cells_of(page):
    """By method and client, as the page has them."""
    lines = page.split(BEGIN, 1)[1].split(END, 1)[0].splitlines()
    rows = [[one.strip() for one in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    clients = rows[0][1:] if rows else []
    return {(row[0].strip("`"), client): one for row in rows[2:] for client, one in zip(clients, row[1:])}


def table_of(cells):
    lines = ["| | %s |" % " | ".join(CLIENTS), "| --- |" + " --- |" * len(CLIENTS)]
    for method in methods():
        lines.append("| `%s` | %s |" % (method, " | ".join(cells[method, client] for client in CLIENTS)))
    return "\n".join(lines) + "\n"


def printed(cells):
    """For a terminal."""
    width = max(map(len, methods()))
    heads = [client.replace("VS Code's client", "VS Code lib") for client in CLIENTS]
    lines = [" " * width + "  " + "  ".join(heads)]
    for method in methods():
        marks = [cells[method, client].center(len(head)) for client, head in zip(CLIENTS, heads)]
        lines.append((method.ljust(width) + "  " + "  ".join(marks)).rstrip())
    return "\n".join(lines) + "\n● used  ○ the client has it, and was not made to use it\n"


def main():
    uses = all_uses()
    assert set(uses) <= set(CLIENTS), set(uses) - set(CLIENTS)
    if not uses:
        print("skipped: no client has run")
        return 77
    with open(PAGE, encoding="utf-8") as text:
        page = text.read()
    before = cells_of(page)
    now = {(method, client): cell(method, uses[client]) if client in uses else before.get((method, client), UNKNOWN)
           for method in methods() for client in CLIENTS}
    for client in CLIENTS:
        if client not in uses:
            print(f"{client}: not run here; as in docs/lsp.md")
    print(printed(now), end="")
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="utf-8") as out:
            out.write(printed(now))
    # One that was not sent this time, and may have been another time.
    for key in now:
        if follows_the_clock(*key) and before.get(key) == USED and now[key] == OFFERED:
            now[key] = USED
    head, rest = page.split(BEGIN, 1)
    wanted = head + BEGIN + table_of(now) + END + rest.split(END, 1)[1]
    if os.environ.get("KOMUZ_UPDATE") == "1":
        with open(PAGE, "w", encoding="utf-8") as out:
            out.write(wanted)
        return 0
    wrong = [key for key in now if now[key] != before.get(key) and
             not (follows_the_clock(*key) and {now[key], before.get(key)} == {USED, OFFERED})]
    for method, client in wrong:
        print(f"{method}, {client}: `{now[method, client]}` now, `{before.get((method, client), '')}` in docs/lsp.md; KOMUZ_UPDATE=1 writes it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
