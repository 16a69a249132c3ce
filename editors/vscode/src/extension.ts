// SPDX-License-Identifier: Apache-2.0
// Komuz in VS Code: puts the parts together, and starts the language server.
import * as vscode from "vscode";
import { CodeView } from "./code_view";
import { registerCommands, takerOf } from "./commands";
import { RankingPanels } from "./ranking/panel";
import { Status } from "./ranking/status";
import { Server } from "./server/server";
import { Tasks } from "./tasks";
import { TestExplorer } from "./testing/explorer";

let running: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const server = new Server();
  running = server;
  const parts = { server, panels: new RankingPanels(server, context.extensionUri), code: new CodeView(server), tests: new TestExplorer(server) };
  server.takeCommand = takerOf(parts);
  context.subscriptions.push(
    server,
    parts.panels,
    parts.code,
    parts.tests,
    new Status(server),
    ...registerCommands(parts),
    vscode.tasks.registerTaskProvider("komuz", new Tasks(server)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("komuz.server")) void server.restart();
    }),
  );
  await server.start();
}

export function deactivate(): Promise<void> | undefined {
  return running?.stop();
}
