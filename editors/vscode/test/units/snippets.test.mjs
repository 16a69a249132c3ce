// SPDX-License-Identifier: Apache-2.0
// Each snippet with its own words in it is a program without errors.
import { equal } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const snippets = JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "snippets", "komuz.json"), "utf8"));

/** As if Tab alone was pressed. */
function expanded(body) {
  const text = body.join("\n"), words = new Map();
  for (const [, number, options, word] of text.matchAll(/\$\{(\d+)(?:\|([^|]*)\||:([^}]*))\}/g)) if (!words.has(number)) words.set(number, word ?? options.split(",")[0]);
  return text.replace(/\$\{(\d+)(?:\|[^|]*\||:[^}]*)?\}|\$(\d+)/g, (_, one, other) => words.get(one ?? other) ?? "").replaceAll("\t", "    ");
}
// What stands around those that are no items.
const inside = {
  choice: (text) => `pub fn f(x: f64) -> f64 { x * ${text} }`,
  grid: (text) => `pub fn f(x: f64) -> f64 { x * ${text} }`,
  gridlog: (text) => `pub fn f(x: f64) -> f64 { x * ${text} }`,
  while: (text) => `fn f(most: i64) -> i64 { var n = most; ${text} n }`,
  for: (text) => `fn f() -> i64 { ${text} 1 }`,
  if: (text) => `fn f(x: f64) -> f64 { ${text} }`,
  match: (text) => `fn f(option: Option[f64]) -> f64 { ${text} }`,
};

for (const [name, { prefix, body, description }] of Object.entries(snippets))
  test(`${name} (${prefix})`, () => {
    const program = (inside[prefix] ?? ((text) => text))(expanded(body));
    const { status, stdout, stderr } = spawnSync(process.env.KOMUZ, ["check", "-"], { input: program, encoding: "utf8" });
    equal(status, 0, `${program}\n${stdout}${stderr}`);
    equal(typeof description, "string");
  });
