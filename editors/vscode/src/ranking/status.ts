// SPDX-License-Identifier: Apache-2.0
// The item of the status bar: the best variant of the program in front, else how the server is.
import * as vscode from "vscode";
import type { RankingChanged } from "../server/protocol";
import type { Server } from "../server/server";
import { countOf, grouped, scoreWords } from "./words";

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("komuz.status", vscode.StatusBarAlignment.Right, 100);
  private readonly news = new Map<string, RankingChanged>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly server: Server) {
    this.item.name = "Komuz";
    this.subscriptions = [
      server.onRankingChanged((news) => {
        this.news.set(server.uriOf(news.uri).toString(), news);
        this.show();
      }),
      server.onStateChanged((state) => {
        if (state !== "running") this.news.clear();
        this.show();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.news.delete(uri.toString())),
    ];
    this.show();
  }
  dispose(): void {
    vscode.Disposable.from(this.item, ...this.subscriptions).dispose();
  }

  private show(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "komuz") {
      this.item.hide();
      return;
    }
    const news = this.news.get(document.uri.toString());
    if (this.server.state !== "running") this.showServer();
    else if (news && news.state !== "none") this.showRanking(news);
    else this.set("$(check) Komuz", "The language server runs", "komuz.showOutput");
    this.item.show();
  }
  private set(text: string, tooltip: string, command: string, isBad = false): void {
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.command = command;
    this.item.accessibilityInformation = { label: `Komuz: ${tooltip}` };
    this.item.backgroundColor = isBad ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
  }
  private showServer(): void {
    switch (this.server.state) {
      case "starting":
        this.set("$(loading~spin) Komuz", "The language server starts", "komuz.showOutput");
        break;
      case "missing":
        this.set("$(error) Komuz", "There is no executable `komuz`: a click tries again", "komuz.restartServer", true);
        break;
      default:
        this.set("$(error) Komuz", "The language server does not run: a click starts it", "komuz.restartServer", true);
    }
  }
  private showRanking({ state, problem, variants = "0", evaluated = 0, best }: RankingChanged): void {
    const many = countOf(variants, "variant");
    if (state === "failed") this.set("$(warning) Komuz", `No ranking: ${problem ?? "a click shows why"}`, "komuz.showRanking");
    else if (best) {
      const found = variants === "1" ? `score ${scoreWords(best.score)}` : `best #${best.variant} · ${scoreWords(best.score)}`;
      const icon = state === "running" ? "$(loading~spin)" : "$(list-ordered)";
      this.set(`${icon} ${found}`, `${many}, ${grouped(evaluated)} evaluated · ${found}: a click opens the ranking`, "komuz.showRanking");
    } else this.set("$(loading~spin) Komuz", `${many}, ${grouped(evaluated)} evaluated: none has a score yet`, "komuz.showRanking");
  }
}
