// SPDX-License-Identifier: Apache-2.0
// The bytecode of a function, beside its program, in a text that cannot be edited.
import * as vscode from "vscode";
import type { Code } from "./server/protocol";
import type { Server } from "./server/server";

const scheme = "komuz-code";

export class CodeView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  readonly onDidChange = this.changes.event;

  constructor(private readonly server: Server) {}

  async show(editor: vscode.TextEditor): Promise<void> {
    const { document, selection } = editor;
    const code = await this.server.ask<Code | null>("komuz/code", { textDocument: this.server.idOf(document.uri), position: selection.active });
    if (code === null) throw new Error("the cursor stands in no function");
    const uri = vscode.Uri.from({ scheme, path: `/${code.name}.bytecode`, query: document.uri.toString() });
    this.texts.set(uri.toString(), code.text);
    this.changes.fire(uri);
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }
  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }
  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
  }
}
