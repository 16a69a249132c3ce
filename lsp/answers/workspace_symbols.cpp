// SPDX-License-Identifier: Apache-2.0
// Items of all texts of the project by a few letters of their names.
#include <algorithm>
#include <tuple>

#include "lsp/answers/kinds.h"
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/editor/find_items.h"

namespace komuz::lsp {
namespace {

// Nobody reads more, and an editor asks again at the next letter.
constexpr size_t kMostSymbols = 256;

struct Found {
  DocumentRef document;
  services::FoundItem item;
};

// `lib/packing.komuz` of the workspace's folder, else the whole path.
std::string shown_file(const Question& question, const Document& document) {
  for (const std::string& folder : question.client.folders)
    if (document.path.starts_with(folder + "/")) return document.path.substr(folder.size() + 1);
  return document.path.empty() ? document.uri : document.path;
}

}  // namespace

Outcome answer_workspace_symbols(const Question& question) {
  const Json& query = member(question.params, "query");
  if (!query.is_string())
    return Refusal{ErrorCode::InvalidParams, "`query` is missing, or no text"};
  const auto& letters = query.get_ref<const std::string&>();
  std::vector<Found> found;
  frontend::Compiler lexer;
  for (const DocumentRef& document : question.workspace.project_texts(
           *make_document("", "", 0, ""), [](std::string_view) { return true; })) {
    if (question.stop.stop_requested()) return cancelled();
    for (services::FoundItem& item : services::find_items(lexer, document->text, letters))
      found.push_back({document, std::move(item)});
  }
  const auto key = [](const Found& one) {
    return std::tie(one.item.match, one.item.name, one.document->uri, one.item.begin);
  };
  const size_t shown = std::min(found.size(), kMostSymbols);
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(shown),
                            [&](const Found& a, const Found& b) { return key(a) < key(b); });
  found.resize(shown);
  Json symbols = Json::array();
  for (const Found& one : found) {
    const ByteRange bytes{one.item.begin, one.item.end};
    std::string container = shown_file(question, *one.document);
    if (!one.item.container.empty()) container.insert(0, one.item.container + ", ");
    symbols.push_back({{"name", one.item.name},
                       {"kind", symbol_kind(one.item.kind)},
                       {"containerName", std::move(container)},
                       {"location",
                        {{"uri", one.document->uri},
                         {"range", range_json(*one.document, bytes, question.client.encoding)}}}});
  }
  return symbols;
}

}  // namespace komuz::lsp
