// SPDX-License-Identifier: Apache-2.0
// Names that an editor changes together while one of them is typed: those of a parameter, or of the holes of one
// decision.
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/editor/find_name.h"

namespace komuz::lsp {

Outcome answer_linked_editing(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const Library& library = question.workspace.modules_of(document).library();
  const auto found = services::find_name(document.text, library, spot.value.byte);
  // What stands alone needs no other.
  if (!found || !found->is_linked || found->uses.size() < 2) return Json();
  Json ranges = Json::array();
  for (const services::NameUse& use : found->uses)
    ranges.push_back(range_json(document, {use.begin, use.end}, question.client.encoding));
  return Json{{"ranges", std::move(ranges)}, {"wordPattern", "[A-Za-z_][A-Za-z0-9_]*"}};
}

}  // namespace komuz::lsp
