// SPDX-License-Identifier: Apache-2.0
// What is done with a variant: shown, filled in, kept; and a search for better ones.
import * as vscode from "vscode";
import type { WorkspaceEdit } from "vscode-languageclient/node";
import type { Ranking } from "../server/protocol";
import type { Server } from "../server/server";

interface Filled {
  readonly text: string;
  readonly edit: WorkspaceEdit;
}
const filled = (server: Server, uri: vscode.Uri, variant: string): Promise<Filled> =>
  server.ask("komuz/fill", { textDocument: server.idOf(uri), variant });

/** The whole program with the holes filled. */
export async function programOf(server: Server, uri: vscode.Uri, variant: string): Promise<string> {
  return (await filled(server, uri, variant)).text;
}

/** Fills the document's holes. No variant: with the best. Throws words for a person. */
export async function fillWith(server: Server, uri: vscode.Uri, variant: string | undefined): Promise<void> {
  // The server has to know the text.
  await vscode.workspace.openTextDocument(uri);
  const { edit } = await filled(server, uri, variant ?? (await bestOf(server, uri)));
  if (!(await server.apply(edit))) throw new Error("the program has changed meanwhile; nothing was filled");
}

async function bestOf(server: Server, uri: vscode.Uri): Promise<string> {
  const ranking = await server.ask<Ranking>("komuz/ranking", { textDocument: server.idOf(uri), first: 0, count: 1 });
  const best = ranking.rows?.[0];
  if (best) return best.variant;
  throw new Error(ranking.problem ?? (ranking.state === "running" ? "no variant is ranked yet" : "no variant has a score"));
}

/** The program of a variant, in an editor of its own that no file has. */
export async function keepVariant(server: Server, uri: vscode.Uri, variant: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: "komuz", content: await programOf(server, uri, variant) });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
}

export const searchCommand = "komuz.search";
const searchSeconds = 10;
/** The server says how far it is, takes a cancel, and sends the edit that fills in what it found. */
export async function search(server: Server, uri: vscode.Uri): Promise<void> {
  await vscode.workspace.openTextDocument(uri);
  await server.run(searchCommand, [server.idOf(uri).uri, searchSeconds]);
}
