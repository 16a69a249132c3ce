// SPDX-License-Identifier: Apache-2.0
// The page of `komuz lsp --page`: an editor, the cases, and the ranking of the sketch that is written.
import { openLintPanel } from "@codemirror/lint";

import { Cases } from "./cases.js";
import { connect } from "./connection.js";
import { highlight, makeClient, makeEditor } from "./editor.js";
import { EXAMPLES, load } from "./examples.js";
import { refreshHints } from "./hints.js";
import { changesOf } from "./positions.js";
import { Ranking } from "./ranking.js";

const URI = "untitled:sketch.komuz";
const SEARCH = "komuz.search", SEARCH_SECONDS = 10, SEARCH_TOKEN = "search";
const KEPT = "komuz";
const REQUEST_CANCELLED = -32800;
const MESSAGE_ERROR = 1;

const find = (id) => document.getElementById(id);
// By which the page's policy knows the style sheet of the editor.
const { nonce } = document.querySelector("script[data-nonce]").dataset;

// A page that is loaded again goes on with what was written.
function keep(state) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(state));
  } catch {
    // There is no room for it.
  }
}
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

function say(words, isBad = false) {
  find("connection").textContent = words;
  find("connection").classList.toggle("bad", isBad);
}

const client = makeClient({
  "komuz/rankingChanged": (_client, { uri }) => {
    if (uri === URI) ranking.refresh();
    refreshHints(view);
    return true;
  },
  "window/showMessage": (_client, { type, message }) => {
    say(message, type === MESSAGE_ERROR);
    return true;
  },
  "$/progress": (_client, { token, value }) => {
    if (token !== SEARCH_TOKEN) return false;
    if (value.title) search.title = value.title;
    if (value.kind !== "end") say([search.title, value.message, value.percentage === undefined ? "" : `${value.percentage} %`].filter(Boolean).join(": "));
    return true;
  },
});

// What the server does when it is told to look for better variants.
const search = { canBegin: false, isRunning: false, title: "" };

async function begin() {
  const lost = (reason) => {
    client.disconnect();
    say(`${reason}: start \`komuz lsp --page\` again, and open the address that it prints`, true);
  };
  const refresh = () => {
    refreshHints(view);
    ranking.refresh();
  };
  const transport = await connect(
    {
      "workspace/inlayHint/refresh": refresh,
      "workspace/codeLens/refresh": refresh,
      "workspace/applyEdit": ({ edit }) => ({ applied: apply(edit) }),
      "window/workDoneProgress/create": () => null,
      "client/registerCapability": () => null,
      "workspace/configuration": ({ items }) => items.map(() => null),
    },
    lost,
  );
  client.connect(transport);
  await client.initializing;
  say("");
  search.canBegin = client.serverCapabilities?.executeCommandProvider?.commands?.includes(SEARCH) ?? false;
  sendCases(cases.name, cases.text);
  ranking.refresh();
}

function apply(edit) {
  client.sync();
  const changes = changesOf(edit, URI, view.state.doc);
  if (changes.length === 0) return false;
  view.dispatch({ changes, userEvent: "input.fill", scrollIntoView: true });
  return true;
}

function sendCases(name, text) {
  client.notification("komuz/cases", { textDocument: { uri: URI }, name, text: text === "" ? null : text });
}

async function loadExample(example) {
  const { program, cases: name, rows } = await load(example);
  ranking.reset();
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: program }, userEvent: "input.example" });
  cases.put(name, rows);
}

const view = makeEditor({
  parent: find("editor"),
  doc: "",
  client,
  uri: URI,
  nonce,
  keys: [
    { key: "F6", run: () => (ranking.focus(), true) },
    { key: "Mod-.", run: openLintPanel },
  ],
});
const ranking = new Ranking({
  ask: (method, params) => {
    client.sync();
    return client.request(method, params);
  },
  uri: URI,
  highlight,
  canSearch: () => search.canBegin,
  onFill: (edit) => {
    apply(edit);
    view.focus();
  },
});
const cases = new Cases((name, text) => {
  if (client.connected) {
    sendCases(name, text);
    ranking.refresh();
  }
  keep({ program: view.state.doc.toString(), name, text });
});

// F6 goes round: sketch, ranking, sketch.
document.addEventListener("keydown", (event) => {
  if (event.key !== "F6" || view.hasFocus || event.defaultPrevented) return;
  event.preventDefault();
  view.focus();
});
find("search").addEventListener("click", async ({ target }) => {
  if (search.isRunning) return client.notification("window/workDoneProgress/cancel", { token: SEARCH_TOKEN });
  const before = target.textContent;
  search.isRunning = true;
  target.textContent = "Stop searching";
  try {
    client.sync();
    // What it has found, the server says itself.
    await client.request("workspace/executeCommand", { command: SEARCH, arguments: [URI, SEARCH_SECONDS], workDoneToken: SEARCH_TOKEN });
  } catch (error) {
    say(error.message ?? String(error), error.code !== REQUEST_CANCELLED);
  }
  search.isRunning = false;
  target.textContent = before;
});
addEventListener("pagehide", () => keep({ program: view.state.doc.toString(), name: cases.name, text: cases.text }));

for (const { title } of EXAMPLES) find("examples").append(new Option(title));
find("examples").addEventListener("change", ({ target }) => loadExample(EXAMPLES[target.selectedIndex]).catch((error) => say(error.message, true)));

const before = kept();
if (before) {
  view.dispatch({ changes: { from: 0, insert: before.program } });
  cases.put(before.name, before.text);
} else {
  await loadExample(EXAMPLES[0]).catch((error) => say(error.message, true));
}
view.focus();
await begin();
