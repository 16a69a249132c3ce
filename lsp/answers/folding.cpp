// SPDX-License-Identifier: Apache-2.0
#include "services/editor/folding.h"

#include <optional>

#include "lsp/answers/params.h"

namespace komuz::lsp {

Outcome answer_folds(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  Json folds = Json::array();
  std::optional<u32> last_line;  // one fold begins on a line
  for (const services::Fold& fold : services::list_folds(question.workspace.analyse(document))) {
    const bool is_code = fold.kind == services::FoldKind::Code;
    const Position begin = document.position_of(fold.begin + is_code, question.client.encoding);
    const Position end = document.position_of(fold.end, question.client.encoding);
    // The line of a closing bracket stays in sight.
    const u32 end_line = is_code ? end.line - 1 : end.line;
    if (end_line <= begin.line || last_line == begin.line) continue;
    last_line = begin.line;
    Json range = {{"startLine", begin.line}, {"endLine", end_line}};
    if (!question.client.folds_lines_only) {
      range["endLine"] = end.line;
      range["startCharacter"] = begin.character;
      range["endCharacter"] = end.character;
    }
    switch (fold.kind) {
      case services::FoldKind::Code: break;
      case services::FoldKind::Comment: range["kind"] = "comment"; break;
      case services::FoldKind::Uses: range["kind"] = "imports"; break;
    }
    folds.push_back(std::move(range));
  }
  return folds;
}

}  // namespace komuz::lsp
