// SPDX-License-Identifier: Apache-2.0
// Who calls a function, in all texts of the project, and whom it calls.
#include "services/editor/call_hierarchy.h"

#include "lsp/answers/kinds.h"
#include "lsp/answers/params.h"
#include "lsp/answers/project_names.h"
#include "lsp/answers/shapes.h"
#include "lsp/text/uri.h"
#include "services/definition.h"
#include "services/editor/find_name.h"

namespace komuz::lsp {
namespace {

using services::CallItem;

Json item_json(const Question& question, const Document& document, const CallItem& item) {
  const Encoding encoding = question.client.encoding;
  Json out = {{"name", item.name},
              {"kind", symbol_kind(item.form)},
              {"uri", document.uri},
              {"range", range_json(document, {item.begin, item.end}, encoding)},
              {"selectionRange", range_json(document, {item.name_begin, item.name_end}, encoding)}};
  if (!item.detail.empty()) out["detail"] = item.detail;
  return out;
}

Json ranges_json(const Question& question, const Document& document,
                 const std::vector<services::NameUse>& uses) {
  Json ranges = Json::array();
  for (const services::NameUse& use : uses)
    ranges.push_back(range_json(document, {use.begin, use.end}, question.client.encoding));
  return ranges;
}

// A document that is open, or a file. Null: it is neither.
DocumentRef text_of_uri(const Question& question, const std::string& uri) {
  if (DocumentRef open = question.workspace.documents().find(uri)) return open;
  const auto path = path_of_uri(uri);
  auto text = path ? question.workspace.files().read(*path) : std::nullopt;
  if (!text) return nullptr;
  return make_document(uri, question.workspace.files().real_path(*path), 0, std::move(*text));
}

// Where a place of an analysis is: the document, or the file of a module.
DocumentRef text_of_place(const Question& question, const DocumentRef& document,
                          const services::TextPlace& place) {
  if (place.in == services::PlaceIn::Text) return document;
  const std::string path = question.workspace.file_of_module(*document, place.module);
  if (path.empty()) return nullptr;
  if (DocumentRef open = question.workspace.documents().find_path(path)) return open;
  const Module* const module = question.workspace.find_module(*document, place.module);
  return module == nullptr ? nullptr : make_document(uri_of_path(path), path, 0, module->text);
}

// `item` of a request: one that was answered before, in a text that may have changed since.
Read<Spot> read_item(const Question& question) {
  const Json& item = member(question.params, "item");
  const Json& uri = member(item, "uri");
  const auto name = read_range(member(item, "selectionRange"));
  if (!uri.is_string() || !name)
    return {{}, Refusal{ErrorCode::InvalidParams, "`item` is one of the call hierarchy"}};
  DocumentRef document = text_of_uri(question, uri.get_ref<const std::string&>());
  if (document == nullptr)
    return {{}, Refusal{ErrorCode::InvalidParams, uri.get<std::string>() + " is not there"}};
  const u32 byte = document->byte_of(name->begin, question.client.encoding);
  return {{std::move(document), byte}};
}

}  // namespace

Outcome answer_call_item(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const DocumentRef& document = spot.value.document;
  // A test or a property has no name that means something; a name that is used is defined elsewhere.
  DocumentRef home = document;
  auto item = services::call_item_at(document->text, spot.value.byte);
  if (!item) {
    const auto definition =
        services::find_definition(question.workspace.analyse(*document), spot.value.byte);
    if (!definition) return Json();
    home = text_of_place(question, document, *definition);
    if (home == nullptr) return Json();
    item = services::call_item_at(home->text, definition->begin);
  }
  if (!item) return Json();
  return Json::array({item_json(question, *home, *item)});
}

Outcome answer_incoming_calls(const Question& question) {
  const Read<Spot> spot = read_item(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  Json calls = Json::array();
  const auto add = [&](const Document& text, const std::vector<services::NameUse>& uses) {
    for (const services::Calls& one : services::group_by_item(text.text, uses))
      calls.push_back({{"from", item_json(question, text, one.item)},
                       {"fromRanges", ranges_json(question, text, one.places)}});
  };
  const Library& library = question.workspace.modules_of(document).library();
  const auto found = services::find_name(document.text, library, spot.value.byte);
  if (!found) return calls;
  if (!found->shared || !found->is_shown || document.path.empty()) {
    add(document, found->uses);
    return calls;
  }
  auto texts = texts_naming(question, document, *found->shared, {found->name});
  if (!texts) return cancelled();
  for (const NamingText& text : texts->list) {
    if (question.stop.stop_requested()) return cancelled();
    add(*text.document, services::find_uses(text.kept, *text.analysis, text.names));
  }
  return calls;
}

Outcome answer_outgoing_calls(const Question& question) {
  const Read<Spot> spot = read_item(question);
  if (!spot) return *spot.refusal;
  const DocumentRef& document = spot.value.document;
  Json calls = Json::array();
  const Library& library = question.workspace.modules_of(*document).library();
  for (const services::CalledFunction& called :
       services::functions_called(document->text, library, spot.value.byte)) {
    const DocumentRef home = text_of_place(question, document, called.place);
    if (home == nullptr) continue;
    const auto item = services::call_item_at(home->text, called.place.begin);
    if (!item) continue;
    calls.push_back({{"to", item_json(question, *home, *item)},
                     {"fromRanges", ranges_json(question, *document, called.places)}});
  }
  return calls;
}

}  // namespace komuz::lsp
