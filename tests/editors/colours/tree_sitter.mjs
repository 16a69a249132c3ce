// SPDX-License-Identifier: Apache-2.0
// What tree-sitter's grammar and its query for colours make of files; see check_colours.py. The other queries have to fit the grammar.
import fs from "node:fs";
import path from "node:path";
import { makeTable, parse, readGrammar } from "../tree_sitter/grammar_tables.mjs";
import { captures, readQuery, unknownNames } from "../tree_sitter/queries.mjs";

const folder = process.env.KOMUZ_EDITORS;
const grammar = readGrammar(path.join(folder, "tree-sitter/grammar.js"));
const table = makeTable(grammar);
if (table.conflicts.length) throw new Error(`tree-sitter would ask for a precedence:\n${table.conflicts.join("\n")}`);
const symbols = table.list.flatMap(({ right }) => right);
const names = {
  nodes: new Set([...Object.keys(grammar.rules).filter((name) => !name.startsWith("_")), ...symbols.map((one) => one.alias)]),
  strings: new Set([...table.productions.tokens.values()].filter((one) => one.isString).map((one) => JSON.parse(one.name))),
  fields: new Set(symbols.map((one) => one.field)),
};
for (const home of ["tree-sitter/queries", "helix/queries"])
  for (const file of fs.readdirSync(path.join(folder, home))) {
    const unknown = unknownNames(readQuery(fs.readFileSync(path.join(folder, home, file), "utf8"), file), names);
    if (unknown.length) throw new Error(`${home}/${file}: the grammar has no ${unknown.join(", ")}`);
  }

const [query, helix] = ["tree-sitter", "helix"].map((home) => readQuery(fs.readFileSync(path.join(folder, home, "queries/highlights.scm"), "utf8"), home));
const all = JSON.parse(fs.readFileSync(process.env.KOMUZ_FILES)).map((file) => {
  const text = fs.readFileSync(file, "utf8");
  let tree;
  try {
    tree = parse(table, grammar, text);
  } catch (problem) {
    throw new Error(`${file}: ${problem.message}`);
  }
  if (captures(helix, tree, text).length !== captures(query, tree, text).length) throw new Error(`${file}: Helix colours other nodes`);
  const lines = text.split("\n").map(() => []);
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  let line = 0;
  for (const one of captures(query, tree, text).sort((a, b) => a.begin - b.begin)) {
    while (line + 1 < starts.length && starts[line + 1] <= one.begin) ++line;
    // The dot of `pair.0` is a part of one token with the digits; of the colours only the digits are compared.
    const dot = text[one.begin] === "." && /\d/.test(text[one.begin + 1]) ? 1 : 0;
    lines[line].push([one.begin + dot - starts[line], one.end - starts[line], one.name]);
  }
  return lines;
});
fs.writeFileSync(process.env.KOMUZ_OUT, JSON.stringify(all));
