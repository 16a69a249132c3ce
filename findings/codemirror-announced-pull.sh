#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# @codemirror/lsp-client 6.3.0 (npm): it announces that it pulls diagnostics, and never does.
#
# Seen: `initialize` lists `capabilities.textDocument.diagnostic`. The server answers with a `diagnosticProvider`. The client opens a document,
# changes it twice and sends no `textDocument/diagnostic`; a diagnostic that the server pushes is shown. A server that stops pushing to clients
# that announce pulling, as the protocol suggests, shows nothing in this editor. Pushing until the first pull comes serves all clients.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @codemirror/lsp-client@6.3.0 \
  @codemirror/view@6.43.15 @codemirror/state@6.7.6 @codemirror/lint@6.9.8 jsdom@26.1.0
cat >drive.mjs <<'CODE'
import { JSDOM } from "jsdom";
const page = new JSDOM("<!doctype html><body></body>", { pretendToBeVisual: true });
for (const name of ["window", "Window", "document", "MutationObserver", "Node", "HTMLElement", "Range", "getComputedStyle", "requestAnimationFrame", "cancelAnimationFrame"])
  Object.defineProperty(globalThis, name, { value: name === "window" ? page.window : page.window[name], configurable: true });
page.window.Range.prototype.getClientRects = () => [];
page.window.Range.prototype.getBoundingClientRect = () => ({ left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0 });
const { EditorView } = await import("@codemirror/view");
const { diagnosticCount } = await import("@codemirror/lint");
const { LSPClient, languageServerExtensions } = await import("@codemirror/lsp-client");
let pulls = 0, changes = 0, take;
const send = (message) => take(JSON.stringify({ jsonrpc: "2.0", ...message }));
const server = {
  initialize: (m) => {
    console.log("announces pulling:", m.params.capabilities.textDocument.diagnostic !== undefined);
    const capabilities = { textDocumentSync: 2, diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } };
    send({ id: m.id, result: { capabilities } });
  },
  "textDocument/diagnostic": (m) => { ++pulls; send({ id: m.id, result: { kind: "full", items: [] } }); },
  "textDocument/didChange": (m) => {
    if (++changes < 2) return;
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const { uri, version } = m.params.textDocument;
    send({ method: "textDocument/publishDiagnostics", params: { uri, version, diagnostics: [{ range, severity: 1, message: "pushed" }] } });
  },
};
const client = new LSPClient({ extensions: languageServerExtensions() }).connect({
  send: (text) => { const m = JSON.parse(text); queueMicrotask(() => server[m.method]?.(m)); },
  subscribe: (handler) => { take = handler; },
  unsubscribe: () => {},
});
await client.initializing;
const view = new EditorView({ doc: "ab\n", extensions: [client.plugin("file:///a.txt", "text")], parent: document.body });
const seconds = (n) => new Promise((done) => setTimeout(done, n * 1000));
for (const text of ["c", "d"]) {
  await seconds(1);
  view.dispatch({ changes: { from: 0, insert: text } });
  client.sync();
}
await seconds(3);
console.log("changes sent:", changes, "pulls:", pulls, "pushed diagnostics shown:", diagnosticCount(view.state));
process.exit(0);
CODE
node drive.mjs | tee seen
[ "$(cat seen)" = "announces pulling: true
changes sent: 2 pulls: 0 pushed diagnostics shown: 1" ] || { echo "this has changed" >&2; exit 1; }
