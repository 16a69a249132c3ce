// SPDX-License-Identifier: Apache-2.0
// A ranking view beside its document: asks for the ranking when that has changed, and does what is clicked.
import { basename, isAbsolute } from "node:path";
import * as vscode from "vscode";
import type { Ranking } from "../server/protocol";
import { openDocument, type Server } from "../server/server";
import { fillWith, keepVariant, programOf, search, searchCommand } from "./actions";
import type { FromView, ToView, ViewState } from "./messages";
import { rankingPage } from "./page";

const kind = "komuz.ranking";

/** All views that are open: one for a document. */
export class RankingPanels implements vscode.Disposable, vscode.WebviewPanelSerializer<ViewState> {
  private readonly panels = new Map<string, RankingPanel>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly extension: vscode.Uri,
  ) {
    this.subscriptions = [
      vscode.window.registerWebviewPanelSerializer(kind, this),
      server.onRankingChanged(({ uri }) => this.panels.get(server.uriOf(uri).toString())?.refresh()),
      server.onStateChanged((state) => {
        if (state === "running") for (const panel of this.panels.values()) panel.refresh();
      }),
      // Servers that say nothing of changes are asked after each edit.
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.panels.get(document.uri.toString())?.refresh()),
    ];
  }
  open(uri: vscode.Uri): void {
    const known = this.panels.get(uri.toString());
    if (known) {
      known.reveal();
      return;
    }
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.add(vscode.window.createWebviewPanel(kind, title(uri), place, this.options()), uri);
  }
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: ViewState | undefined): Promise<void> {
    if (state?.uri === undefined) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.options();
    const uri = vscode.Uri.parse(state.uri);
    try {
      // The server ranks what is open.
      await vscode.workspace.openTextDocument(uri);
      this.add(panel, uri);
    } catch {
      panel.dispose();
    }
  }
  dispose(): void {
    vscode.Disposable.from(...this.subscriptions, ...[...this.panels.values()].map((one) => one.panel)).dispose();
  }

  private options(): vscode.WebviewOptions & vscode.WebviewPanelOptions {
    const folders = ["dist", "media"].map((name) => vscode.Uri.joinPath(this.extension, name));
    return { enableScripts: true, localResourceRoots: folders };
  }
  private add(panel: vscode.WebviewPanel, uri: vscode.Uri): void {
    const added = new RankingPanel(panel, uri, this.server, this.extension);
    this.panels.set(uri.toString(), added);
    panel.onDidDispose(() => this.panels.delete(uri.toString()));
  }
}

const title = (uri: vscode.Uri): string => `Ranking: ${basename(uri.path)}`;

class RankingPanel {
  private shown: Ranking | undefined;
  /** Rows that the view has room for. */
  private count: number;
  private isAsking = false;
  private isStale = false;
  private isClosed = false;

  constructor(
    readonly panel: vscode.WebviewPanel,
    private readonly uri: vscode.Uri,
    private readonly server: Server,
    extension: vscode.Uri,
  ) {
    this.count = vscode.workspace.getConfiguration("komuz", uri).get("ranking.rows", 100);
    panel.iconPath = vscode.Uri.joinPath(extension, "media", "file.svg");
    panel.onDidDispose(() => (this.isClosed = true));
    panel.webview.onDidReceiveMessage((message: FromView) => void this.take(message));
    panel.webview.html = rankingPage(panel.webview, extension);
  }
  reveal(): void {
    this.panel.reveal(undefined, true);
  }
  /** One question at a time; what changes meanwhile is asked for after it. */
  refresh(): void {
    this.isStale = true;
    if (!this.isAsking) void this.ask();
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    while (this.isStale && !this.isClosed) {
      this.isStale = false;
      try {
        const params = { textDocument: this.server.idOf(this.uri), first: 0, count: this.count };
        const ranking = await this.server.ask<Ranking>("komuz/ranking", params);
        this.shown = ranking;
        this.say({ kind: "ranking", file: this.uri.toString(), ranking, canSearch: this.server.offers(searchCommand) });
      } catch (problem) {
        this.say({ kind: "problem", words: wordsOf(problem) });
      }
    }
    this.isAsking = false;
  }
  private say(message: ToView): void {
    if (!this.isClosed) void this.panel.webview.postMessage(message);
  }
  private async take(message: FromView): Promise<void> {
    try {
      await this.obey(message);
    } catch (problem) {
      this.say({ kind: "problem", words: wordsOf(problem) });
    }
  }
  private async obey(message: FromView): Promise<void> {
    switch (message.kind) {
      case "ready":
        this.refresh();
        break;
      case "rows":
        this.count = message.count;
        this.refresh();
        break;
      case "show":
        this.say({ kind: "program", variant: message.variant, text: await programOf(this.server, this.uri, message.variant) });
        break;
      case "fill":
        await fillWith(this.server, this.uri, message.variant);
        break;
      case "fillBest":
        await fillWith(this.server, this.uri, undefined);
        break;
      case "keep":
        await keepVariant(this.server, this.uri, message.variant);
        break;
      case "search":
        await search(this.server, this.uri);
        break;
      case "reveal":
        await this.showRange(new vscode.Range(message.range.start.line, message.range.start.character, message.range.end.line, message.range.end.character));
        break;
      case "openCase":
        await this.openCase(message.line);
        break;
    }
  }
  private async showRange(selection: vscode.Range): Promise<void> {
    const document = openDocument(this.uri) ?? (await vscode.workspace.openTextDocument(this.uri));
    await vscode.window.showTextDocument(document, { selection, viewColumn: columnOf(this.uri) });
  }
  private async openCase(line: number): Promise<void> {
    const name = this.shown?.cases?.file;
    if (name === undefined) return;
    const document = await openCases(name, this.uri);
    const { range } = document.lineAt(Math.min(document.lineCount, line) - 1);
    await vscode.window.showTextDocument(document, { selection: range, viewColumn: columnOf(this.uri) });
  }
}

const wordsOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

/** Where the document is shown, else where there is room beside the view. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === uri.toString());
  return editor?.viewColumn ?? vscode.ViewColumn.One;
}

/** A file of cases lies beside its program, or its name begins at a folder of the workspace. */
async function openCases(name: string, program: vscode.Uri): Promise<vscode.TextDocument> {
  const folders = [vscode.Uri.joinPath(program, ".."), ...(vscode.workspace.workspaceFolders ?? []).map((one) => one.uri)];
  const places = isAbsolute(name) ? [vscode.Uri.file(name)] : folders.map((one) => vscode.Uri.joinPath(one, name));
  for (const place of places) {
    try {
      return await vscode.workspace.openTextDocument(place);
    } catch {
      // It lies elsewhere.
    }
  }
  throw new Error(`\`${name}\` is not there any more`);
}
