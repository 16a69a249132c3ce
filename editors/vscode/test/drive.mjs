// SPDX-License-Identifier: Apache-2.0
// Does in VS Code what a user of the extension does, and looks at what is shown. check_vscode.py starts it; see there.
import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Editor } from "./editor.mjs";

const { KOMUZ_PACKAGES: packages, KOMUZ_ADDRESS: address, KOMUZ_FOLDER: folder, KOMUZ_PICTURES: pictures, KOMUZ_CHROMIUM: executablePath } = process.env;
const { chromium } = createRequire(join(packages, "node_modules", "x.js"))("playwright-core");
const start = performance.now();
const say = (words) => console.log(`${((performance.now() - start) / 1000).toFixed(1).padStart(5)} s  ${words}`);
const textOf = (name) => readFileSync(join(folder, name), "utf8");

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const size = { width: 1500, height: 900 };
const page = await browser.newPage({ viewport: size });
page.setDefaultTimeout(60_000);
const editor = new Editor(page, pictures);

async function errorsWhileTyping() {
  await editor.openFile("shapes.komuz");
  await page.locator(".squiggly-error").first().waitFor();
  say("an error is underlined");

  const name = page.locator(".view-line", { hasText: "measure" }).locator("span", { hasText: /^\s*area$/ }).last();
  const hover = page.locator(".monaco-hover:visible", { hasText: "What a rectangle covers." });
  await editor.hover(name, hover);
  assert.match(await hover.innerText(), /fn area\(width: f64, height: f64\) -> f64/);
  await editor.picture("1_error_and_hover");
  say("the hover shows the signature and the comment");

  await editor.goTo(5, 1);
  await page.keyboard.type("fn double(x: f64) -> f64 { are", { delay: 20 });
  const row = page.locator(".suggest-widget .monaco-list-row", { hasText: "area" }).first();
  // A slow machine gives up what was begun while typing.
  await row.waitFor({ timeout: 5000 }).catch(() => editor.until(row, () => page.keyboard.press("Control+Space")));
  await editor.picture("2_completion");
  await row.click();
  await page.locator(".view-line", { hasText: /double.*\{\s+area/ }).waitFor();
  say("a completion is taken");
  await editor.command("File: Revert File");
}

async function ranking() {
  await editor.openFile("period.komuz");
  await editor.command("View: Close Other Editors in Group");
  await editor.command("View: Close Primary Side Bar");
  await editor.status().filter({ hasText: /best #\d+ · [\d.e-]+/ }).waitFor();
  const status = await editor.status().innerText();
  say(`the status bar says \`${status.trim()}\``);
  // What the best has stands beside its hole.
  await page.locator(".view-line", { hasText: "sin(a)]" }).filter({ hasText: /sin\(a\)\]\s*=\sa\s/ }).waitFor();
  const lens = page.locator(".codelens-decoration a", { hasText: "variants · best" });
  // It is drawn anew now and then, so it is waited for.
  await lens.filter({ hasText: status.trim() }).waitFor();
  const view = await editor.ranking(() => lens.click());
  await view.locator("#rows tr").first().waitFor();
  const summary = await view.locator("#summary").innerText();
  assert.match(summary, /^\d[\d,]* variants · .*36 cases of periods\.csv/);
  say(`the view says \`${summary}\``);

  // README.md has this one as docs/pictures/vscode.png.
  await page.setViewportSize({ width: 1400, height: 720 });
  await page.locator(".codelens-decoration", { hasText: "bytes of code" }).waitFor();
  await editor.command("View: Toggle Word Wrap");
  await page.mouse.move(300, 600);
  // All of the line, with what the best has in its last hole.
  await page.locator(".view-line", { hasText: /=\s1\.0\s\+\s0\.078125/ }).first().waitFor();
  await editor.picture("vscode");
  await editor.command("View: Toggle Word Wrap");

  // The table is what the view is for: in a narrow one, too, its rows are there without scrolling.
  await page.setViewportSize({ width: 1000, height: 700 });
  const isInSight = () => view.locator("#rows tr").first().evaluate((row) => row.getBoundingClientRect().bottom < innerHeight);
  assert.ok(await isInSight());
  await editor.picture("3_narrow");
  await page.setViewportSize(size);
  assert.ok(await isInSight());
  say("the best is in sight, however narrow the view is");

  const variants = () => view.locator("#rows tr td.variant").allInnerTexts();
  const byRank = await variants();
  assert.equal(byRank[0], /best (#\d+)/.exec(status)[1]);
  await view.locator("#head .variant button").click();
  const byVariant = await variants();
  assert.deepEqual(byVariant, [...byRank].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
  assert.equal(await view.locator("#head .variant").getAttribute("aria-sort"), "ascending");
  await view.locator("#head .rank button").click();
  assert.deepEqual(await variants(), byRank);
  say("a click sorts");

  await view.locator("#rows tr").first().click();
  await view.locator("#program", { hasText: "pub fn period" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await view.locator('#rows tr[aria-selected="true"] td.variant', { hasText: byRank[1] }).waitFor();
  await view.locator("#title", { hasText: byRank[1] }).waitFor();
  await view.locator("#program", { hasText: "pub fn period" }).waitFor();
  const program = await view.locator("#program").innerText();
  assert.ok(!program.includes("?"), program);
  assert.equal(await view.locator("#scores circle.chosen").count(), 1);
  assert.ok((await view.locator("#values circle").count()) > 0);
  await editor.picture("3_ranking");
  say("the arrow keys choose a variant, and its program is shown");

  await view.locator("#keep").click();
  await page.locator('.tab.active[data-resource-name^="Untitled"]').waitFor();
  say("it is kept in an editor of its own");
  await editor.command("View: Revert and Close Editor");

  await view.locator("#fillBest").click();
  await editor.tab("period.komuz", ".dirty").waitFor();
  await editor.command("View: Focus First Editor Group");
  await page.keyboard.press("Control+S");
  await editor.tab("period.komuz", ".dirty").waitFor({ state: "detached" });
  const filled = textOf("period.komuz");
  assert.ok(!filled.includes("?") && filled.includes("pub fn period"), filled);
  await editor.status().filter({ hasText: /^\s*score [\d.e-]+\s*$/ }).waitFor();
  await editor.picture("4_filled");
  say("the best variant is filled in, and has its score");
}

async function tests() {
  await editor.openFile("halves.komuz");
  await page.locator(".testing-run-glyph").nth(3).waitFor();
  const lens = page.locator(".codelens-decoration a", { hasText: "expected 4.0" });
  const failed = page.locator(".editor-instance .codicon-testing-failed-icon").first();
  await editor.until(failed, () => lens.click());
  say("a lens runs its test");
  // What came beside what is expected.
  await editor.goTo(7, 1);
  await editor.command("Test: Peek Output");
  const compared = page.locator(".test-output-peek .monaco-diff-editor, .peekview-widget .monaco-diff-editor").first();
  await compared.waitFor();
  for (const [side, value] of [[".original", "4.0"], [".modified", "1.5"]]) await compared.locator(side).locator(".view-line", { hasText: value }).first().waitFor();
  await editor.picture("5_compared");
  await page.keyboard.press("Escape");
  say("what was expected and what came is shown as a difference");
  await editor.command("Test: Run Tests in Current File");
  await editor.command("Testing: Focus on Test Explorer View");
  const items = page.locator(".test-explorer .monaco-list-row");
  // The explorer may have unfolded the file by itself.
  const file = items.filter({ hasText: "halves.komuz" });
  if ((await file.getAttribute("aria-expanded")) !== "true") await file.locator(".monaco-tl-twistie").click();
  await items.filter({ hasText: "wrong" }).locator('.codicon-testing-failed-icon').waitFor();
  await page.locator(".monaco-list-row", { hasText: "expected 4.0, actual 1.5" }).first().waitFor();
  for (const name of ["right", "twice a half"]) await items.filter({ hasText: name }).locator(".codicon-testing-passed-icon").waitFor();
  await editor.picture("5_tests");
  say("the test explorer shows what passed and what failed");
}

async function bytecode() {
  await editor.openFile("halves.komuz");
  await editor.goTo(3, 5);
  await editor.command("Komuz: Show the Bytecode of the Function");
  await editor.tab("half.bytecode", ".active").waitFor();
  await page.locator(".view-line", { hasText: "LOAD" }).first().waitFor();
  await editor.picture("6_bytecode");
  say("the bytecode of a function is shown");
}

// The settings of the workspace name a harness: a program that defines what it leaves open is judged as its candidate.
async function harness() {
  await editor.openFile("brake.komuz");
  await page.locator(".squiggly-error").first().waitFor();
  const hover = page.locator(".monaco-hover:visible", { hasText: "for the harness; give it this signature" });
  await editor.hover(page.locator(".view-line span", { hasText: /^\s*brake$/ }).first(), hover);
  await editor.picture("7_harness");
  // A list of actions closes when findings change behind it.
  const fix = page.locator(".action-widget .monaco-list-row", { hasText: "(speed: f64) -> f64" }).first();
  const fixed = page.locator(".view-line", { hasText: /brake\(speed:\sf64\)/ });
  await editor.until(fixed, async () => {
    await page.keyboard.press("Escape");
    await editor.goTo(1, 8);
    await page.keyboard.press("Control+.");
    await fix.click({ timeout: 8000 });
  });
  await page.locator(".squiggly-error").waitFor({ state: "detached" });
  say("the setting `komuz.harness` has candidates checked, and its fix is taken");
  await editor.command("File: Revert File");
}

// The server tells problems of programs that no editor shows, too.
async function task() {
  const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "expected `f64`, found `i64`; write `f64(side)`" });
  await editor.command("View: Close All Editors");
  await editor.command("Problems: Focus on Problems View");
  await problem.waitFor();
  await editor.command("Tasks: Run Build Task", "komuz: check");
  // Where it failed, its output is shown.
  await page.locator(".terminal-wrapper.active").waitFor();
  await editor.command("Problems: Focus on Problems View");
  await problem.first().waitFor();
  assert.equal(await problem.count(), 1);
  await editor.picture("8_task");
  say("the task `komuz: check` runs; what it and the server say stands there once");
}

// A session in a terminal, and the setting that attaches to it.
async function session() {
  await editor.command("View: Close All Editors");
  await editor.openFile("thirds.komuz");
  await page.locator(".squiggly-error").first().waitFor();
  await editor.command("Komuz: Start a Session in a Terminal");
  const terminal = page.locator(".terminal-wrapper.active .xterm-rows");
  await terminal.filter({ hasText: ">" }).waitFor();
  const enter = async (line) => {
    await page.locator(".terminal-wrapper.active .xterm-helper-textarea").focus();
    await page.keyboard.type(line, { delay: 10 });
    await page.keyboard.press("Enter");
  };
  await enter("fn third(x: f64) -> f64 { x / 3.0 }");
  await enter(":lsp input");
  const answer = terminal.filter({ hasText: /127\.0\.0\.1:\d+/ });
  await answer.waitFor();
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(await answer.innerText());
  const settings = join(folder, ".vscode", "settings.json");
  writeFileSync(settings, JSON.stringify({ "komuz.server.arguments": ["--connect", port] }));
  await page.locator(".squiggly-error").waitFor({ state: "detached" });
  say("the setting attaches to the session, which knows what is missing");
  const hover = page.locator(".monaco-hover:visible", { hasText: "fn third(x: f64) -> f64" });
  await editor.hover(page.locator(".view-line span", { hasText: /^\s*third$/ }).first(), hover);
  await editor.picture("9_session");
  say("what the session has defined has its hover");

  const action = page.locator(".action-widget .monaco-list-row", { hasText: "define `two_thirds` in the session" }).first();
  await editor.until(terminal.filter({ hasText: /from\san\seditor/ }), async () => {
    // A terminal has keys of its own.
    await editor.command("View: Focus First Editor Group");
    await editor.goTo(1, 10);
    await page.keyboard.press("Control+.");
    await action.click({ timeout: 8000 });
  });
  await enter("two_thirds(6.0)");
  await terminal.filter({ hasText: /4\.0/ }).waitFor();
  await editor.picture("9_sent");
  say("a function of the editor is defined in the session");
  await enter(":undo");
  await enter(":undo");
  await page.locator(".squiggly-error").first().waitFor();
  say("what the session takes back is missing again");
}

try {
  await editor.open(address);
  say("VS Code is there");
  await errorsWhileTyping();
  await ranking();
  await tests();
  await bytecode();
  await harness();
  await task();
  await session();
  assert.deepEqual(editor.complaints, []);
  say("done");
} catch (problem) {
  await editor.picture("failed").catch(() => {});
  console.error(problem);
  process.exitCode = 1;
} finally {
  await browser.close();
}
