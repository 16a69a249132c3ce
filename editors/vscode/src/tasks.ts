// SPDX-License-Identifier: Apache-2.0
// Tasks of `komuz` in each folder of the workspace. Their errors become problems ($komuz).
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
    // Where there is none, the task says so.
    const executable = this.server.executable ?? vscode.workspace.getConfiguration("komuz").get("server.path", "komuz");
    const run = new vscode.ProcessExecution(executable, [definition.command, ...(definition.arguments ?? [])]);
    const task = new vscode.Task(definition, scope, definition.command, "komuz", run, "$komuz");
    if (group) task.group = group;
    task.presentationOptions = { clear: true, reveal: vscode.TaskRevealKind.Silent };
    return task;
  }
}
