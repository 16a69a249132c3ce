// SPDX-License-Identifier: Apache-2.0
#include "lsp/project/workspace.h"

#include <algorithm>
#include <set>

#include "engine/candidates/harness_names.h"
#include "frontend_gpu/expand.h"
#include "lsp/text/uri.h"
#include "services/refactor/move_module.h"
#include "services/session/session_items.h"

namespace komuz::lsp {
namespace {

std::string folder_of_path(const std::string& path) { return path.substr(0, path.rfind('/')); }
bool is_standard(std::string_view module) { return module.starts_with(engine::kStandardPrefix); }

}  // namespace

void Workspace::look_at(const Documents& documents, u64 files_stamp) {
  documents_ = documents;
  files_stamp_ = files_stamp;
  ++looks_;
  // Between two questions nobody holds a folder but what is known of documents.
  if (by_folder_.size() > kMostFolders)
    std::erase_if(by_folder_, [](const auto& entry) { return entry.second.use_count() == 1; });
}

void Workspace::look_at(const std::shared_ptr<const Project>& project) {
  if (project == project_) return;
  project_ = project;
  folders_ = project_->paths();
  known_.clear();
  by_folder_.clear();
  opening_files_.clear();
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
std::shared_ptr<Workspace::Folder>& Workspace::folder_of(const Document& document,
                                                         const std::string& harness) {
  const std::string own = document.path.empty() ? "" : folder_of_path(document.path);
  std::shared_ptr<Folder>& folder = by_folder_[harness.empty() ? own : own + "\n" + harness];
  if (folder != nullptr) return folder;
  std::vector<std::string> folders = folders_of(document);
  if (!harness.empty()) folders.insert(folders.begin(), folder_of_path(harness));
  folder = std::make_shared<Folder>(files_, std::move(folders));
  folder->harness = harness;
  if (!harness.empty()) folder->modules.name(engine::harness_module(harness), harness);
  return folder;
}

void Workspace::make_room(const Document& document) {
  const auto is_closed = [&](const std::string& uri) { return documents_.find(uri) == nullptr; };
  const auto closed =
      std::ranges::find_if(known_, [&](const Known& known) { return is_closed(known.key); });
  if (closed != known_.end() && (known_.size() == kMostKnown || is_closed(document.uri)))
    known_.erase(closed);
  else if (known_.size() == kMostKnown)
    known_.pop_back();
}

Workspace::Known& Workspace::know(const Document& document) {
  std::string key = uri_key(document.uri);
  const auto found = std::ranges::find(known_, key, &Known::key);
  if (found != known_.end()) {
    known_.splice(known_.begin(), known_, found);
  } else {
    make_room(document);
    known_.emplace_front().key = std::move(key);
  }
  Known& known = known_.front();
  if (known.head_looks == looks_ && known.head_text == document.text) return known;
  known.head_looks = looks_;
  known.head_text = document.text;
  const std::shared_ptr<Folder> folder = folder_of(document);
  if (known.folder != folder) {
    known.folder = folder;
    known.analysis.reset();
    known.costed.reset();
  }
  return known;
}

void Workspace::refresh(Folder& folder, std::string_view text) {
  if (folder.looks != looks_) {
    folder.modules.look_at(documents_);
    if (folder.files_stamp != files_stamp_) folder.loader.forget_missing();
    folder.files_stamp = files_stamp_;
    if (folder.loader.forget_changed()) {
      ++folder.changes;
      folder.harness_number = kNoModule;
    }
    if (!folder.harness.empty() && folder.harness_number == kNoModule) load_harness(folder);
  }
  folder.looks = looks_;
  folder.loader.load(text);
}
Workspace::Folder& Workspace::refresh(Known& known, const Document& document) {
  Folder& folder = *known.folder;
  refresh(folder, document.text);
  read_items(known, document);
  if (known.changes != folder.changes || known.analysis == nullptr) {
    // What was found with the modules that there were.
    known.changes = folder.changes;
    known.analysis = std::make_unique<services::Analysis>(&folder.loader.library());
    known.check = std::make_unique<services::QuickCheck>();
    known.tokens = std::make_unique<services::QuickTokens>(&folder.loader.library());
    known.around = std::make_unique<services::Analysis>(&folder.loader.library());
    known.with_all.reset();
  }
  return folder;
}

services::Analysis& Workspace::analyse(const Document& document) {
  Known& known = know(document);
  static_cast<void>(refresh(known, document));
  known.analysis->read(document.text);
  return *known.analysis;
}

services::Analysis& Workspace::analyse_around(const Document& document, u32 byte) {
  Known& known = know(document);
  static_cast<void>(refresh(known, document));
  const bool has_items = !known.all.text.empty() || !known.named.text.empty();
  if (has_items || known.analysis->text() == document.text) return analyse_names(document);
  const auto around = known.check->text_around(document.text, byte);
  if (!around) return analyse_names(document);
  known.around->read_part(around->text, around->has_errors);
  return *known.around;
}

const services::CheckedText& Workspace::check(const Document& document,
                                              const std::stop_token& stop) {
  Known& known = know(document);
  Folder& folder = refresh(known, document);
  const bool is_candidate = folder.harness_number != kNoModule &&
                            folder.problem.kind == services::HarnessProblem::Kind::None;
  const services::CheckOptions how = {
      .harness = is_candidate ? folder.harness_number : kNoModule,
      .find_harness = [&](const std::string& name) { return find_harness_above(document, name); }};
  const services::CheckedText& found =
      known.named.text.empty() ? known.check->check(document.text, folder.loader, how, stop)
                               : check_with_items(known, folder, document, how, stop);
  return with_near_names(known, folder, document, found, how, stop);
}

const std::vector<services::KnownToken>& Workspace::list_tokens(const Document& document) {
  Known& known = know(document);
  static_cast<void>(refresh(known, document));
  return known.tokens->list(services::with_items(document.text, known.named.text), *known.analysis);
}

const std::vector<services::FunctionCost>& Workspace::function_costs(const Document& document) {
  Known& known = know(document);
  Folder& folder = refresh(known, document);
  const bool is_known = known.costed != nullptr && known.costed->text == document.text &&
                        known.costed_changes == folder.changes;
  if (!is_known) {
    known.costs = services::list_function_costs(compiled_text(document), folder.loader);
    std::erase_if(known.costs, [&](const services::FunctionCost& cost) {
      return cost.begin > document.text.size();
    });
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

std::optional<std::string> Workspace::module_path(const Document& document,
                                                  const std::string& file) {
  constexpr std::string_view kEnding = ".komuz";
  for (const std::string& folder : folders_of(document)) {
    const std::string above = files_.real_path(folder) + "/";
    if (!file.starts_with(above) || !file.ends_with(kEnding)) continue;
    std::string path = file.substr(above.size());
    path.resize(path.size() - kEnding.size());
    // A name with a dot, or that no program can write, is not found by it.
    const bool has_dot = path.find('.') != std::string::npos;
    std::ranges::replace(path, '/', '.');
    if (!has_dot && services::may_be_module_path(path)) return path;
  }
  return std::nullopt;
}

engine::ModuleLoader& Workspace::modules_for(const Document& document, std::string_view text) {
  Folder& folder = *folder_of(document);
  refresh(folder, text);
  return folder.loader;
}

std::unique_ptr<Workspace::Supposed> Workspace::suppose(const Document& document,
                                                        std::map<std::string, std::string> texts) {
  const std::string harness = harness_of(document);
  std::vector<std::string> folders = folders_of(document);
  if (!harness.empty()) folders.insert(folders.begin(), folder_of_path(harness));
  auto supposed = std::make_unique<Supposed>(files_, std::move(folders));
  supposed->modules.look_at(documents_);
  supposed->modules.suppose(std::move(texts));
  if (harness.empty()) return supposed;
  std::string name = engine::harness_module(harness);
  supposed->modules.name(name, harness);
  if (auto text = supposed->modules.read(name))
    static_cast<void>(supposed->loader.load_harness(std::move(name), std::move(*text)));
  return supposed;
}

std::vector<std::string> Workspace::project_of(const Document& document) const {
  if (!folders_.empty() || document.path.empty()) return folders_;
  return {folder_of_path(document.path)};
}
std::string Workspace::large_folder(const Document& document) {
  for (std::string& folder : project_of(document))
    if (!files_.lists_all(folder)) return std::move(folder);
  return {};
}

std::vector<DocumentRef> Workspace::project_texts(const Document& document,
                                                  const IsWanted& is_wanted) {
  std::vector<DocumentRef> texts = documents_.all();
  std::set<std::string> seen;
  for (const DocumentRef& open : texts) seen.insert(open->path);
  std::erase_if(texts, [&](const DocumentRef& open) { return !is_wanted(open->text); });
  for (const std::string& folder : project_of(document)) {
    for (const std::string& module : files_.list_modules(folder)) {
      const std::string file = module_file(folder, module);
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

std::vector<std::string> Workspace::list_files(const Document& document,
                                               const std::string& folder) {
  // Files outside of the workspace are not read, so none of them is named.
  if (folder.starts_with('/') || ("/" + folder).find("/../") != std::string::npos) return {};
  std::set<std::string> names;
  for (const std::string& above : folders_of(document))
    for (std::string& name : files_.list_folder(std::string(above).append("/").append(folder)))
      names.insert(std::move(name));
  return {names.begin(), names.end()};
}

std::vector<u32> Workspace::modules_used(const Folder& folder, const Document& document) const {
  const Library& library = folder.loader.library();
  frontend::Compiler lexer;
  std::vector<std::string> names = lexer.list_modules(document.text);
  if (folder.harness_number != kNoModule) names.push_back(library[folder.harness_number].path);
  std::vector<u32> modules = frontend::needed_modules(library, names);
  std::erase_if(modules, [&](u32 number) { return is_standard(library[number].path); });
  return modules;
}

std::vector<std::string> Workspace::files_used(const Document& document) {
  const Folder& folder = refresh(know(document), document);
  std::vector<std::string> files;
  for (const u32 number : modules_used(folder, document))
    files.push_back(files_.real_path(folder.loader.library()[number].file));
  return files;
}

bool Workspace::may_use(const Document& document, const std::vector<std::string>& paths) {
  const Folder& folder = refresh(know(document), document);
  const auto is_changed = [&](const std::string& file) {
    return std::ranges::find(paths, files_.real_path(file)) != paths.end();
  };
  if (!folder.harness.empty() && is_changed(folder.harness)) return true;
  frontend::Compiler lexer;
  // A module that is not there may be one of them, and so may one that comes before another of its name.
  const auto names_one = [&](std::string_view text) {
    for (const std::string& module : lexer.list_modules(text)) {
      if (is_standard(module)) continue;
      const size_t dot = module.rfind('.');
      std::vector<std::string> files = folder.modules.files_of(module);
      if (dot != std::string::npos)
        for (std::string& file : folder.modules.files_of(module.substr(0, dot)))
          files.push_back(std::move(file));
      if (std::ranges::any_of(files, is_changed)) return true;
    }
    return false;
  };
  if (names_one(document.text)) return true;
  for (const u32 number : modules_used(folder, document))
    if (names_one(folder.loader.library()[number].text)) return true;
  return named_harness_may_be(document, paths);
}

services::KeptModules Workspace::kept_modules(const Document& document, std::string_view also) {
  Known& known = know(document);
  Folder& folder = refresh(known, document);
  if (!also.empty()) folder.loader.load(also);
  const Library& library = folder.loader.library();
  frontend::Compiler lexer;
  services::KeptModules out;
  const std::string own = services::with_items(document.text, known.named.text);
  for (const std::string_view text : {std::string_view(own), also})
    for (const u32 number : frontend::needed_modules(library, lexer.list_modules(text)))
      if (const Module& module = library[number]; !is_standard(module.path))
        out.texts[module.path] = {module.file, module.text};
  return out;
}

}  // namespace komuz::lsp
