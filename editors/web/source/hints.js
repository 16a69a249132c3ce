// SPDX-License-Identifier: Apache-2.0
// What the server would write between the letters: types, names of parameters, and what of a hole is best now.
import { StateEffect, StateField } from "@codemirror/state";
import { LSPPlugin } from "@codemirror/lsp-client";
import { Decoration, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";

import { offsetOf, positionOf } from "./positions.js";

const setHints = StateEffect.define();

class Hint extends WidgetType {
  constructor(text, title, before, after) {
    super();
    Object.assign(this, { text, title, before, after });
  }
  eq(other) {
    return other.text === this.text && other.title === this.title && other.before === this.before && other.after === this.after;
  }
  toDOM() {
    const made = document.createElement("span");
    made.className = "hint" + (this.before ? " before" : "") + (this.after ? " after" : "");
    made.textContent = this.text;
    if (this.title) made.title = this.title;
    return made;
  }
}

const field = StateField.define({
  create: () => Decoration.none,
  update(hints, transaction) {
    for (const effect of transaction.effects) if (effect.is(setHints)) return effect.value;
    return hints.map(transaction.changes);
  },
  provide: (own) => EditorView.decorations.from(own),
});

const text = (label) => (typeof label === "string" ? label : label.map((part) => part.value).join(""));
const plain = (tooltip) => (tooltip == null || typeof tooltip === "string" ? tooltip : tooltip.value);

const asking = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.view = view;
      this.isAsking = this.isStale = false;
      queueMicrotask(() => this.ask());
    }
    update(update) {
      if (update.docChanged) queueMicrotask(() => this.ask());
    }
    async ask() {
      // One question at a time; what changes meanwhile asks again.
      this.isStale = true;
      if (this.isAsking) return;
      this.isAsking = true;
      while (this.isStale) {
        this.isStale = false;
        await this.askOnce().catch(() => null);
      }
      this.isAsking = false;
    }
    async askOnce() {
      const plugin = LSPPlugin.get(this.view);
      if (!plugin) return;
      await plugin.client.initializing;
      if (!plugin.client.serverCapabilities?.inlayHintProvider) return;
      plugin.client.sync();
      const { doc } = this.view.state;
      const range = { start: { line: 0, character: 0 }, end: positionOf(doc, doc.length) };
      const found = (await plugin.client.request("textDocument/inlayHint", { textDocument: { uri: plugin.uri }, range })) ?? [];
      if (this.view.state.doc !== doc || LSPPlugin.get(this.view) !== plugin) return;
      const hints = found.map((one) =>
        Decoration.widget({ widget: new Hint(text(one.label), plain(one.tooltip), one.paddingLeft, one.paddingRight), side: 1 }).range(offsetOf(doc, one.position)),
      );
      this.view.dispatch({ effects: setHints.of(Decoration.set(hints, true)) });
    }
  },
);

/** Asks again, where the server says that its answer would be another one. */
export const refreshHints = (view) => view.plugin(asking)?.ask();

export const hints = {
  clientCapabilities: { textDocument: { inlayHint: { dynamicRegistration: false } }, workspace: { inlayHint: { refreshSupport: true } } },
  editorExtension: [field, asking],
};
