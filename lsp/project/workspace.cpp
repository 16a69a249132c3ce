// SPDX-License-Identifier: Apache-2.0
#include "lsp/project/workspace.h"

#include <algorithm>

#include "frontend_gpu/expand.h"
#include "lsp/text/uri.h"

namespace komuz::lsp {
namespace {

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
bool is_standard(std::string_view module) { return module.starts_with(engine::kStandardPrefix); }

}  // namespace

void Workspace::look_at(const Documents& documents, u64 files_stamp) {
  documents_ = documents;
  files_stamp_ = files_stamp;
}

Workspace::Known& Workspace::know(const Document& document) {
  std::string key = uri_key(document.uri);
  const auto found = std::ranges::find(known_, key, &Known::key);
  if (found != known_.end()) {
    known_.splice(known_.begin(), known_, found);
    return known_.front();
  }
  if (known_.size() == kMostKnown) known_.pop_back();
  Known& known = known_.emplace_front();
  known.key = std::move(key);
  // What is no file has the modules of the workspace.
  std::vector<std::string> folders = folders_;
  const std::string own = document.path.empty() ? "" : folder_of(document.path);
  if (!own.empty()) {
    std::erase(folders, own);
    folders.insert(folders.begin(), own);
  }
  std::shared_ptr<Folder>& folder = by_folder_[own];
  if (folder == nullptr) folder = std::make_shared<Folder>(files_, std::move(folders));
  known.folder = folder;
  return known;
}

Workspace::Folder& Workspace::refresh(Known& known, const Document& document) {
  Folder& folder = *known.folder;
  folder.modules.look_at(documents_);
  if (folder.files_stamp != files_stamp_) folder.loader.forget_missing();
  folder.files_stamp = files_stamp_;
  if (folder.loader.forget_changed()) ++folder.changes;
  folder.loader.load(document.text);
  if (known.changes != folder.changes || known.analysis == nullptr) {
    // What was found with the modules that there were.
    known.changes = folder.changes;
    known.analysis = std::make_unique<services::Analysis>(&folder.loader.library());
    known.check = std::make_unique<services::QuickCheck>();
    known.tokens = std::make_unique<services::QuickTokens>(&folder.loader.library());
  }
  return folder;
}

services::Analysis& Workspace::analyse(const Document& document) {
  Known& known = know(document);
  static_cast<void>(refresh(known, document));
  known.analysis->read(document.text);
  return *known.analysis;
}

const services::CheckedText& Workspace::check(const Document& document,
                                              const std::stop_token& stop) {
  Known& known = know(document);
  Folder& folder = refresh(known, document);
  return known.check->check(document.text, folder.loader, stop);
}

const std::vector<services::KnownToken>& Workspace::list_tokens(const Document& document) {
  Known& known = know(document);
  static_cast<void>(refresh(known, document));
  return known.tokens->list(document.text, *known.analysis);
}

const Module* Workspace::find_module(const Document& document, std::string_view module) {
  Known& known = know(document);
  const Library& library = refresh(known, document).loader.library();
  const u32 number = library.find(module);
  return number == kNoModule ? nullptr : &library[number];
}

std::string Workspace::file_of_module(const Document& document, std::string_view module) {
  const Module* const found = find_module(document, module);
  if (found == nullptr) return {};
  if (!is_standard(module)) return files_.real_path(found->file);
  std::string name = "std/" + std::string(module.substr(engine::kStandardPrefix.size()));
  return files_.keep(name + ".komuz", found->text);
}

std::vector<std::string> Workspace::files_used(const Document& document) {
  Known& known = know(document);
  const Library& library = refresh(known, document).loader.library();
  frontend::Compiler lexer;
  std::vector<std::string> files;
  for (const u32 number : frontend::needed_modules(library, lexer.list_modules(document.text)))
    if (!is_standard(library[number].path)) files.push_back(files_.real_path(library[number].file));
  return files;
}

}  // namespace komuz::lsp
