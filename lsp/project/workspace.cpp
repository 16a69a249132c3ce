// SPDX-License-Identifier: Apache-2.0
#include "lsp/project/workspace.h"

#include <algorithm>
#include <set>

#include "frontend_gpu/expand.h"
#include "lsp/text/uri.h"

namespace komuz::lsp {
namespace {

std::string folder_of_path(const std::string& path) { return path.substr(0, path.rfind('/')); }
bool is_standard(std::string_view module) { return module.starts_with(engine::kStandardPrefix); }

}  // namespace

void Workspace::look_at(const Documents& documents, u64 files_stamp) {
  documents_ = documents;
  files_stamp_ = files_stamp;
  ++looks_;
}

std::vector<std::string> Workspace::folders_of(const Document& document) const {
  // What is no file has the modules of the workspace.
  std::vector<std::string> folders = folders_;
  const std::string own = document.path.empty() ? "" : folder_of_path(document.path);
  if (own.empty()) return folders;
  std::erase(folders, own);
  folders.insert(folders.begin(), own);
  return folders;
}
std::shared_ptr<Workspace::Folder>& Workspace::folder_of(const Document& document) {
  const std::string own = document.path.empty() ? "" : folder_of_path(document.path);
  std::shared_ptr<Folder>& folder = by_folder_[own];
  if (folder == nullptr) folder = std::make_shared<Folder>(files_, folders_of(document));
  return folder;
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
  known.folder = folder_of(document);
  return known;
}

void Workspace::refresh(Folder& folder, std::string_view text) {
  if (folder.looks != looks_) {
    folder.modules.look_at(documents_);
    if (folder.files_stamp != files_stamp_) folder.loader.forget_missing();
    folder.files_stamp = files_stamp_;
    if (folder.loader.forget_changed()) ++folder.changes;
  }
  folder.looks = looks_;
  folder.loader.load(text);
}
Workspace::Folder& Workspace::refresh(Known& known, const Document& document) {
  Folder& folder = *known.folder;
  refresh(folder, document.text);
  if (known.changes != folder.changes || known.analysis == nullptr) {
    // What was found with the modules that there were.
    known.changes = folder.changes;
    known.analysis = std::make_unique<services::Analysis>(&folder.loader.library());
    known.checked.reset();
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
  // Modules that were not there may be there now.
  const u32 modules = folder.loader.library().size();
  const bool is_known = known.checked != nullptr && known.checked_text == document.text &&
                        known.checked_modules == modules && !known.checked->was_stopped;
  if (is_known) return *known.checked;
  known.checked = std::make_unique<services::CheckedText>(
      services::check_text(document.text, folder.loader, stop));
  known.checked_text = document.text;
  known.checked_modules = modules;
  return *known.checked;
}

const std::vector<services::FunctionCost>& Workspace::function_costs(const Document& document) {
  Known& known = know(document);
  Folder& folder = refresh(known, document);
  const bool is_known = known.costed != nullptr && known.costed->text == document.text &&
                        known.costed_changes == folder.changes;
  if (!is_known) {
    known.costs = services::list_function_costs(document.text, folder.loader);
    known.costed = documents_.find(document.uri);
    known.costed_changes = folder.changes;
  }
  return known.costs;
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

engine::ModuleLoader& Workspace::modules_for(const Document& document, std::string_view text) {
  Folder& folder = *folder_of(document);
  refresh(folder, text);
  return folder.loader;
}

std::unique_ptr<Workspace::Supposed> Workspace::suppose(const Document& document,
                                                        std::map<std::string, std::string> texts) {
  auto supposed = std::make_unique<Supposed>(files_, folders_of(document));
  supposed->modules.look_at(documents_);
  supposed->modules.suppose(std::move(texts));
  return supposed;
}

std::vector<DocumentRef> Workspace::project_texts(const Document& document,
                                                  const IsWanted& is_wanted) {
  std::vector<DocumentRef> texts = documents_.all();
  std::set<std::string> seen;
  for (const DocumentRef& open : texts) seen.insert(open->path);
  std::erase_if(texts, [&](const DocumentRef& open) { return !is_wanted(open->text); });
  std::vector<std::string> folders = folders_;
  if (folders.empty() && !document.path.empty()) folders = {folder_of_path(document.path)};
  for (const std::string& folder : folders) {
    for (std::string module : files_.list_modules(folder)) {
      std::ranges::replace(module, '.', '/');
      const std::string file = folder + "/" + module + ".komuz";
      auto text = files_.read(file);
      if (!text || !is_wanted(*text)) continue;
      std::string real = files_.real_path(file);
      if (!seen.insert(real).second) continue;
      std::string uri = uri_of_path(real);
      texts.push_back(make_document(std::move(uri), std::move(real), 0, std::move(*text)));
    }
  }
  return texts;
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

services::KeptModules Workspace::kept_modules(const Document& document, std::string_view also) {
  Known& known = know(document);
  Folder& folder = refresh(known, document);
  if (!also.empty()) folder.loader.load(also);
  const Library& library = folder.loader.library();
  frontend::Compiler lexer;
  services::KeptModules out;
  for (const std::string_view text : {std::string_view(document.text), also})
    for (const u32 number : frontend::needed_modules(library, lexer.list_modules(text)))
      if (const Module& module = library[number]; !is_standard(module.path))
        out.texts[module.path] = {module.file, module.text};
  return out;
}

}  // namespace komuz::lsp
