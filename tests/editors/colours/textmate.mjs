// SPDX-License-Identifier: Apache-2.0
// What VS Code's own engine makes of files; see check_colours.py.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.KOMUZ_PACKAGES, "x.js"));
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => {
    const file = path.join(process.env.KOMUZ_EDITORS, "vscode/syntaxes/komuz.tmLanguage.json");
    return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
  },
});
const grammar = await registry.loadGrammar("source.komuz");
// Of what lies in a comment or a string, the outer one counts.
const nameOf = (scopes) => scopes.slice(1).find((one) => /^(comment|string)/.test(one)) ?? scopes[scopes.length - 1];
const all = JSON.parse(fs.readFileSync(process.env.KOMUZ_FILES)).map((file) => {
  let state = textmate.INITIAL;
  return fs.readFileSync(file, "utf8").split("\n").map((line) => {
    const done = grammar.tokenizeLine(line, state);
    state = done.ruleStack;
    return done.tokens.map((one) => [one.startIndex, one.endIndex, nameOf(one.scopes)]);
  });
});
fs.writeFileSync(process.env.KOMUZ_OUT, JSON.stringify(all));
