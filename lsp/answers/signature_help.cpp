// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/signature.h"

namespace komuz::lsp {

Outcome answer_signature(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const u32 byte = spot.value.byte;
  const auto found =
      services::call_signature(question.workspace.analyse_around(*spot.value.document, byte), byte);
  if (!found) return Json();
  const std::string_view label = found->signature;
  Json parameters = Json::array();
  for (const auto& [begin, end] : found->parameters) {
    if (question.client.has_parameter_offsets) {
      const Encoding encoding = question.client.encoding;
      parameters.push_back({{"label",
                             {count_units(label.substr(0, begin), encoding),
                              count_units(label.substr(0, end), encoding)}}});
    } else {
      parameters.push_back({{"label", label.substr(begin, end - begin)}});
    }
  }
  Json signature = {{"label", label}, {"parameters", std::move(parameters)}};
  if (!found->text.empty() || !found->module.empty())
    signature["documentation"] =
        prose_json({"", found->text, found->module}, question.client.has_markdown_signature);
  // As many as there are: none of them.
  return Json{{"signatures", Json::array({std::move(signature)})},
              {"activeSignature", 0},
              {"activeParameter", found->active}};
}

}  // namespace komuz::lsp
