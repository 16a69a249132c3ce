// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/line_edit.h"
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/format.h"

namespace komuz::lsp {

Outcome answer_formatting(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  frontend::Compiler compiler;
  compiler.stop_when(question.stop);
  const services::Formatted formatted = services::format(compiler, document.text);
  if (!formatted.ok) {
    std::string words = "the text has errors of syntax, and is not formatted";
    if (!formatted.diagnostics.empty()) {
      const Diagnostic& d = formatted.diagnostics.front();
      words += "; line " + std::to_string(document.lines.line_of(d.begin) + 1) + ": " +
               diagnostic_message(d, document.text);
    }
    return Refusal{ErrorCode::RequestFailed, std::move(words)};
  }
  const std::string text = has_crlf(document.text) ? with_crlf(formatted.text) : formatted.text;
  Json edits = Json::array();
  if (const auto edit = line_edit(document.text, text))
    edits.push_back(text_edit_json(document, *edit, question.client.encoding));
  return edits;
}

}  // namespace komuz::lsp
