// SPDX-License-Identifier: Apache-2.0
// What CodeMirror's tokenizer makes of files; see check_colours.py.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

// The language imports its package by name, which Node looks for beside it.
const folder = fs.mkdtempSync(path.join(process.env.HOME, "language-"));
fs.symlinkSync(path.join(process.env.KOMUZ_PACKAGES, "node_modules"), path.join(folder, "node_modules"));
const file = path.join(folder, "komuz_language.mjs");
fs.copyFileSync(path.join(process.env.KOMUZ_EDITORS, "web/komuz_language.js"), file);
fs.writeFileSync(path.join(folder, "stream.mjs"), 'export { StringStream } from "@codemirror/language";\n');
const { komuzParser } = await import(pathToFileURL(file).href);
const { StringStream } = await import(pathToFileURL(path.join(folder, "stream.mjs")).href);

const all = JSON.parse(fs.readFileSync(process.env.KOMUZ_FILES)).map((name) => {
  const state = komuzParser.startState(4);
  return fs.readFileSync(name, "utf8").split("\n").map((line) => {
    const stream = new StringStream(line, 4, 4);
    const stretches = [];
    if (line === "") komuzParser.blankLine?.(state, 4);
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = komuzParser.token(stream, state);
      if (stream.pos === stream.start) throw new Error(`${name}: the tokenizer stands still at \`${line.slice(stream.pos)}\``);
      if (kind) stretches.push([stream.start, stream.pos, kind]);
    }
    return stretches;
  });
});
fs.writeFileSync(process.env.KOMUZ_OUT, JSON.stringify(all));
