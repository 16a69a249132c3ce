// SPDX-License-Identifier: Apache-2.0
// Edits go to the server at once, and its diagnostics to the editor, with their codes, related places and fixes. (The client's own
// extension waits half a second for the next key, and leaves out all but the sentence.)
import { setDiagnostics } from "@codemirror/lint";
import { LSPPlugin } from "@codemirror/lsp-client";
import { EditorView } from "@codemirror/view";

import { changesOf, offsetOf } from "./positions.js";

const SEVERITIES = ["error", "warning", "info", "hint"];

const sync = EditorView.updateListener.of((update) => {
  if (update.docChanged) LSPPlugin.get(update.view)?.client.sync();
});

function element(name, className, ...parts) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...parts);
  return made;
}

// The first lines of what the protocol says, as the lint tooltip shows them.
function shown(diagnostic, uri) {
  const parts = [diagnostic.message];
  if (diagnostic.code !== undefined) parts.push(" ", element("code", "finding-code", String(diagnostic.code)));
  for (const { location, message } of diagnostic.relatedInformation ?? []) {
    const place = location.uri === uri ? `line ${location.range.start.line + 1}: ` : "";
    parts.push(element("div", "finding-related", place + message));
  }
  return element("div", "finding", ...parts);
}

// Asked for when the button is pressed: the text may have changed since.
async function applyFix(view, diagnostic, title) {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return;
  plugin.client.sync();
  const actions = (await askFixes(plugin, diagnostic)) ?? [];
  const action = actions.find((one) => one.title === title);
  if (action?.edit) view.dispatch({ changes: changesOf(action.edit, plugin.uri, view.state.doc), userEvent: "input.fix" });
  view.focus();
}
const askFixes = (plugin, diagnostic) =>
  plugin.client.request("textDocument/codeAction", {
    textDocument: { uri: plugin.uri },
    range: diagnostic.range,
    context: { diagnostics: [diagnostic], only: ["quickfix"], triggerKind: 1 },
  });

async function take(client, { uri, version, diagnostics }) {
  const file = client.workspace.getFile(uri);
  const view = file?.getView();
  const plugin = view && LSPPlugin.get(view);
  if (!plugin || (version != null && version !== file.version)) return;
  const place = (position) => plugin.unsyncedChanges.mapPos(offsetOf(plugin.syncedDoc, position));
  const list = diagnostics.map((one) => ({
    from: place(one.range.start),
    to: Math.max(place(one.range.start), place(one.range.end)),
    severity: SEVERITIES[(one.severity ?? 1) - 1],
    source: one.code === undefined ? undefined : String(one.code),
    message: one.message,
    markClass: (one.tags ?? []).includes(1) ? "unused" : undefined,
    renderMessage: () => shown(one, uri),
  }));
  view.dispatch(setDiagnostics(view.state, list));
  if (!client.serverCapabilities?.codeActionProvider) return;
  const fixes = await Promise.all(diagnostics.slice(0, 50).map((one) => askFixes(plugin, one).catch(() => null)));
  // A newer text has findings of its own.
  if (version != null && client.workspace.getFile(uri)?.version !== version) return;
  if (!fixes.some((found) => found?.length)) return;
  const withFixes = list.map((one, k) => ({
    ...one,
    actions: (fixes[k] ?? []).filter((action) => action.edit).map(({ title }) => ({ name: title, apply: () => applyFix(view, diagnostics[k], title) })),
  }));
  if (LSPPlugin.get(view) === plugin) view.dispatch(setDiagnostics(view.state, withFixes));
}

export const findings = {
  clientCapabilities: {
    textDocument: {
      publishDiagnostics: { versionSupport: true, relatedInformation: true, codeDescriptionSupport: true, dataSupport: true, tagSupport: { valueSet: [1, 2] } },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } }, dataSupport: true },
    },
    workspace: { workspaceEdit: { documentChanges: true } },
  },
  notificationHandlers: {
    "textDocument/publishDiagnostics": (client, params) => {
      take(client, params);
      return true;
    },
  },
  editorExtension: sync,
};
