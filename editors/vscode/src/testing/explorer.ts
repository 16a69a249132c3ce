// SPDX-License-Identifier: Apache-2.0
// Tests, properties and examples in VS Code's test explorer. A file's are listed when it is opened or unfolded; the server runs them on the
// text as the editor holds it.
import { basename } from "node:path";
import * as vscode from "vscode";
import { grouped } from "../ranking/words";
import type { RunResult } from "../server/protocol";
import type { Server } from "../server/server";
import { listTests, runCommand, type Listed } from "./listing";

/** More files than that are not listed by themselves. */
const mostFiles = 10_000;
const files = "**/*.komuz";
/** In milliseconds. Nobody reads the list while typing; and what a server has had no time to run, it lists that much later. */
const pauseOfTyping = 200, patience = 1000;

export class TestExplorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("komuz", "Komuz");
  private readonly values = new WeakMap<vscode.TestItem, readonly unknown[]>();
  private readonly subscriptions: vscode.Disposable[];
  private waiting = new Map<string, NodeJS.Timeout>();

  constructor(private readonly server: Server) {
    this.controller.resolveHandler = (item) => (item ? this.listPatiently(item) : this.find());
    this.controller.refreshHandler = () => this.find();
    this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    const watcher = vscode.workspace.createFileSystemWatcher(files, false, true, false);
    this.subscriptions = [
      this.controller,
      watcher,
      watcher.onDidCreate((uri) => this.fileOf(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
      vscode.workspace.onDidOpenTextDocument((document) => this.listLater(document, 0)),
      server.onLensesChanged(() => this.listAllLater(pauseOfTyping)),
      server.onStateChanged((state) => {
        if (state === "running") this.listAllLater(0);
      }),
    ];
  }
  /** A lens was clicked: the result is shown where those of the explorer are. */
  async runLens(values: readonly unknown[]): Promise<void> {
    const [uri] = values;
    if (typeof uri !== "string") return;
    const file = this.fileOf(this.server.uriOf(uri));
    await this.listPatiently(file);
    const wanted = JSON.stringify(values);
    const item = [...file.children].map(([, child]) => child).find((child) => JSON.stringify(this.values.get(child)) === wanted);
    if (item) await this.run(new vscode.TestRunRequest([item]), new vscode.CancellationTokenSource().token);
    else void vscode.window.showWarningMessage("Komuz: the test is not there any more");
  }
  dispose(): void {
    this.waiting.forEach((timer) => clearTimeout(timer));
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private fileOf(uri: vscode.Uri): vscode.TestItem {
    const known = this.controller.items.get(uri.toString());
    if (known) return known;
    const item = this.controller.createTestItem(uri.toString(), basename(uri.path), uri);
    // The folder that it is in, below the workspace.
    item.description = vscode.workspace.asRelativePath(uri).split("/").slice(0, -1).join("/");
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }
  private async find(): Promise<void> {
    for (const uri of await vscode.workspace.findFiles(files, undefined, mostFiles)) this.fileOf(uri);
    await Promise.all(vscode.workspace.textDocuments.filter(isProgram).map(({ uri }) => this.list(this.fileOf(uri))));
  }
  private listAllLater(milliseconds: number): void {
    vscode.workspace.textDocuments.forEach((document) => this.listLater(document, milliseconds));
  }
  private listLater(document: vscode.TextDocument, milliseconds: number): void {
    if (!isProgram(document)) return;
    const key = document.uri.toString();
    clearTimeout(this.waiting.get(key));
    this.waiting.set(key, setTimeout(() => {
      this.waiting.delete(key);
      if (!document.isClosed) void this.list(this.fileOf(document.uri));
    }, milliseconds));
  }
  private async list(file: vscode.TestItem): Promise<void> {
    if (!file.uri) return;
    try {
      // The server answers for documents that are open.
      this.server.watchLenses(await vscode.workspace.openTextDocument(file.uri));
      this.fill(file, await listTests(this.server, file.uri));
      file.error = undefined;
    } catch (problem) {
      file.error = problem instanceof Error ? problem.message : String(problem);
    }
  }
  /** … of a file that was perhaps opened only now: the server lists its tests when it has run them. */
  private async listPatiently(file: vscode.TestItem): Promise<void> {
    await this.list(file);
    if (file.children.size > 0) return;
    let watch: vscode.Disposable | undefined, timer: NodeJS.Timeout | undefined;
    await new Promise<void>((done) => {
      timer = setTimeout(done, patience);
      watch = this.server.onLensesChanged(done);
    });
    clearTimeout(timer);
    watch?.dispose();
    await this.list(file);
  }
  private fill(file: vscode.TestItem, listed: readonly Listed[]): void {
    file.children.replace(listed.map(({ values, name, range }, order) => {
      const item = file.children.get(name) ?? this.controller.createTestItem(name, name, file.uri);
      item.range = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
      item.sortText = String(order).padStart(6, "0");
      this.values.set(item, values);
      return item;
    }));
  }
  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const chosen = request.include ?? [...this.controller.items].map(([, item]) => item);
    const left = new Set(request.exclude ?? []);
    const tests: vscode.TestItem[] = [];
    for (const item of chosen) {
      if (!item.parent) await this.listPatiently(item);
      tests.push(...(item.parent ? [item] : [...item.children].map(([, child]) => child)).filter((one) => !left.has(one) && !left.has(item)));
    }
    tests.forEach((item) => run.enqueued(item));
    for (const item of tests) {
      if (token.isCancellationRequested) run.skipped(item);
      else await this.runOne(item, run, token);
    }
    run.end();
  }
  private async runOne(item: vscode.TestItem, run: vscode.TestRun, token: vscode.CancellationToken): Promise<void> {
    run.started(item);
    try {
      if (item.uri) await vscode.workspace.openTextDocument(item.uri);
      const result = await this.server.run<RunResult>(runCommand, this.values.get(item) ?? [], token);
      if (result.passed) run.passed(item);
      else run.failed(item, messageOf(item, result));
      run.appendOutput(lineOf(item.label, result).replace(/\r?\n/g, "\r\n"));
    } catch (problem) {
      run.errored(item, new vscode.TestMessage(problem instanceof Error ? problem.message : String(problem)));
    }
  }
}

const isProgram = (document: vscode.TextDocument): boolean => document.languageId === "komuz" && document.uri.scheme === "file";

function lineOf(name: string, { passed, message, ticks }: RunResult): string {
  const measured = ticks === undefined ? "" : ` (${grouped(ticks)} ticks)`;
  return passed ? `ok     ${name}${measured}\n` : `FAILED ${name}${measured}\n${message.trimEnd()}\n`;
}

/** A comparison is shown as what differs. */
function messageOf(item: vscode.TestItem, { message, expected, actual }: RunResult): vscode.TestMessage {
  const isCompared = expected !== undefined && actual !== undefined;
  const said = isCompared ? vscode.TestMessage.diff(`expected ${expected}, actual ${actual}`, expected, actual) : new vscode.TestMessage(message);
  if (item.uri && item.range) said.location = new vscode.Location(item.uri, item.range);
  return said;
}
