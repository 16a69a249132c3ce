// SPDX-License-Identifier: Apache-2.0
// The tests, properties and examples of a document: those that the server has a lens for.
import type * as vscode from "vscode";
import type { CodeLens } from "vscode-languageclient/node";
import type { Span } from "../server/protocol";
import type { Server } from "../server/server";

export interface Listed {
  /** What the server's command takes. */
  readonly values: readonly unknown[];
  readonly name: string;
  readonly range: Span;
}

export const runCommand = "komuz.run";

/** Items may have several examples, and tests one name: a number tells them apart, in the order of the text. */
export async function listTests(server: Server, uri: vscode.Uri): Promise<Listed[]> {
  const lenses = await server.ask<CodeLens[] | null>("textDocument/codeLens", { textDocument: server.idOf(uri) });
  const listed: Listed[] = [];
  const counts = new Map<string, number>();
  for (const { command, range } of lenses ?? []) {
    if (command?.command !== runCommand) continue;
    const values: readonly unknown[] = command.arguments ?? [];
    const name = nameOf(values);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    listed.push({ values, name: count === 1 ? name : `${name} (${count})`, range });
  }
  return listed;
}

/** The command's values are the document, the test's name and its line. */
function nameOf(values: readonly unknown[]): string {
  const [, name] = values;
  return typeof name === "string" ? name : JSON.stringify(name ?? "");
}
