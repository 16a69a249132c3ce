// SPDX-License-Identifier: Apache-2.0
// Which harness a document is a candidate of: the one that its head names, `//! harness: H.komuz`, else the one of
// the settings, if the document defines one of the functions that it leaves open or uses it.
#include <algorithm>

#include "engine/candidates/harness_names.h"
#include "lsp/project/workspace.h"
#include "services/editor/head_lines.h"
#include "services/editor/item_tokens.h"

namespace komuz::lsp {
namespace {

std::string named_in_head(const Document& document) {
  if (!services::says(document.text, services::HeadKey::Harness)) return {};
  const services::HeadLines head = services::read_head(document.text);
  const services::HeadLine* const line = head.find(services::HeadKey::Harness);
  return line == nullptr ? std::string() : line->value;
}

// The files that a name may mean: beside the document, then in the folders of the workspace.
std::vector<std::string> files_named(const Document& document, const std::string& name,
                                     const std::vector<std::string>& folders) {
  if (name.starts_with('/')) return {name};
  std::vector<std::string> files;
  if (!document.path.empty())
    files.push_back(document.path.substr(0, document.path.rfind('/') + 1) + name);
  for (const std::string& folder : folders)
    files.push_back(std::string(folder).append("/").append(name));
  return files;
}

}  // namespace

std::string Workspace::find_file(const Document& document, const std::string& name) {
  for (const std::string& file : files_named(document, name, folders_)) {
    std::string real = files_.real_path(file);
    if (documents_.find_path(real) != nullptr || files_.read(real)) return real;
  }
  return {};
}

bool Workspace::named_harness_may_be(const Document& document,
                                     const std::vector<std::string>& paths) {
  for (const std::string& name : {named_in_head(document), settings_of(document).harness}) {
    if (name.empty()) continue;
    for (const std::string& file : files_named(document, name, folders_))
      if (std::ranges::find(paths, files_.real_path(file)) != paths.end()) return true;
  }
  return false;
}

std::shared_ptr<Workspace::Folder>& Workspace::folder_of(const Document& document) {
  const std::string named = named_in_head(document);
  const std::string& name = named.empty() ? settings_of(document).harness : named;
  const std::string file = name.empty() ? std::string() : find_file(document, name);
  if (file.empty() || file == document.path) return folder_of(document, "");
  std::shared_ptr<Folder>& folder = folder_of(document, file);
  if (!named.empty()) return folder;
  refresh(*folder, document.text);
  const bool is_meant =
      folder->harness_number != kNoModule &&
      services::is_meant_for(document.text, folder->loader.library()[folder->harness_number]);
  return is_meant ? folder : folder_of(document, "");
}

void Workspace::load_harness(Folder& folder) {
  const std::string name = engine::harness_module(folder.harness);
  std::optional<engine::ModuleText> text = folder.modules.read(name);
  if (!text) return;
  ++folder.changes;
  folder.harness_number = folder.loader.load_harness(name, std::move(*text));
  folder.problem = services::check_harness(folder.loader.library()[folder.harness_number],
                                           engine::kScoreFunction);
}

std::string Workspace::harness_problem(const Document& document) {
  const std::string name = named_in_head(document);
  if (name.empty()) return {};
  const std::string file = find_file(document, name);
  if (file.empty())
    return "there is no file `" + name +
           "` beside this one or in the workspace; write its path from here";
  if (file == document.path) return "a harness is no candidate of itself; take this line out";
  const Folder& folder = refresh(know(document), document);
  const services::HarnessProblem& problem = folder.problem;
  return problem.message.empty() ? std::string() : problem.message + "; " + problem.remedy;
}

const std::vector<Module::OpenFunction>* Workspace::open_functions_of(const Document& document) {
  Folder& folder = *folder_of(document);
  if (folder.harness.empty()) return nullptr;
  refresh(folder, document.text);
  if (folder.harness_number == kNoModule) return nullptr;
  return &folder.loader.library()[folder.harness_number].open;
}

std::string Workspace::harness_of_settings(const Document& document) {
  const bool is_its = named_in_head(document).empty() && !harness_of(document).empty();
  return is_its ? settings_of(document).harness : std::string();
}

const std::vector<Workspace::OpeningFile>& Workspace::opening_files(const Document& document) {
  const std::vector<std::string> folders = project_of(document);
  OpeningFiles& known = opening_files_[folders.empty() ? "" : folders.front()];
  if (known.files_stamp == files_stamp_) return known.list;
  known.files_stamp = files_stamp_;
  known.list.clear();
  frontend::Compiler lexer;
  const auto opens = [&](std::string_view text) {
    return !services::open_functions(lexer, text).empty();
  };
  for (const DocumentRef& text : project_texts(document, opens))
    if (!text->path.empty())
      known.list.push_back({text->path, services::open_functions(lexer, text->text)});
  return known.list;
}

std::vector<std::string> Workspace::fitting_harnesses(const Document& document,
                                                      const std::stop_token& stop) {
  std::vector<std::string> found;
  if (document.path.empty()) return found;
  frontend::Compiler lexer;
  const std::vector<std::string> own = services::function_names(lexer, document.text);
  const std::vector<OpeningFile> files = opening_files(document);
  for (const OpeningFile& file : files) {
    if (stop.stop_requested()) return {};
    const bool defines_all = std::ranges::all_of(file.open, [&](const std::string& name) {
      return std::ranges::find(own, name) != own.end();
    });
    if (!defines_all || file.path == document.path) continue;
    // The document as it would be: another one, which nobody has open.
    const DocumentRef candidate =
        make_document(document.uri + "#candidate", document.path, document.version,
                      "//! harness: " + file.path + "\n" + document.text);
    const services::CheckedText& checked = check(*candidate, stop);
    const bool has_errors = std::ranges::any_of(checked.diagnostics, [](const Diagnostic& d) {
      return diagnostic_row(d.code()).severity == Severity::Error;
    });
    const bool fits = !checked.was_stopped && !has_errors && harness_problem(*candidate).empty();
    if (fits) found.push_back(file.path);
  }
  return found;
}

std::string Workspace::find_harness_above(const Document& document, const std::string& name) {
  if (document.path.empty()) return {};
  const std::string own = document.path.substr(0, document.path.rfind('/'));
  const std::string above = own.substr(0, own.rfind('/'));
  if (own.empty()) return {};
  const std::string file = module_file(above, name);
  const std::string real = files_.real_path(file);
  const DocumentRef open = documents_.find_path(real);
  const std::optional<std::string> text = open != nullptr ? open->text : files_.read(real);
  if (!text) return {};
  FolderModules modules(files_, {above});
  modules.look_at(documents_);
  engine::ModuleLoader loader(&modules);
  return services::is_harness(*text, loader) ? file : std::string();
}

}  // namespace komuz::lsp
