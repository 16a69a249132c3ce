// SPDX-License-Identifier: Apache-2.0
// The editor: CodeMirror with the language's colours, and the language server behind it.
import { acceptCompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic } from "@codemirror/lint";
import { LSPClient, findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, renameKeymap, serverCompletion, signatureHelp } from "@codemirror/lsp-client";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, drawSelection, dropCursor, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter, highlightCode } from "@lezer/highlight";

import { komuz } from "../komuz_language.js";
import { findings } from "./findings.js";
import { hints } from "./hints.js";

import { sanitized } from "./rich_text.js";

// Longer than any search that the page asks for.
const TIMEOUT = 60_000;

/** @param handlers method → function of (client, parameters), for what the server tells */
export function makeClient(handlers) {
  return new LSPClient({
    timeout: TIMEOUT,
    initializationOptions: { komuz: { ranking: true } },
    sanitizeHTML: sanitized,
    notificationHandlers: handlers,
    extensions: [
      serverCompletion({ override: true }),
      hoverTooltips(),
      signatureHelp(),
      keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
      findings,
      hints,
      { clientCapabilities: { window: { workDoneProgress: true } } },
    ],
  });
}

/** @param keys more of them, which come first */
export function makeEditor({ parent, doc, client, uri, nonce, keys }) {
  return new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ "aria-label": "Sketch" }),
        Prec.high(keymap.of(keys)),
        lineNumbers(),
        foldGutter(),
        codeFolding(),
        lintGutter(),
        history(),
        drawSelection(),
        dropCursor(),
        EditorState.allowMultipleSelections.of(true),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        syntaxHighlighting(classHighlighter),
        komuz,
        client.plugin(uri, "komuz"),
        keymap.of([{ key: "Tab", run: acceptCompletion }, { key: "F8", run: nextDiagnostic }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
      ],
    }),
  });
}

/** Puts a program into an element, in the editor's colours. */
export function highlight(text, element) {
  element.replaceChildren();
  const put = (piece, classes) => {
    const made = document.createElement("span");
    if (classes) made.className = classes;
    made.textContent = piece;
    element.append(made);
  };
  highlightCode(text, komuz.parser.parse(text), classHighlighter, put, () => element.append("\n"));
}
