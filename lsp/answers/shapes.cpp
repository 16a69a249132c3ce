// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/shapes.h"

#include <algorithm>

#include "lsp/text/uri.h"

namespace komuz::lsp {

Json position_json(Position position) {
  return {{"line", position.line}, {"character", position.character}};
}
Json range_json(const Document& document, ByteRange bytes, Encoding encoding) {
  return {{"start", position_json(document.position_of(bytes.begin, encoding))},
          {"end", position_json(document.position_of(bytes.end, encoding))}};
}

Json location_json(const Question& question, const Document& document,
                   const services::TextPlace& place) {
  const Encoding encoding = question.client.encoding;
  const ByteRange bytes{place.begin, place.end};
  if (place.in == services::PlaceIn::Text)
    return {{"uri", document.uri}, {"range", range_json(document, bytes, encoding)}};
  if (place.in == services::PlaceIn::Items) {
    const auto found = question.workspace.session_place(document, place.begin, place.end);
    if (!found) return nullptr;
    const DocumentRef open = question.workspace.documents().find_path(found->path);
    const bool is_same = open != nullptr && open->text == found->text;
    const DocumentRef file =
        is_same ? open : make_document(uri_of_path(found->path), found->path, 0, found->text);
    return {{"uri", file->uri}, {"range", range_json(*file, {found->begin, found->end}, encoding)}};
  }
  const Module* const module = question.workspace.find_module(document, place.module);
  const std::string path = question.workspace.file_of_module(document, place.module);
  if (module == nullptr || path.empty()) return nullptr;
  if (const DocumentRef open = question.workspace.documents().find_path(path))
    return {{"uri", open->uri}, {"range", range_json(*open, bytes, encoding)}};
  const DocumentRef file = make_document(uri_of_path(path), path, 0, module->text);
  return {{"uri", file->uri}, {"range", range_json(*file, bytes, encoding)}};
}

bool has_crlf(std::string_view text) {
  const size_t end = text.find('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r';
}
std::string with_crlf(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\n' && (k == 0 || text[k - 1] != '\r')) out += '\r';
    out += text[k];
  }
  return out;
}

Json text_edit_json(const Document& document, const Edit& edit, Encoding encoding) {
  return {{"range", range_json(document, {edit.begin, edit.end}, encoding)},
          {"newText", has_crlf(document.text) ? with_crlf(edit.text) : edit.text}};
}

Json workspace_edit_json(const Client& client, const Document& document, Json text_edits) {
  if (!client.has_versioned_edits) return {{"changes", {{document.uri, std::move(text_edits)}}}};
  Json change = {{"textDocument", {{"uri", document.uri}, {"version", document.version}}},
                 {"edits", std::move(text_edits)}};
  return {{"documentChanges", Json::array({std::move(change)})}};
}
Json workspace_edit_json(const Question& question, const Document& document, Json text_edits) {
  return workspace_edit_json(question.client, document, std::move(text_edits));
}

Json project_edit_json(const Question& question, std::vector<DocumentEdits> all) {
  const bool is_versioned = question.client.has_versioned_edits;
  Json changes = is_versioned ? Json::array() : Json::object();
  for (DocumentEdits& one : all) {
    const Document& document = *one.document;
    if (!is_versioned) {
      changes[document.uri] = std::move(one.edits);
      continue;
    }
    const bool is_open = question.workspace.documents().find(document.uri) != nullptr;
    Json name = {{"uri", document.uri}, {"version", nullptr}};
    if (is_open) name["version"] = document.version;
    changes.push_back({{"textDocument", std::move(name)}, {"edits", std::move(one.edits)}});
  }
  return {{is_versioned ? "documentChanges" : "changes", std::move(changes)}};
}

namespace {

// Examples, `>>> f(1) == 2`, would be quotations.
std::string with_fences(std::string_view text) {
  std::string out;
  bool in_example = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const bool is_example = line.starts_with(">>>");
    if (is_example != in_example) out += is_example ? "\n```komuz\n" : "```\n";
    in_example = is_example;
    out.append(line).append("\n");
  }
  return in_example ? out + "```\n" : out;
}

}  // namespace

Json prose_json(const Prose& prose, bool is_markdown) {
  std::string out;
  const auto add = [&](std::string_view part) {
    while (part.ends_with('\n')) part.remove_suffix(1);
    if (part.empty()) return;
    if (!out.empty()) out += "\n\n";
    out += part;
  };
  if (!prose.code.empty())
    add(is_markdown ? "```komuz\n" + std::string(prose.code) + "\n```" : std::string(prose.code));
  if (!prose.module.empty())
    add(is_markdown ? "in `" + std::string(prose.module) + "`" : "in " + std::string(prose.module));
  add(is_markdown ? with_fences(prose.text) : std::string(prose.text));
  return {{"kind", is_markdown ? "markdown" : "plaintext"}, {"value", out}};
}

}  // namespace komuz::lsp
