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

export async function listTests(server: Server, uri: vscode.Uri): Promise<Listed[]> {
  const lenses = await server.ask<CodeLens[] | null>("textDocument/codeLens", { textDocument: server.idOf(uri) });
  const resolved = await Promise.all((lenses ?? []).map((lens) => (lens.command ? lens : server.ask<CodeLens>("codeLens/resolve", lens))));
  return resolved.flatMap(({ command, range }) => {
    const values: readonly unknown[] = command?.arguments ?? [];
    return command?.command === runCommand ? [{ values, name: nameOf(values), range }] : [];
  });
}

/** The command's values are the document and the test's name. */
function nameOf(values: readonly unknown[]): string {
  const [, name] = values;
  return typeof name === "string" ? name : JSON.stringify(name ?? "");
}
