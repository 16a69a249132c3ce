// SPDX-License-Identifier: Apache-2.0
// What package.json says and what the sources do.
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const folder = join(import.meta.dirname, "..", "..");
const read = (name) => readFileSync(join(folder, name), "utf8");
const { contributes, files, main, version } = JSON.parse(read("package.json"));
const sources = readdirSync(join(folder, "src"), { recursive: true }).filter((name) => name.endsWith(".ts")).map((name) => read(join("src", name)));
const all = sources.join("\n");

test("each command of the palette is registered, and no other", () => {
  const table = /const commands: [^=]*=> [^=]*= \{([^}]*)\};/s.exec(read("src/commands.ts"))?.[1] ?? "";
  const registered = [...table.matchAll(/"(komuz\.\w+)":/g)].map(([, name]) => name);
  deepEqual(registered.sort(), contributes.commands.map(({ command }) => command).sort());
});
test("what is set is a setting, and each setting is in the README", () => {
  const settings = Object.keys(contributes.configuration.properties);
  for (const name of settings) ok(read("README.md").includes(`\`${name}\``), name);
  for (const [, name] of all.matchAll(/getConfiguration\("komuz"[^)]*\)\.get(?:<[^>]*>)?\("([\w.]+)"/g)) ok(settings.includes(`komuz.${name}`), name);
});
test("the settings that the server takes are there", () => {
  const table = readFileSync(join(folder, "..", "..", "lsp", "client", "settings.def"), "utf8");
  const names = [...table.matchAll(/^SETTING\((\w+),/gm)].map(([, name]) => name);
  ok(names.length > 0);
  for (const name of names) ok(`komuz.${name}` in contributes.configuration.properties, name);
});
test("the problem matcher reads what `komuz check` prints, and of that the errors alone", () => {
  const [{ regexp, file, line, column, severity, code, message }] = contributes.problemPatterns;
  const wrong = join(folder, "test", "workspace", "shapes.komuz");
  const { stdout } = spawnSync(process.env.KOMUZ, ["check", wrong], { encoding: "utf8" });
  const [found, ...others] = stdout.split("\n").flatMap((text) => [new RegExp(regexp).exec(text) ?? []].filter((one) => one.length > 0));
  deepEqual(others, []);
  deepEqual([file, line, column, severity, code].map((number) => found[number]), [wrong, "4", "37", "error", "K0301"]);
  match(found[message], /^expected `f64`, found `i64`/);
});
test("files that package.json names are there", () => {
  const names = [main, ...contributes.languages.map((one) => one.configuration), ...contributes.grammars.map((one) => one.path), ...contributes.snippets.map((one) => one.path)];
  for (const name of names) ok(read(name).length > 0, name);
  equal(files, undefined);
});
test("the version is in the list of changes", () => match(read("CHANGELOG.md"), new RegExp(`^## ${version.replaceAll(".", "\\.")}$`, "m")));
test("nothing is of any type", () => {
  const code = all.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
  deepEqual([...code.matchAll(/.*(?:[:<|&(]|\bas) *any\b.*/g)].map(([line]) => line), []);
});
test("the lock file names no place that packages come from", () => {
  equal(/"resolved"/.exec(read("package-lock.json")), null);
});
test("the ranking view has no handler in its page and no text that is read as HTML", () => {
  equal(/\son\w+=/.exec(read("src/ranking/page.ts")), null);
  equal(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafe-/.exec(all), null);
});
