// SPDX-License-Identifier: Apache-2.0
// The part of VS Code's API that vscode-languageclient uses, with one document and no screen: what the client registers is kept, and the
// driver asks it as the editor would.
const { pathToFileURL, fileURLToPath } = require("node:url");

class Disposable {
  constructor(dispose) {
    this.dispose = dispose ?? (() => {});
  }
  static from(...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
}
class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self, disposables) => {
      const bound = self ? listener.bind(self) : listener;
      this.listeners.add(bound);
      const handle = new Disposable(() => this.listeners.delete(bound));
      disposables?.push(handle);
      return handle;
    };
  }
  fire(what) {
    for (const listener of [...this.listeners]) listener(what);
  }
  dispose() {
    this.listeners.clear();
  }
}
class CancellationTokenSource {
  constructor() {
    this.emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  }
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose() {}
}
class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(start, end, endLine, endCharacter) {
    if (typeof start === "number") [start, end] = [new Position(start, end), new Position(endLine, endCharacter)];
    Object.assign(this, { start, end });
  }
}
class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.slice(0, text.indexOf(":"));
    this.path = this.scheme === "file" ? fileURLToPath(text) : text;
    this.fsPath = this.path;
  }
  toString() {
    return this.text;
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(path) {
    return new Uri(pathToFileURL(path).href);
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText });
  }
  static replace(range, text) {
    return new TextEdit(range, text);
  }
}
class WorkspaceEdit {
  constructor() {
    this.list = [];
  }
  set(uri, edits) {
    this.list.push([uri, edits.map((one) => (Array.isArray(one) ? one[0] : one))]);
  }
}
class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
for (const [name, value] of Object.entries({
  Empty: "", QuickFix: "quickfix", Refactor: "refactor", RefactorExtract: "refactor.extract", RefactorInline: "refactor.inline",
  RefactorMove: "refactor.move", RefactorRewrite: "refactor.rewrite", Source: "source", SourceOrganizeImports: "source.organizeImports",
  SourceFixAll: "source.fixAll", Notebook: "notebook",
}))
  CodeActionKind[name] = new CodeActionKind(value);
class CodeAction {
  constructor(title, kind) {
    Object.assign(this, { title, kind });
  }
}
class CompletionItem {
  constructor(label, kind) {
    Object.assign(this, { label, kind });
  }
}
class CompletionList {
  constructor(items, isIncomplete) {
    Object.assign(this, { items, isIncomplete });
  }
}
class Location {
  constructor(uri, range) {
    Object.assign(this, { uri, range });
  }
}
class Hover {
  constructor(contents, range) {
    Object.assign(this, { contents: Array.isArray(contents) ? contents : [contents], range });
  }
}
class MarkdownString {
  constructor(value = "") {
    this.value = value;
  }
  appendMarkdown(value) {
    this.value += value;
    return this;
  }
  appendCodeblock(value) {
    this.value += value;
    return this;
  }
}
class TabInputText {
  constructor(uri) {
    this.uri = uri;
  }
}

// One document, as the editor holds it.
class Document {
  constructor(uri, languageId, text) {
    Object.assign(this, { uri, languageId, text, version: 1, isClosed: false, isDirty: false, isUntitled: false, fileName: uri.fsPath });
  }
  getText() {
    return this.text;
  }
  get lineCount() {
    return this.text.split("\n").length;
  }
  offsetAt({ line, character }) {
    const lines = this.text.split("\n");
    return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + Math.min(character, lines[line]?.length ?? 0);
  }
  positionAt(offset) {
    const lines = this.text.slice(0, offset).split("\n");
    return new Position(lines.length - 1, lines.at(-1).length);
  }
}

const events = {};
const on = (name) => (events[name] ??= new EventEmitter()).event;
const providers = {};
const collections = [];
const nothing = () => new Disposable();
const state = { documents: [], folder: undefined };

const listening = (target) =>
  new Proxy(target, {
    get: (own, name) => own[name] ?? (typeof name === "string" && /^on[A-Z]/.test(name) ? on(name) : undefined),
  });
const workspace = listening({
  get textDocuments() {
    return state.documents;
  },
  notebookDocuments: [],
  get workspaceFolders() {
    return [{ uri: state.folder, name: "w", index: 0 }];
  },
  getConfiguration: () => ({ get: (_name, other) => other, inspect: () => undefined, has: () => false }),
  getWorkspaceFolder: () => workspace.workspaceFolders[0],
  createFileSystemWatcher: () => listening({ dispose() {} }),
  registerTextDocumentContentProvider: nothing,
  asRelativePath: (path) => String(path),
  applyEdit: async (edit) => {
    for (const [, edits] of edit.list) module.exports.change(edits);
    return true;
  },
});
const tab = () => state.documents.map((document) => ({ input: new TabInputText(document.uri), isActive: true }));
const window = listening({
  get activeTextEditor() {
    return state.documents[0] && { document: state.documents[0] };
  },
  get visibleTextEditors() {
    return state.documents.map((document) => ({ document }));
  },
  tabGroups: listening({
    get all() {
      return [{ tabs: tab(), get activeTab() { return tab()[0]; } }];
    },
    get activeTabGroup() {
      return { activeTab: tab()[0] };
    },
  }),
  createOutputChannel: () =>
    listening({ append() {}, appendLine() {}, info() {}, warn() {}, error() {}, debug() {}, trace() {}, show() {}, clear() {}, dispose() {}, logLevel: 3 }),
  withProgress: (_options, task) => task({ report() {} }, new CancellationTokenSource().token),
});
for (const name of ["showInformationMessage", "showWarningMessage", "showErrorMessage"])
  window[name] = async (words) => void console.error(words);
const languages = new Proxy(
  {
    match: (selector, document) => ([selector].flat().some((one) => one.language === document.languageId) ? 10 : 0),
    createDiagnosticCollection: (name) => {
      const held = new Map();
      const collection = {
        name,
        set: (uri, list) => held.set(uri.toString(), list ?? []),
        get: (uri) => held.get(uri.toString()),
        has: (uri) => held.has(uri.toString()),
        delete: (uri) => held.delete(uri.toString()),
        clear: () => held.clear(),
        dispose: () => held.clear(),
        held,
      };
      collections.push(collection);
      return collection;
    },
  },
  {
    get: (own, name) =>
      own[name] ?? ((...values) => {
        // One for all languages has no selector.
        const [provider, ...rest] = values.length === 1 ? values : values.slice(1);
        (providers[name] ??= []).push({ provider, rest });
        return new Disposable();
      }),
  },
);
const numbered = (...names) => Object.fromEntries(names.flatMap((name, number) => [[name, number], [number, name]]));

const api = {
  // Taken as it is, not copied name by name.
  __esModule: true,
  version: "1.106.0", Disposable, EventEmitter, CancellationTokenSource, Position, Range, Selection: Range, Uri, Diagnostic, TextEdit, WorkspaceEdit,
  CodeActionKind, CodeAction, CompletionItem, CompletionList, Location, Hover, MarkdownString, TabInputText, workspace, window, languages,
  env: { language: "en", appName: "Visual Studio Code", openExternal: async () => true },
  commands: { registerCommand: nothing, executeCommand: async () => undefined },
  extensions: { getExtension: () => undefined },
  CancellationError: class extends Error {},
  DiagnosticSeverity: numbered("Error", "Warning", "Information", "Hint"),
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
  TextDocumentChangeReason: { Undo: 1, Redo: 2 },
  CompletionTriggerKind: numbered("Invoke", "TriggerCharacter", "TriggerForIncompleteCompletions"),
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  LogLevel: numbered("Off", "Trace", "Debug", "Info", "Warning", "Error"),
};
// Those that the client reads again, by the names of what they are made of.
const named = (...names) => class {
  constructor(...values) {
    this.values = values;
    names.forEach((name, number) => (this[name] = values[number]));
  }
};
Object.assign(api, {
  CallHierarchyItem: named("kind", "name", "detail", "uri", "range", "selectionRange"),
  CodeLens: named("range", "command"),
  InlayHint: named("position", "label", "kind"),
  InlayHintLabelPart: named("value"),
});
// The rest are classes to extend and enumerations to look into.
const missing = {};
module.exports = {
  vscode: new Proxy(api, {
    get: (own, name) => {
      if (name in own || typeof name !== "string" || !/^[A-Z]/.test(name)) return own[name];
      return (missing[name] ??= class {
        constructor(...values) {
          this.values = values;
        }
      });
    },
  }),
  providers,
  collections,
  open(folder, path, language, text) {
    state.folder = Uri.file(folder);
    const document = new Document(Uri.file(path), language, text);
    state.documents.push(document);
    events.onDidOpenTextDocument?.fire(document);
    events.onDidChangeActiveTextEditor?.fire(window.activeTextEditor);
    return document;
  },
  // Each edit is one event, from the last place on, as the places are those of the text before.
  change(edits) {
    const document = state.documents[0];
    const offset = (edit) => document.offsetAt(edit.range.start);
    const contentChanges = [...edits].sort((a, b) => offset(b) - offset(a)).map((edit) => {
      const begin = offset(edit), end = document.offsetAt(edit.range.end);
      document.text = document.text.slice(0, begin) + edit.newText + document.text.slice(end);
      return { range: edit.range, rangeOffset: begin, rangeLength: end - begin, text: edit.newText };
    });
    ++document.version;
    document.isDirty = true;
    events.onDidChangeTextDocument?.fire({ document, contentChanges, reason: undefined });
  },
  save() {
    state.documents[0].isDirty = false;
    events.onDidSaveTextDocument?.fire(state.documents[0]);
  },
  close() {
    const document = state.documents.pop();
    document.isClosed = true;
    events.onDidCloseTextDocument?.fire(document);
  },
};
