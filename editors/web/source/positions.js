// SPDX-License-Identifier: Apache-2.0
// Places of the protocol (lines, UTF-16 units) in a document of CodeMirror, and edits of the protocol as its changes. What lies outside of
// the text is cut to it: the document may have changed since.

export function offsetOf(doc, { line, character }) {
  if (line < 0) return 0;
  if (line >= doc.lines) return doc.length;
  const found = doc.line(line + 1);
  return Math.min(found.from + Math.max(character, 0), found.to);
}

export function positionOf(doc, at) {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

/** The changes of a WorkspaceEdit that are of one document. */
export function changesOf(edit, uri, doc) {
  const lists = [];
  for (const change of edit.documentChanges ?? [])
    if (change.textDocument?.uri === uri) lists.push(change.edits);
  if (lists.length === 0 && edit.changes?.[uri]) lists.push(edit.changes[uri]);
  return lists.flat().map(({ range, newText }) => ({ from: offsetOf(doc, range.start), to: offsetOf(doc, range.end), insert: newText }));
}
