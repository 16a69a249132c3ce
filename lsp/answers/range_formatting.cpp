// SPDX-License-Identifier: Apache-2.0
// Formatting of a range, and while somebody types.
#include "lsp/answers/line_edit.h"
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/editor/format_range.h"
#include "services/editor/indentation.h"

namespace komuz::lsp {

Outcome answer_range_formatting(const Question& question) {
  const Read<Stretched> read = read_stretch(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value.document;
  const services::FormattedRange formatted = services::format_range(
      document.text, read.value.bytes.begin, read.value.bytes.end, question.stop);
  if (formatted.items.empty() && formatted.wrong.code() != DiagnosticCode::None) {
    const Diagnostic& d = formatted.wrong;
    return Refusal{ErrorCode::RequestFailed,
                   "the item has errors of syntax, and is not formatted; line " +
                       std::to_string(document.lines.line_of(d.begin) + 1)};
  }
  Json edits = Json::array();
  for (const services::FormattedItem& item : formatted.items) {
    const std::string_view before =
        std::string_view(document.text).substr(item.begin, item.end - item.begin);
    const std::string after = has_crlf(document.text) ? with_crlf(item.text) : item.text;
    auto edit = line_edit(before, after);
    if (!edit) continue;
    edit->begin += item.begin;
    edit->end += item.begin;
    edits.push_back(text_edit_json(document, *edit, question.client.encoding));
  }
  return edits;
}

// Only the blanks before what stands on the line change: the text and the cursor in it stay where they are in each
// other.
Outcome answer_type_formatting(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const Json& typed = member(question.params, "ch");
  if (!typed.is_string()) return Refusal{ErrorCode::InvalidParams, "`ch` is missing, or no text"};
  Json edits = Json::array();
  const auto line = services::indentation_at(document.text, spot.value.byte);
  if (!line) return edits;
  const std::string_view text = document.text;
  // A brace behind something else moves nothing.
  const bool is_brace = typed == "}";
  if (is_brace && (line->end >= text.size() || text[line->end] != '}')) return edits;
  const std::string blanks(line->blanks, ' ');
  if (text.substr(line->begin, line->end - line->begin) == blanks) return edits;
  edits.push_back(
      text_edit_json(document, Edit{line->begin, line->end, blanks}, question.client.encoding));
  return edits;
}

}  // namespace komuz::lsp
