// SPDX-License-Identifier: Apache-2.0
// … and `komuz/code`, the code of the function at a place.
#include "lsp/answers/function_lenses.h"

#include <algorithm>

#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/editor/function_costs.h"
#include "services/editor/outline.h"

namespace komuz::lsp {

using services::FunctionCost;

void add_function_lenses(const Question& question, const Document& document, Json& lenses) {
  const Encoding encoding = question.client.encoding;
  for (const services::OutlineNode& node : services::outline(question.workspace.analyse(document)))
    if (node.form == services::ItemForm::Function && node.name_begin != node.name_end)
      lenses.push_back(
          {{"range", range_json(document, {node.name_begin, node.name_end}, encoding)},
           {"data",
            {{"uri", document.uri}, {"version", document.version}, {"at", node.name_begin}}}});
}

Outcome answer_lens(const Question& question) {
  Json lens = question.params;
  const Json& data = member(lens, "data");
  const Json& uri = member(data, "uri");
  const Json& at = member(data, "at");
  // One that has its words already.
  if (lens.is_object() && !member(lens, "command").is_null()) return lens;
  if (!uri.is_string() || !at.is_number_unsigned())
    return Refusal{ErrorCode::InvalidParams, "`data` is that of a lens"};
  const DocumentRef document =
      question.workspace.documents().find(uri.get_ref<const std::string&>());
  std::string title = "…";
  if (document != nullptr && member(data, "version") == document->version) {
    const auto& costs = question.workspace.function_costs(*document);
    const auto found = std::ranges::find(costs, at.get<u64>(), &FunctionCost::name_begin);
    if (found != costs.end())
      title = services::cost_text(*found);
    else if (costs.empty())
      title = "the text has errors";
  }
  // A command without a name: there is nothing to be done.
  lens["command"] = {{"title", std::move(title)}, {"command", ""}};
  return lens;
}

Outcome answer_code(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const u32 byte = spot.value.byte;
  for (const FunctionCost& cost : question.workspace.function_costs(document)) {
    if (byte < cost.begin || byte > cost.end) continue;
    return Json{{"name", cost.name},
                {"range", range_json(document, {cost.begin, cost.end}, question.client.encoding)},
                {"text", cost.text},
                {"stack", cost.stack_bytes},
                {"fuel", cost.ticks ? Json(*cost.ticks) : Json()},
                {"fuelDependsOn", cost.depends_on},
                {"depth", cost.depth},
                {"bytes", cost.code_bytes}};
  }
  return Json();
}

}  // namespace komuz::lsp
