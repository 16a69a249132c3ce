// SPDX-License-Identifier: Apache-2.0
// Paths of `use` items as links to the files of their modules.
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "lsp/text/uri.h"
#include "services/doc.h"
#include "services/editor/use_links.h"
#include "services/item_text.h"

namespace komuz::lsp {

Outcome answer_links(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  const services::Analysis& analysis = question.workspace.analyse(document);
  Json links = Json::array();
  for (const services::UseLink& link :
       services::list_use_links(analysis.written(), document.text)) {
    const std::string path = question.workspace.file_of_module(document, link.path);
    if (path.empty()) continue;
    const DocumentRef open = question.workspace.documents().find_path(path);
    Json out = {{"range", range_json(document, {link.begin, link.end}, question.client.encoding)},
                {"target", open != nullptr ? open->uri : uri_of_path(path)}};
    const Module* const module = question.workspace.find_module(document, link.path);
    // A comment with three strokes is of the first item.
    const bool has_summary = module != nullptr && !module->text.starts_with("///");
    const std::string summary = has_summary ? services::module_summary(module->text) : "";
    if (!summary.empty()) out["tooltip"] = services::first_sentence(summary);
    links.push_back(std::move(out));
  }
  return links;
}

}  // namespace komuz::lsp
