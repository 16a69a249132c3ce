// SPDX-License-Identifier: Apache-2.0
// Tasks of `komuz` in each folder of the workspace. Their errors become problems ($komuz).
import { spawn, type ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import type { Server } from "./server/server";

interface KomuzTask extends vscode.TaskDefinition {
  readonly command: string;
  readonly arguments?: readonly string[];
}

export class Tasks implements vscode.TaskProvider {
  constructor(private readonly server: Server) {}

  provideTasks(): vscode.Task[] {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folders.flatMap((folder) => [
      this.make({ type: "komuz", command: "check", arguments: ["."] }, folder, vscode.TaskGroup.Build),
      this.make({ type: "komuz", command: "test", arguments: ["."] }, folder, vscode.TaskGroup.Test),
    ]);
  }
  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const { definition, scope } = task;
    if (typeof definition["command"] !== "string" || scope === undefined) return undefined;
    return this.make(definition as KomuzTask, scope, task.group);
  }

  private make(definition: KomuzTask, scope: vscode.WorkspaceFolder | vscode.TaskScope, group: vscode.TaskGroup | undefined): vscode.Task {
    const folder = typeof scope === "object" ? scope.uri.fsPath : undefined;
    const run = new vscode.CustomExecution((resolved) => {
      const { command, arguments: others = [] } = resolved as KomuzTask;
      return Promise.resolve(new Output(this.server.executable, [command, ...others], folder));
    });
    const task = new vscode.Task(definition, scope, definition.command, "komuz", run, "$komuz");
    if (group) task.group = group;
    task.presentationOptions = { clear: true, reveal: vscode.TaskRevealKind.Silent };
    return task;
  }
}

/** In milliseconds. VS Code looks for problems on its terminal's screen, and no longer when the task has ended. */
const screenTime = 1000;

/** What a process prints, as it prints it into a file: on a terminal `komuz` breaks its lines, and a problem would end with the first. */
class Output implements vscode.Pseudoterminal {
  private readonly writes = new vscode.EventEmitter<string>();
  private readonly ends = new vscode.EventEmitter<number>();
  private process: ChildProcess | undefined;
  readonly onDidWrite = this.writes.event;
  readonly onDidClose = this.ends.event;

  constructor(
    private readonly executable: string | undefined,
    private readonly words: readonly string[],
    private readonly folder: string | undefined,
  ) {}

  open(): void {
    if (this.executable === undefined) {
      this.say("There is no executable `komuz`; say where it is (`komuz.server.path`)\n");
      this.ends.fire(127);
      return;
    }
    this.say(`> komuz ${this.words.join(" ")}\n\n`);
    this.process = spawn(this.executable, this.words, { cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.process.stdout, this.process.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => this.say(text));
    this.process.on("error", (problem) => this.say(`${problem.message}\n`));
    this.process.on("close", (code) => setTimeout(() => this.ends.fire(code ?? 1), screenTime));
  }
  close(): void {
    this.process?.kill();
  }
  private say(text: string): void {
    this.writes.fire(text.replace(/\r?\n/g, "\r\n"));
  }
}
