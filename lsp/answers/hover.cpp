// SPDX-License-Identifier: Apache-2.0
#include "services/hover.h"

#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "lsp/answers/values_hover.h"

namespace komuz::lsp {

Outcome answer_hover(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const u32 byte = spot.value.byte;
  const auto found = services::hover(question.workspace.analyse_around(document, byte), byte);
  if (!found) return Json();
  const std::string values = hovered_values(question, document, {found->begin, found->end});
  return Json{
      {"contents", prose_json({found->signature, found->text + values, found->module},
                              question.client.has_markdown_hover)},
      {"range", range_json(document, {found->begin, found->end}, question.client.encoding)}};
}

}  // namespace komuz::lsp
