// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lsp/answers/kinds.h"
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/complete.h"

namespace komuz::lsp {
namespace {

// Editors sort by text.
std::string rank_text(size_t rank) {
  std::string digits = std::to_string(rank);
  digits.insert(0, 5 - std::min<size_t>(digits.size(), 5), '0');
  return digits;
}

}  // namespace

Outcome answer_completion(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const services::Completions found =
      services::complete(question.workspace.analyse(document), spot.value.byte);
  const Json range = range_json(document, {found.begin, found.end}, question.client.encoding);
  // What `completionItem/resolve` asks again.
  const Json data = {{"uri", document.uri}, {"at", spot.value.byte}};
  Json items = Json::array();
  for (const services::Completion& one : found.list) {
    Json item = {{"label", one.text},
                 {"kind", completion_kind(one.kind)},
                 {"sortText", rank_text(items.size())},
                 {"textEdit", {{"range", range}, {"newText", one.text}}},
                 {"data", data}};
    if (!one.signature.empty() && one.signature != one.text) item["detail"] = one.signature;
    items.push_back(std::move(item));
  }
  return Json{{"isIncomplete", false}, {"items", std::move(items)}};
}

Outcome answer_completion_item(const Question& question) {
  Json item = question.params;
  const Json& label = member(item, "label");
  const Json& uri = member(member(item, "data"), "uri");
  const Json& at = member(member(item, "data"), "at");
  if (!label.is_string() || !uri.is_string() || !at.is_number_unsigned())
    return Refusal{ErrorCode::InvalidParams, "`label` and `data` are those of a completion"};
  const auto& name = label.get_ref<const std::string&>();
  const DocumentRef document =
      question.workspace.documents().find(uri.get_ref<const std::string&>());
  if (document == nullptr) return item;
  // The document may be another one by now: then the name may stand for nothing there.
  const auto byte = static_cast<u32>(std::min<u64>(at.get<u64>(), document->text.size()));
  const services::Completions found =
      services::complete(question.workspace.analyse(*document), byte);
  const auto same = std::ranges::find(found.list, name, &services::Completion::text);
  if (same != found.list.end() && !same->comment.empty())
    item["documentation"] =
        prose_json({"", same->comment, ""}, question.client.has_markdown_completion);
  return item;
}

}  // namespace komuz::lsp
