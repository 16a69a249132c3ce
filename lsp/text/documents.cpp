// SPDX-License-Identifier: Apache-2.0
#include "lsp/text/documents.h"

#include <algorithm>
#include <utility>

#include "lsp/text/uri.h"

namespace komuz::lsp {

namespace {

DocumentRef make(std::string uri, std::string path, i64 version, std::string text,
                 LineTable lines) {
  auto document = std::make_shared<Document>();
  document->uri = std::move(uri);
  document->path = std::move(path);
  document->version = version;
  document->text = std::move(text);
  document->lines = std::move(lines);
  return document;
}

}  // namespace

DocumentRef make_document(std::string uri, std::string path, i64 version, std::string text) {
  LineTable lines(text);
  return make(std::move(uri), std::move(path), version, std::move(text), std::move(lines));
}

DocumentRef changed(const Document& document, i64 version, std::span<const TextChange> changes,
                    Encoding encoding) {
  std::string text = document.text;
  LineTable lines = document.lines;
  for (const TextChange& change : changes) {
    if (change.range) {
      u32 begin = lines.byte_of(text, change.range->begin, encoding);
      u32 end = lines.byte_of(text, change.range->end, encoding);
      if (end < begin) std::swap(begin, end);
      text.replace(begin, end - begin, change.text);
      lines.edit(text, begin, end - begin, static_cast<u32>(change.text.size()));
    } else {
      text = change.text;
      lines = LineTable(text);
    }
  }
  return make(document.uri, document.path, version, std::move(text), std::move(lines));
}

DocumentRef Documents::find(std::string_view uri) const {
  const auto found = by_key_->find(uri_key(uri));
  return found == by_key_->end() ? nullptr : found->second;
}
DocumentRef Documents::find_path(std::string_view path) const {
  if (path.empty()) return nullptr;
  const auto found =
      std::ranges::find_if(*by_key_, [&](const auto& entry) { return entry.second->path == path; });
  return found == by_key_->end() ? nullptr : found->second;
}
std::vector<DocumentRef> Documents::all() const {
  std::vector<DocumentRef> all;
  for (const auto& [key, document] : *by_key_) all.push_back(document);
  return all;
}

void Documents::put(DocumentRef document) {
  auto next = std::make_shared<Map>(*by_key_);
  std::string key = uri_key(document->uri);
  (*next)[std::move(key)] = std::move(document);
  by_key_ = std::move(next);
}
void Documents::remove(std::string_view uri) {
  auto next = std::make_shared<Map>(*by_key_);
  next->erase(uri_key(uri));
  by_key_ = std::move(next);
}

}  // namespace komuz::lsp
