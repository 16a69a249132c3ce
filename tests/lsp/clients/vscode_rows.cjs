// SPDX-License-Identifier: Apache-2.0
// Asks by the client of VS Code what an editor asks of its own accord or by a menu, and looks at what the client makes of the answers.

// What the stand-in's classes were made of, where the client gives one of them.
const first = (one) => one?.values?.[0] ?? one;

exports.askRows = async ({ vscode, providers, document, plan, place, say, waitFor }) => {
  const token = () => new vscode.CancellationTokenSource().token;
  const provider = async (kind) => (await waitFor(() => providers[`register${kind}`]?.at(-1))).provider;
  const ask = async (kind, method, ...values) => (await provider(kind))[method](...values, token());
  const all = () => new vscode.Range(document.positionAt(0), document.positionAt(document.text.length));
  const expect = (step, found, wanted) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted)) throw `${step}: ${JSON.stringify(found)}, and not ${JSON.stringify(wanted)}`;
    say(`${step}: ${[found].flat().join(", ")}`);
  };
  const name = place(plan.definition.to), used = place(plan.definition.at);
  const places = [name.line, used.line];
  const lines = (found) => found.map((one) => (one.range ?? one.values[0]).start.line).sort();

  expect("references", lines(await ask("ReferenceProvider", "provideReferences", document, used, { includeDeclaration: true })), places);
  expect("highlights", lines(await ask("DocumentHighlightProvider", "provideDocumentHighlights", document, used)), places);
  const symbols = await ask("DocumentSymbolProvider", "provideDocumentSymbols", document);
  expect("symbols", symbols.map(first), plan.symbols);
  const found = await ask("WorkspaceSymbolProvider", "provideWorkspaceSymbols", plan.symbols[0]);
  expect("symbols of the workspace", found.map(first), plan.symbols.slice(0, 1));
  const declared = [await ask("DeclarationProvider", "provideDeclaration", document, used)].flat();
  expect("declaration", lines(declared), [name.line]);
  const types = await ask("TypeDefinitionProvider", "provideTypeDefinition", document, used);
  expect("type definition", types ?? "none", "none");

  const inside = new vscode.Position(used.line, used.character + plan.symbols[0].length + 1);
  const help = await (await provider("SignatureHelpProvider")).provideSignatureHelp(document, inside, token(), { triggerKind: 1, isRetrigger: false });
  expect("signature", [help.signatures.length, help.activeParameter], [1, 0]);
  const [item] = [await ask("CallHierarchyProvider", "prepareCallHierarchy", document, name)].flat();
  expect("callers", (await ask("CallHierarchyProvider", "provideCallHierarchyIncomingCalls", item)).map((call) => call.values[0].name), plan.symbols.slice(1));
  expect("called", (await ask("CallHierarchyProvider", "provideCallHierarchyOutgoingCalls", item)).length, 0);

  const folds = await ask("FoldingRangeProvider", "provideFoldingRanges", document, {});
  expect("folds", folds.length, 0);
  const [ranges] = await ask("SelectionRangeProvider", "provideSelectionRanges", document, [used]);
  const { line, character } = ranges.values[0].start;
  expect("selection", [line, character], [used.line, used.character]);
  const links = await ask("DocumentLinkProvider", "provideDocumentLinks", document);
  expect("links", links.length, 0);

  const tokens = await ask("DocumentSemanticTokensProvider", "provideDocumentSemanticTokens", document);
  const [data, id] = tokens.values;
  if (data.length < 50 || data.length % 5 !== 0) throw `tokens: ${data.length} numbers`;
  say(`tokens: ${data.length / 5}`);
  const edits = await ask("DocumentSemanticTokensProvider", "provideDocumentSemanticTokensEdits", document, id);
  expect("edits of tokens", edits.values[0].length, 0);
  const some = await ask("DocumentRangeSemanticTokensProvider", "provideDocumentRangeSemanticTokens", document, new vscode.Range(1, 0, 2, 0));
  if (!(some.values[0].length > 0 && some.values[0].length < data.length)) throw "tokens of a range: not fewer";
  say(`tokens of a range: ${some.values[0].length / 5}`);

  const options = { tabSize: 4, insertSpaces: true };
  const formatted = await ask("DocumentRangeFormattingEditProvider", "provideDocumentRangeFormattingEdits", document,
    new vscode.Range(used.line, 0, used.line, 1), options);
  expect("formatting of a range", formatted.length > 0, true);
  const typed = await ask("OnTypeFormattingEditProvider", "provideOnTypeFormattingEdits", document, document.positionAt(document.text.length), "\n", options);
  expect("formatting while typing", (typed ?? []).length, 0);

  const [lens] = await ask("CodeLensProvider", "provideCodeLenses", document);
  const resolved = await ask("CodeLensProvider", "resolveCodeLens", lens);
  say(`lens: ${resolved.command.title}`);
  const hints = await ask("InlayHintsProvider", "provideInlayHints", document, all());
  await ask("InlayHintsProvider", "resolveInlayHint", hints[0]);
  const actions = await ask("CodeActionsProvider", "provideCodeActions", document, new vscode.Range(used, inside), { diagnostics: [], triggerKind: 1, only: undefined });
  const extract = actions.find((one) => one.edit === undefined && one.command === undefined);
  if (!extract) throw `no action is left open: ${actions.map((one) => one.title).join(", ")}`;
  const whole = await ask("CodeActionsProvider", "resolveCodeAction", extract);
  if (!whole.edit) throw `${extract.title}: resolved without an edit`;
  say(`action: ${extract.title}`);
  const list = await (await provider("CompletionItemProvider")).provideCompletionItems(document, inside, token(), { triggerKind: 0 });
  const chosen = (list.items ?? list).find((one) => (one.label.label ?? one.label) === plan.symbols[0]);
  const told = await ask("CompletionItemProvider", "resolveCompletionItem", chosen);
  if (!(told.documentation?.value ?? told.documentation ?? "").includes(plan.hover.says[1])) throw `completion: ${JSON.stringify(told.documentation)}`;
  say(`completion, resolved: ${told.documentation.value ?? told.documentation}`);
};

// A sketch: what the best variant has stands beside its hole, a lens says which it is, and an action fills the sketch with it.
exports.askSketch = async ({ vscode, providers, document, plan, say, waitFor, pause }) => {
  const token = () => new vscode.CancellationTokenSource().token;
  const ask = (kind, method, ...values) => providers[`register${kind}`].at(-1).provider[method](document, ...values, token());
  const all = new vscode.Range(document.positionAt(0), document.positionAt(document.text.length));
  // The server is asked again when it has ranked; an editor does so by itself.
  const when = async (what) => {
    for (;;) {
      const found = await what();
      if (found) return found;
      await pause(20);
    }
  };
  const hint = await when(async () => {
    const hints = await ask("InlayHintsProvider", "provideInlayHints", all);
    // A label has parts where it leads to something.
    const words = (label) => (typeof label === "string" ? label : label.map((part) => part.value).join(""));
    return hints.map((one) => words(one.label)).find((label) => label === plan.hint);
  });
  say(`best, beside the hole: ${hint}`);
  const lens = await when(async () => {
    const lenses = await ask("CodeLensProvider", "provideCodeLenses");
    return lenses.map((one) => one.command?.title ?? "").find((title) => title.includes(plan.lens));
  });
  say(`lens of the ranking: ${lens}`);
  const at = document.positionAt(document.text.indexOf("?"));
  const actions = await ask("CodeActionsProvider", "provideCodeActions", new vscode.Range(at, at), { diagnostics: [], triggerKind: 1, only: undefined });
  const fill = actions.find((one) => one.title.includes(plan.fill));
  if (!fill) throw `sketch: no \`${plan.fill}\` in ${actions.map((one) => one.title).join(", ")}`;
  const whole = fill.edit ? fill : await providers.registerCodeActionsProvider.at(-1).provider.resolveCodeAction(fill, token());
  await vscode.workspace.applyEdit(whole.edit);
  await waitFor(() => document.text.includes(plan.filled));
  say(`filled: ${plan.filled}`);
};
