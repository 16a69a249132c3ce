// SPDX-License-Identifier: Apache-2.0
// The commands of the palette, and those that the server's lenses and actions name.
import * as vscode from "vscode";
import type { CodeView } from "./code_view";
import { fillWith, search, searchCommand } from "./ranking/actions";
import type { RankingPanels } from "./ranking/panel";
import type { CommandTaker, Server } from "./server/server";
import { runCommand } from "./testing/listing";
import type { TestExplorer } from "./testing/explorer";

export interface Parts {
  readonly server: Server;
  readonly panels: RankingPanels;
  readonly code: CodeView;
  readonly tests: TestExplorer;
}

function editorOfProgram(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "komuz") throw new Error("open a program (*.komuz) first");
  return editor;
}

export function registerCommands({ server, panels, code }: Parts): vscode.Disposable[] {
  // Menus give what VS Code calls a document, lenses and actions of the server what the server does.
  const uriOf = (given: unknown) =>
    given instanceof vscode.Uri ? given : typeof given === "string" ? server.uriOf(given) : editorOfProgram().document.uri;
  const commands: Record<string, (given: unknown) => void | Promise<void>> = {
    "komuz.showRanking": (given) => panels.open(uriOf(given)),
    "komuz.fillBest": (given) => fillWith(server, uriOf(given), undefined),
    "komuz.searchVariants": (given) => search(server, uriOf(given)),
    "komuz.showCode": () => code.show(editorOfProgram()),
    "komuz.startSession": () => startSession(server),
    "komuz.restartServer": () => server.restart(),
    "komuz.showOutput": () => server.showOutput(),
  };
  // What a server lacks is not offered.
  const offers = server.onStateChanged(() => void vscode.commands.executeCommand("setContext", "komuz.canSearch", server.offers(searchCommand)));
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(name, async (given: unknown) => {
      try {
        await run(given);
      } catch (problem) {
        void vscode.window.showErrorMessage(`Komuz: ${problem instanceof Error ? problem.message : String(problem)}`);
      }
    }),
  );
  return [offers, ...registered];
}

/** A test that a lens runs is shown where those of the explorer are; all else the server does. */
export const takerOf = ({ tests }: Parts): CommandTaker => (command, values) => (command === runCommand ? tests.runLens(values) : undefined);

function startSession(server: Server): void {
  const { executable } = server;
  if (executable === undefined) throw new Error("there is no executable `komuz`; say where it is (`komuz.server.path`)");
  vscode.window.createTerminal({ name: "komuz", shellPath: executable, shellArgs: ["repl"] }).show();
}
