// SPDX-License-Identifier: Apache-2.0
#include "services/editor/selection_ranges.h"

#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"

namespace komuz::lsp {

Outcome answer_selection_ranges(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  const Json& positions = member(question.params, "positions");
  const Refusal wrong{ErrorCode::InvalidParams, "`positions` are `{line, character}` each"};
  if (!positions.is_array()) return wrong;
  Json ranges = Json::array();
  for (const Json& one : positions) {
    const auto position = read_position(one);
    if (!position) return wrong;
    if (question.stop.stop_requested()) return cancelled();
    const u32 byte = document.byte_of(*position, question.client.encoding);
    const std::vector<services::SelectionRange> stretches =
        services::selections_around(question.workspace.analyse(document), byte);
    // From the outside in: each is the parent of the one inside of it.
    Json range;
    for (size_t k = stretches.size(); k-- > 0;) {
      const ByteRange bytes{stretches[k].begin, stretches[k].end};
      Json inner = {{"range", range_json(document, bytes, question.client.encoding)}};
      if (!range.is_null()) inner["parent"] = std::move(range);
      range = std::move(inner);
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace komuz::lsp
