// SPDX-License-Identifier: Apache-2.0
// Drives CodeMirror 6 with @codemirror/lsp-client by the plan, in a page of jsdom; see check_client.py.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.cwd();
const command = JSON.parse(process.env.KOMUZ_SERVER);
const plan = JSON.parse(fs.readFileSync(process.env.KOMUZ_PLAN));
const say = (words) => fs.appendFileSync(process.env.KOMUZ_STEPS, words.replace(/\n+/g, " | ") + "\n");
const packages = path.join(process.env.KOMUZ_PACKAGES, "node_modules");
const require = createRequire(path.join(packages, "x.js"));
// The entry for `import`: with `require` there would be two copies of each package.
const load = (name) => {
  const home = path.join(packages, name);
  const { exports, module, main } = JSON.parse(fs.readFileSync(path.join(home, "package.json")));
  return import(pathToFileURL(path.join(home, exports?.import ?? module ?? main)));
};
const { JSDOM } = require("jsdom");
const page = new JSDOM("<!doctype html><body></body>", { pretendToBeVisual: true });
for (const name of ["window", "Window", "document", "MutationObserver", "Node", "HTMLElement", "Range", "getComputedStyle", "requestAnimationFrame", "cancelAnimationFrame"])
  Object.defineProperty(globalThis, name, { value: name === "window" ? page.window : page.window[name], configurable: true });
// jsdom lays nothing out.
page.window.Range.prototype.getClientRects = () => [];
page.window.Range.prototype.getBoundingClientRect = () => ({ left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0 });

const { EditorView } = await load("@codemirror/view");
const { EditorState } = await load("@codemirror/state");
const lint = await load("@codemirror/lint");
const autocomplete = await load("@codemirror/autocomplete");
const lsp = await load("@codemirror/lsp-client");

const server = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const handlers = new Set();
let rest = Buffer.alloc(0);
server.stdout.on("data", (part) => {
  rest = Buffer.concat([rest, part]);
  for (;;) {
    const head = rest.indexOf("\r\n\r\n");
    if (head < 0) return;
    const end = head + 4 + Number(/content-length: (\d+)/i.exec(rest.subarray(0, head).toString())[1]);
    if (rest.length < end) return;
    const text = rest.subarray(head + 4, end).toString();
    rest = rest.subarray(end);
    for (const handler of handlers) handler(text);
  }
});
const transport = {
  send: (text) => server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`),
  subscribe: (handler) => handlers.add(handler),
  unsubscribe: (handler) => handlers.delete(handler),
};

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
// The runner ends what takes too long.
const waitFor = async (what) => {
  for (;;) {
    const found = what();
    if (found) return found;
    await pause(20);
  }
};

const client = new lsp.LSPClient({ rootUri: pathToFileURL(folder).href, extensions: lsp.languageServerExtensions() }).connect(transport);
await client.initializing;
const view = new EditorView({
  state: EditorState.create({
    doc: plan.text.join("\n") + "\n",
    extensions: [client.plugin(pathToFileURL(path.join(folder, plan.file)).href, plan.language)],
  }),
  parent: document.body,
});
const place = (piece) => view.state.doc.toString().indexOf(piece);
const goTo = (at) => view.dispatch({ selection: { anchor: at } });
const type = (at, text) => view.dispatch({ changes: { from: at, insert: text }, selection: { anchor: at + text.length }, userEvent: "input.type" });
const shown = () => {
  const all = [];
  lint.forEachDiagnostic(view.state, (d, from, to) => all.push({ from, to, message: d.message }));
  return all;
};
const waitForError = async (step) => {
  const d = await waitFor(() => {
    const [one, ...others] = shown();
    const from = place(plan.error.at);
    return one && others.length === 0 && one.from === from && one.to === from + plan.error.text.length && one.message.includes(plan.error.says) && one;
  });
  const line = view.state.doc.lineAt(d.from);
  say(`${step}: line ${line.number}, units ${d.from - line.from} to ${d.to - line.from}: ${d.message}`);
};
const waitForOther = async (step) => {
  await waitFor(() => !shown().some((one) => one.message.includes(plan.error.says)));
  say(`${step}: ${shown()[0]?.message ?? "no diagnostics"}`);
};
const replaceAll = (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });

say(`opened: ${plan.file}`);
await waitForError("diagnostic");

const plugin = lsp.LSPPlugin.get(view);
// The pointer of a page without layout is nowhere: asked as hoverTooltips() does.
const hover = await client.request("textDocument/hover", { textDocument: { uri: plugin.uri }, position: plugin.toPosition(place(plan.hover.at)) });
for (const words of plan.hover.says) if (!hover?.contents?.value?.includes(words)) throw `hover: \`${JSON.stringify(hover)}\` does not say \`${words}\``;
say(`hover: ${hover.contents.value}`);

goTo(place(plan.definition.at));
lsp.jumpToDefinition(view);
await waitFor(() => view.state.selection.main.head === place(plan.definition.to));
say(`definition: line ${view.state.doc.lineAt(view.state.selection.main.head).number}`);

type(view.state.doc.length, plan.typed.line + "\n");
goTo(place(plan.typed.behind) + plan.typed.behind.length);
autocomplete.startCompletion(view);
const list = await waitFor(() => autocomplete.currentCompletions(view.state).length && autocomplete.currentCompletions(view.state));
const index = list.findIndex((one) => one.label === plan.typed.completion);
if (index < 0) throw `completion: no \`${plan.typed.completion}\``;
view.dispatch({ effects: autocomplete.setSelectedCompletion(index) });
// Keys right behind the list's appearance are not taken for its own.
await waitFor(() => autocomplete.acceptCompletion(view));
const accepted = plan.typed.behind.replace(/\w+$/, plan.typed.completion);
await waitFor(() => view.state.doc.toString().includes(accepted));
// The arguments of a snippet are typed over.
const behind = place(accepted) + accepted.length;
const [snippet] = view.state.doc.toString().slice(behind).match(/^(\([^)\n]*\))?/);
view.dispatch({ changes: { from: behind, to: behind + snippet.length } });
type(behind, plan.typed.then);
say(`completion: ${plan.typed.completion} of ${list.length}`);

lsp.formatDocument(view);
await waitFor(() => view.state.doc.toString() === plan.formatted.join("\n") + "\n");
say("formatting: as planned");
await waitForError("formatted");
const from = place(plan.error.at);
view.dispatch({ changes: { from, to: from + plan.error.text.length, insert: plan.fix } });
say("quick fix: the client has none; typed");
await waitForOther("mended");
if (client.serverCapabilities?.renameProvider) {
  goTo(place(plan.rename.at));
  lsp.renameSymbol(view);
  const form = await waitFor(() => view.dom.querySelector(".cm-lsp-rename-panel"));
  form.querySelector("[name=name]").value = plan.rename.to;
  (form.matches("form") ? form : form.querySelector("form")).requestSubmit();
  const count = () => view.state.doc.toString().split(plan.rename.to).length - 1;
  await waitFor(() => count() === plan.rename.left);
  say(`rename: ${count()} times ${plan.rename.to}`);
  await waitForOther("renamed");
} else say("rename: the server has none");

replaceAll(plan.text.join("\n") + "\n");
await waitForError("filled");
replaceAll("");
await waitForOther("emptied");
replaceAll(plan.text.join("\n") + "\n");
await waitForError("filled again");

if (plan.symbols) {
  goTo(place(plan.definition.at));
  lsp.findReferences(view);
  const found = await waitFor(() => view.dom.querySelectorAll(".cm-lsp-reference").length && view.dom.querySelectorAll(".cm-lsp-reference"));
  if (found.length !== 2) throw `references: ${found.length}`;
  say(`references: ${[...found].map((one) => one.textContent.trim()).join(" | ")}`);
  lsp.closeReferencePanel(view);
  lsp.jumpToDeclaration(view);
  await waitFor(() => view.state.selection.main.head === place(plan.definition.to));
  say(`declaration: line ${view.state.doc.lineAt(view.state.selection.main.head).number}`);
}
view.destroy();
client.disconnect();
// `didClose` is sent behind a promise.
await pause(0);
server.on("exit", () => {
  say("closed");
  process.exit(0);
});
server.stdin.end();
