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

/** Those of one name are run together, and are one. */
export async function listTests(server: Server, uri: vscode.Uri): Promise<Listed[]> {
  const lenses = await server.ask<CodeLens[] | null>("textDocument/codeLens", { textDocument: server.idOf(uri) });
  const listed = new Map<string, Listed>();
  for (const { command, range } of lenses ?? []) {
    if (command?.command !== runCommand) continue;
    const values: readonly unknown[] = command.arguments ?? [];
    const name = nameOf(values);
    if (!listed.has(name)) listed.set(name, { values, name, range });
  }
  return [...listed.values()];
}

/** The command's values are the document and the test's name. */
function nameOf(values: readonly unknown[]): string {
  const [, name] = values;
  return typeof name === "string" ? name : JSON.stringify(name ?? "");
}
