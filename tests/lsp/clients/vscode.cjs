// SPDX-License-Identifier: Apache-2.0
// Drives vscode-languageclient, the client in VS Code's extensions, by the plan; around it stands vscode_stand_in.cjs. See check_client.py.
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const editor = require("./vscode_stand_in.cjs");
const { askRows, askSketch } = require("./vscode_rows.cjs");

const { vscode } = editor;
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const packages = Module.createRequire(path.join(process.env.KOMUZ_PACKAGES, "node_modules", "x.js"));
const { LanguageClient } = packages("vscode-languageclient/node");

const plan = JSON.parse(fs.readFileSync(process.env.KOMUZ_PLAN));
const [command, ...args] = JSON.parse(process.env.KOMUZ_SERVER);
const say = (words) => fs.appendFileSync(process.env.KOMUZ_STEPS, words.replace(/\n+/g, " | ") + "\n");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
// The runner ends what takes too long.
const waitFor = async (what) => {
  for (;;) {
    const found = what();
    if (found) return found;
    await pause(10);
  }
};

const drive = async () => {
  const file = path.join(process.cwd(), plan.file);
  const document = editor.open(process.cwd(), file, plan.language, plan.text.join("\n") + "\n");
  const client = new LanguageClient("komuz", "Komuz", { command, args }, { documentSelector: [{ scheme: "file", language: plan.language }] });
  const place = (piece) => document.positionAt(document.text.indexOf(piece));
  const token = () => new vscode.CancellationTokenSource().token;
  const ask = async (kind, method, ...values) => {
    const { provider } = await waitFor(() => editor.providers[`register${kind}`]?.at(-1));
    return provider[method](document, ...values);
  };
  const range = (piece, size) => {
    const begin = document.text.indexOf(piece);
    return new vscode.Range(document.positionAt(begin), document.positionAt(begin + size));
  };
  const replaceAll = (text) =>
    editor.change([{ range: new vscode.Range(document.positionAt(0), document.positionAt(document.text.length)), newText: text }]);
  const shown = () => editor.collections.flatMap((one) => [...one.held.values()].flat());
  const theError = () => {
    const [one, ...others] = shown(), wanted = range(plan.error.at, plan.error.text.length);
    return one && others.length === 0 && JSON.stringify(one.range) === JSON.stringify(wanted) && one.message.includes(plan.error.says) && one;
  };
  const waitForError = async (step) => {
    const { range: at, message, code } = await waitFor(theError);
    say(`${step}: line ${at.start.line + 1}, units ${at.start.character} to ${at.end.character}: ${code?.value ?? code}: ${message}`);
  };
  const waitForOther = async (step) => {
    await waitFor(() => !shown().some((one) => one.message.includes(plan.error.says)));
    say(`${step}: ${shown()[0]?.message ?? "no diagnostics"}`);
  };

  await client.start();
  say(`opened: ${plan.file}`);
  await waitForError("diagnostic");

  const hover = await ask("HoverProvider", "provideHover", place(plan.hover.at), token());
  const words = hover.contents.map((one) => one.value).join("\n");
  for (const part of plan.hover.says) if (!words.includes(part)) throw `hover: \`${words}\` does not say \`${part}\``;
  say(`hover: ${words}`);

  const [found] = [await ask("DefinitionProvider", "provideDefinition", place(plan.definition.at), token())].flat();
  if (JSON.stringify(found.range.start) !== JSON.stringify(place(plan.definition.to))) throw `definition: ${JSON.stringify(found)}`;
  say(`definition: line ${found.range.start.line + 1}`);

  const end = document.positionAt(document.text.length);
  editor.change([{ range: new vscode.Range(end, end), newText: plan.typed.line + "\n" }]);
  const typedAt = place(plan.typed.behind);
  const at = new vscode.Position(typedAt.line, typedAt.character + plan.typed.behind.length);
  const list = await ask("CompletionItemProvider", "provideCompletionItems", at, token(), { triggerKind: 0 });
  const items = list.items ?? list;
  const chosen = items.find((one) => (one.label.label ?? one.label) === plan.typed.completion);
  if (!chosen) throw `completion: no \`${plan.typed.completion}\``;
  const target = chosen.range.replacing ?? chosen.range;
  // The arguments of a snippet are typed over.
  const snippet = chosen.insertText?.values?.[0];
  const written = snippet ? snippet.slice(0, snippet.indexOf("(")) : chosen.insertText;
  editor.change([{ range: target, newText: written + plan.typed.then }]);
  say(`completion: ${plan.typed.completion} of ${items.length}`);
  await waitForError("typed");

  const edits = await ask("DocumentFormattingEditProvider", "provideDocumentFormattingEdits", { tabSize: 4, insertSpaces: true }, token());
  editor.change(edits);
  if (document.text !== plan.formatted.join("\n") + "\n") throw `formatting: the text is\n${document.text}`;
  say("formatting: as planned");
  await waitForError("formatted");

  const actions = await ask("CodeActionsProvider", "provideCodeActions", range(plan.error.at, plan.error.text.length),
    { diagnostics: [theError()], triggerKind: 1, only: undefined }, token());
  const titles = actions.map((one) => one.title);
  const action = actions.find((one) => one.title.includes(plan.fix));
  if (!action) throw `quick fix: no \`${plan.fix}\` in ${titles.join(", ")}`;
  await vscode.workspace.applyEdit(action.edit);
  if (!document.text.includes(plan.mended)) throw `quick fix: the text is\n${document.text}`;
  say(`quick fix: ${titles.join(", ")}`);
  await waitForOther("mended");
  if (editor.providers.registerRenameProvider) {
    const { placeholder } = await ask("RenameProvider", "prepareRename", place(plan.rename.at), token());
    const renamed = await ask("RenameProvider", "provideRenameEdits", place(plan.rename.at), plan.rename.to, token());
    await vscode.workspace.applyEdit(renamed);
    const left = document.text.split(plan.rename.to).length - 1;
    if (left !== plan.rename.left) throw `rename: the text is\n${document.text}`;
    say(`rename: ${left} times ${plan.rename.to} for ${placeholder}`);
    await waitForOther("renamed");
  } else {
    say("rename: the server has none");
  }

  replaceAll(plan.text.join("\n") + "\n");
  await waitForError("filled");
  replaceAll("");
  await waitForOther("emptied");
  replaceAll(plan.text.join("\n") + "\n");
  await waitForError("filled again");

  if (plan.hint) {
    const all = new vscode.Range(document.positionAt(0), document.positionAt(document.text.length));
    // A label has parts where it leads to something.
    const words = (label) => (typeof label === "string" ? label : label.map((part) => part.value).join(""));
    const hints = (await ask("InlayHintsProvider", "provideInlayHints", all, token())).map((one) => words(one.values[1]));
    if (!hints.includes(plan.hint)) throw `hints: no \`${plan.hint}\` in ${hints.join(", ")}`;
    say(`hints: ${hints.join(", ")}`);
  }
  if (plan.linked) {
    const linked = await ask("LinkedEditingRangeProvider", "provideLinkedEditingRanges", place(plan.linked.at), token());
    const places = linked.values[0].length;
    if (places !== plan.linked.places) throw `linked: ${places} places`;
    say(`linked: ${places} places`);
  }
  if (plan.symbols) await askRows({ vscode, providers: editor.providers, document, plan, place, say, waitFor });
  editor.save();
  editor.close();
  if (plan.sketch) {
    for (const name of [plan.sketch.file, plan.sketch.cases]) fs.writeFileSync(name, plan.sketch.texts[name]);
    const sketch = editor.open(process.cwd(), path.join(process.cwd(), plan.sketch.file), plan.language, plan.sketch.texts[plan.sketch.file]);
    await askSketch({ vscode, providers: editor.providers, document: sketch, plan: plan.sketch, say, waitFor, pause });
    editor.close();
  }
  await client.stop();
  say("closed");
};
drive().then(() => process.exit(0), (problem) => {
  console.error(problem);
  process.exit(1);
});
