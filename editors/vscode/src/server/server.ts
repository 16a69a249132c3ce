// SPDX-License-Identifier: Apache-2.0
// The language server as the rest of the extension sees it: it is started once and again, asked, and says when rankings change.
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, State, type LanguageClientOptions, type WorkspaceEdit } from "vscode-languageclient/node";
import { findExecutable } from "./executable";
import type { RankingChanged } from "./protocol";

export type ServerState = "stopped" | "starting" | "running" | "missing";
/** Takes a command of the server's lenses and actions; undefined: the server does it. */
export type CommandTaker = (command: string, values: readonly unknown[]) => Thenable<unknown> | undefined;

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly output = vscode.window.createOutputChannel("Komuz", { log: true });
  /** Of what rankings and modules are made of. */
  private readonly files = vscode.workspace.createFileSystemWatcher("**/*.{komuz,csv,jsonl}");
  private readonly stateChanges = new vscode.EventEmitter<ServerState>();
  private readonly rankingChanges = new vscode.EventEmitter<RankingChanged>();
  private readonly lensChanges = new vscode.EventEmitter<void>();
  private lensWatch: vscode.Disposable | undefined;
  /** Starts and stops follow each other: the one before has to be done. */
  private turn: Promise<void> = Promise.resolve();
  private current: ServerState = "stopped";
  takeCommand: CommandTaker = () => undefined;

  readonly onStateChanged = this.stateChanges.event;
  readonly onRankingChanged = this.rankingChanges.event;
  /** The server asks for its lenses to be asked for again; from the first `watchLenses` on. */
  readonly onLensesChanged = this.lensChanges.event;

  get state(): ServerState {
    return this.current;
  }
  get executable(): string | undefined {
    return findExecutable(vscode.workspace.getConfiguration("komuz").get("server.path", "komuz"), {
      folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      path: process.env["PATH"] ?? "",
      isWindows: process.platform === "win32",
    });
  }

  start(): Promise<void> {
    return this.inTurn(() => this.startNow());
  }
  stop(): Promise<void> {
    return this.inTurn(() => this.stopNow());
  }
  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }
  showOutput(): void {
    this.output.show(true);
  }
  /** Asks the server. Throws words for a person: the server's own, or that it does not run. */
  async ask<Answer>(method: string, params: object, token?: vscode.CancellationToken): Promise<Answer> {
    await this.turn;
    if (this.client?.state !== State.Running)
      throw new Error("the language server does not run; the command `Komuz: Restart the Language Server` starts it");
    // Undefined would be taken for a second parameter.
    return token ? this.client.sendRequest<Answer>(method, params, token) : this.client.sendRequest<Answer>(method, params);
  }
  run<Answer>(command: string, values: readonly unknown[], token?: vscode.CancellationToken): Promise<Answer> {
    return this.ask("workspace/executeCommand", { command, arguments: values }, token);
  }
  /** False: the text has changed since, so the edit would meet another one. */
  async apply(edit: WorkspaceEdit): Promise<boolean> {
    for (const change of edit.documentChanges ?? []) {
      if (!("textDocument" in change) || change.textDocument.version === null) continue;
      const { uri, version } = change.textDocument;
      if (openDocument(this.uriOf(uri))?.version !== version) return false;
    }
    const converted = await this.client?.protocol2CodeConverter.asWorkspaceEdit(edit);
    return converted !== undefined && vscode.workspace.applyEdit(converted);
  }
  /** `document`: any that the server knows. */
  watchLenses(document: vscode.TextDocument): void {
    const provider = this.client?.getFeature("textDocument/codeLens").getProvider(document);
    this.lensWatch ??= provider?.onDidChangeCodeLensEmitter.event(() => this.lensChanges.fire());
  }
  /** A document as messages name it. */
  idOf(uri: vscode.Uri): { uri: string } {
    return { uri: this.client?.code2ProtocolConverter.asUri(uri) ?? uri.toString() };
  }
  uriOf(text: string): vscode.Uri {
    return this.client?.protocol2CodeConverter.asUri(text) ?? vscode.Uri.parse(text);
  }
  dispose(): void {
    void this.stop();
    this.stateChanges.dispose();
    this.rankingChanges.dispose();
    this.lensChanges.dispose();
    this.files.dispose();
    this.output.dispose();
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(work).catch((problem: unknown) => this.output.error(String(problem)));
    return this.turn;
  }
  private enter(state: ServerState): void {
    this.current = state;
    this.stateChanges.fire(state);
  }
  private async startNow(): Promise<void> {
    const command = this.executable;
    if (command === undefined) {
      this.enter("missing");
      void sayMissing();
      return;
    }
    const settings = vscode.workspace.getConfiguration("komuz");
    const run = { command, args: ["lsp", ...settings.get<string[]>("server.arguments", [])] };
    const client = new LanguageClient("komuz", "Komuz", run, this.options());
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) this.enter(newState === State.Running ? "running" : newState === State.Starting ? "starting" : "stopped");
    });
    client.onNotification("komuz/rankingChanged", (news: RankingChanged) => this.rankingChanges.fire(news));
    this.client = client;
    this.output.info(`${run.command} ${run.args.join(" ")}`);
    await client.start();
  }
  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.lensWatch?.dispose();
    this.lensWatch = undefined;
    if (client) await client.dispose(2000);
    this.enter("stopped");
  }
  private options(): LanguageClientOptions {
    return {
      documentSelector: ["file", "untitled"].map((scheme) => ({ scheme, language: "komuz" })),
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { komuz: { ranking: true } },
      synchronize: { configurationSection: "komuz", fileEvents: this.files },
      middleware: {
        executeCommand: (command, values, next) => this.takeCommand(command, values) ?? next(command, values),
      },
    };
  }
}

export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
}

async function sayMissing(): Promise<void> {
  const stated = vscode.workspace.getConfiguration("komuz").get("server.path", "komuz");
  const open = "Open the Setting";
  const remedy = "Install Komuz so that `komuz` is on the PATH, or say where it is (`komuz.server.path`).";
  const words = `Komuz: there is no executable \`${stated}\`. ${remedy}`;
  if ((await vscode.window.showErrorMessage(words, open)) !== open) return;
  // It is a setting of the machine that the server runs on; the user's own settings do not have it where that is another one.
  const isRemote = vscode.env.remoteName !== undefined;
  await vscode.commands.executeCommand(`workbench.action.open${isRemote ? "Remote" : ""}Settings`, { query: "komuz.server.path" });
}
