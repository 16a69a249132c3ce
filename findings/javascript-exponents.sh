#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Parsers of formulas for JavaScript (npm): 1e-7, as searches print their constants, is a sum, a number or an error.
#   math-expression-evaluator 2.0.7, algebrite 1.4.0, evaluatex 2.2.0, filtrex 3.1.0, hot-formula-parser 4.0.0 and hyperformula 3.5.0;
#   fast-formula-parser 1.0.19, fparser 4.2.0 and expr-eval 2.0.2 read it.
#
# One would guess that a library for formulas reads what `String` makes of numbers in its own language: 1e-7 and 1e+22. Seen:
# math-expression-evaluator and algebrite read 1 * e - 7 and 1 * e + 22 without a word, so -4.28 in place of 0.0000001; evaluatex does that
# with 1E-7, and refuses the others. filtrex and hot-formula-parser refuse all. hyperformula refuses 1E-7 alone, as Excel writes it. A
# formula whose constants are moderate works in all of them, so this shows only when a search finds a small one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . math-expression-evaluator@2.0.7 algebrite@1.4.0 evaluatex@2.2.0 filtrex@3.1.0 \
  hot-formula-parser@4.0.0 fast-formula-parser@1.0.19 hyperformula@3.5.0 fparser@4.2.0 expr-eval@2.0.2 >npm.log
cat >exponents.mjs <<'CODE'
import { createRequire } from "node:module";
import Formula from "fparser";
import { HyperFormula } from "hyperformula";
const require = createRequire(import.meta.url);
console.log = () => {};
const Mexp = require("math-expression-evaluator");
const algebrite = require("algebrite");
const evaluatex = require("evaluatex");
const filtrex = require("filtrex");
const Hot = require("hot-formula-parser").Parser;
const Fast = require("fast-formula-parser");
const { Parser } = require("expr-eval");
function hot(text) {
  const { error, result } = new Hot().parse(text);
  if (error) throw new Error(error);
  return result;
}
function hyper(text) {
  const value = HyperFormula.buildFromArray([["=" + text]], { licenseKey: "gpl-v3" }).getCellValue({ sheet: 0, row: 0, col: 0 });
  if (typeof value !== "number") throw new Error(value.value);
  return value;
}
const readers = {
  "math-expression-evaluator": (text) => new (Mexp.default ?? Mexp)().eval(text),
  algebrite: (text) => algebrite.run(text),
  evaluatex: (text) => (evaluatex.default ?? evaluatex)(text)(),
  filtrex: (text) => filtrex.compileExpression(text)({}),
  "hot-formula-parser": hot,
  "fast-formula-parser": (text) => new Fast().parse(text, { sheet: "a", row: 1, col: 1 }),
  hyperformula: hyper,
  fparser: (text) => new Formula(text).evaluate({}),
  "expr-eval": (text) => Parser.evaluate(text),
};
for (const [name, read] of Object.entries(readers)) {
  const answers = ["1e-7", "1E-7", "1e+22"].map((text) => {
    try { return `${text}: ${read(text)}`; } catch { return `${text}: refused`; }
  });
  process.stdout.write(`${name}: ${answers.join(", ")}\n`);
}
CODE
seen=$(node exponents.mjs 2>err)
echo "$seen"
wanted=$(cat <<'TEXT'
math-expression-evaluator: 1e-7: -4.281718171540955, 1E-7: refused, 1e+22: 24.718281828459045
algebrite: 1e-7: -7+e, 1E-7: -7+E, 1e+22: 22+e
evaluatex: 1e-7: refused, 1E-7: -4.281718171540955, 1e+22: refused
filtrex: 1e-7: refused, 1E-7: refused, 1e+22: refused
hot-formula-parser: 1e-7: refused, 1E-7: refused, 1e+22: refused
fast-formula-parser: 1e-7: 1e-7, 1E-7: 1e-7, 1e+22: 1e+22
hyperformula: 1e-7: 1e-7, 1E-7: refused, 1e+22: 1e+22
fparser: 1e-7: 1e-7, 1E-7: 1e-7, 1e+22: 1e+22
expr-eval: 1e-7: 1e-7, 1E-7: 1e-7, 1e+22: 1e+22
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
