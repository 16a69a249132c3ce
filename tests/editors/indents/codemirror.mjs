// SPDX-License-Identifier: Apache-2.0
// Indents each line of files anew; see check_indent.py.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

// The language imports its package by name, which Node looks for beside it.
const folder = fs.mkdtempSync(path.join(process.env.HOME, "language-"));
fs.symlinkSync(path.join(process.env.KOMUZ_PACKAGES, "node_modules"), path.join(folder, "node_modules"));
fs.copyFileSync(path.join(process.env.KOMUZ_EDITORS, "web/komuz_language.js"), path.join(folder, "komuz_language.mjs"));
fs.writeFileSync(
  path.join(folder, "all.mjs"),
  'export * from "./komuz_language.mjs";\nexport { EditorState } from "@codemirror/state";\nexport * from "@codemirror/language";\n',
);
const { EditorState, ensureSyntaxTree, getIndentation, indentUnit, komuz } = await import(pathToFileURL(path.join(folder, "all.mjs")).href);

const all = JSON.parse(fs.readFileSync(process.env.KOMUZ_FILES)).map((file) => {
  let state = EditorState.create({ doc: fs.readFileSync(file, "utf8"), extensions: [komuz, indentUnit.of("    ")] });
  ensureSyntaxTree(state, state.doc.length, 60_000);
  // The tree is the state's from the next one on.
  state = state.update({}).state;
  const lines = [];
  for (let number = 1; number <= state.doc.lines; ++number) {
    const { from, text } = state.doc.line(number);
    lines.push(text.trim() === "" ? text : " ".repeat(getIndentation(state, from)) + text.trimStart());
  }
  return lines;
});
fs.writeFileSync(process.env.KOMUZ_OUT, JSON.stringify(all));
