// SPDX-License-Identifier: Apache-2.0
#include "engine/candidates/load_modules.h"

#include <algorithm>
#include <utility>

#include "lang/standard_modules.h"

namespace komuz::engine {

namespace {

frontend::Options with_library(frontend::Options options, const Library& library) {
  options.library = &library;
  return options;
}

Hash128 hash_of(std::string_view text) {
  Hash128 hash;
  add_text(hash, text);
  return hash;
}

}  // namespace

ModuleLoader::ModuleLoader(ModuleFiles* files, frontend::Options options)
    : files_(files), options_(with_library(std::move(options), library_)), compiler_(options_) {}

std::optional<ModuleText> ModuleLoader::read(std::string_view path) {
  if (path.starts_with(kStandardPrefix)) {
    for (const StandardModule& module : standard_modules())
      if (path.substr(kStandardPrefix.size()) == module.name)
        return ModuleText{"<" + std::string(path) + ">", std::string(module.text)};
    return std::nullopt;
  }
  return files_ != nullptr ? files_->read(path) : std::nullopt;
}

void ModuleLoader::load(std::string_view source) {
  named_.clear();
  u32 found = 0;
  const auto load_named = [&](const std::string& path) {
    load_path(path);
    const u32 number = library_.find(path);
    if (number != kNoModule && std::ranges::find(named_, number) == named_.end())
      named_.push_back(number);
  };
  for (const std::string& path : compiler_.list_modules(source)) {
    load_named(path);
    // `use lib.packing.first_fit;` means a name of `lib.packing`.
    const size_t dot = path.rfind('.');
    if (!is_missing(path))
      ++found;
    else if (dot != std::string::npos)
      load_named(path.substr(0, dot));
    if (found > kMostModules) break;  // it is not compiled
  }
  needs_too_many_ = find_too_many();
}

std::string ModuleLoader::problem_of(std::string_view candidate) const {
  if (needs_too_many_) return std::string(kTooMany);
  if (files_ == nullptr) return {};
  for (const u32 number : needed(kMostModules)) {
    const Module& module = library_[number];
    if (module.path.starts_with(kStandardPrefix) || number == harness_) continue;
    const std::string file = files_->beside(candidate, module.path);
    if (file.empty()) continue;
    return "the module `" + module.path + "` is " + module.file +
           " for all candidates of this run, and beside this one is another, " + file +
           "; evaluate it without those of the other folder, or give the modules different names";
  }
  return {};
}

bool ModuleLoader::find_too_many() const {
  return !named_.empty() && needed(kMostModules).size() > kMostModules;
}

std::vector<u32> ModuleLoader::needed(u32 more_than) const {
  std::vector<u32> needed = named_;
  if (harness_ != kNoModule && std::ranges::find(needed, harness_) == needed.end())
    needed.push_back(harness_);
  for (size_t k = 0; k < needed.size() && needed.size() <= more_than; ++k)
    for (const u32 module : named_by_[needed[k]])
      if (std::ranges::find(needed, module) == needed.end()) needed.push_back(module);
  return needed;
}

void ModuleLoader::keep_first(u32 modules) {
  for (u32 k = modules; k < library_.size(); ++k)
    gone_.emplace(hash_of(library_[k].path), hash_of(library_[k].text));
  library_.cut(modules);
  library_.cyclic.clear();
  paths_.resize(modules);
  named_by_.resize(modules);
}
bool ModuleLoader::keep_few(u32 modules) {
  if (library_.size() <= modules + kMany) return false;
  keep_first(modules);
  return true;
}

void ModuleLoader::forget_missing() {
  if (missing_.empty()) return;
  missing_.clear();
  library_.paths.clear();
}

bool ModuleLoader::forget_changed() {
  bool has_changed = false;
  for (u32 k = 0; k < library_.size() && !has_changed; ++k) {
    const Module& module = library_[k];
    if (module.path.starts_with(kStandardPrefix)) continue;
    const std::optional<ModuleText> now = read(module.path);
    has_changed = !now || now->text != module.text;
  }
  if (has_changed) forget_all();
  return has_changed;
}

void ModuleLoader::forget_all() {
  forgotten_ = std::exchange(library_, Library());
  missing_.clear();
  gone_.clear();
  changed_.clear();
  paths_.clear();
  named_by_.clear();
  named_.clear();
}

bool ModuleLoader::is_open(std::string_view path, const std::vector<Reading>& stack) {
  return std::ranges::any_of(stack, [&](const Reading& r) { return r.module.path == path; });
}

void ModuleLoader::open(const std::string& path, std::vector<Reading>& stack) {
  if (library_.find(path) != kNoModule) return;
  if (is_open(path, stack)) {
    library_.cyclic.push_back(path);
    return;
  }
  if (is_missing(path)) return;
  std::optional<ModuleText> found = read(path);
  if (const auto before = gone_.find(hash_of(path));
      before != gone_.end() && (!found || before->second != hash_of(found->text)))
    changed_ = path;
  if (!found) return note_missing(path);
  Reading reading;
  reading.module.path = path;
  reading.module.file = std::move(found->file);
  reading.module.text = std::move(found->text);
  reading.is_unreadable = found->is_unreadable;
  reading.paths = compiler_.list_modules(reading.module.text);
  stack.push_back(std::move(reading));
}

bool ModuleLoader::is_missing(const std::string& path) const {
  return missing_.contains(hash_of(path));
}
void ModuleLoader::note_missing(const std::string& path) {
  if (missing_.empty()) {
    for (const StandardModule& module : standard_modules())
      library_.paths.push_back(std::string(kStandardPrefix) + std::string(module.name));
    if (files_ != nullptr)
      for (std::string& known : files_->list()) library_.paths.push_back(std::move(known));
  }
  missing_.insert(hash_of(path));
}

u32 ModuleLoader::add(Module module, std::vector<std::string> paths) {
  paths_.push_back(std::move(paths));
  named_by_.emplace_back();
  return library_.add(std::move(module));
}
// Modules that were added behind it are visited as well, since modules may use each other.
void ModuleLoader::find_named(u32 first) {
  for (u32 k = first; k < library_.size(); ++k)
    for (const std::string& path : paths_[k])
      if (const u32 module = library_.find(path); module != kNoModule)
        named_by_[k].push_back(module);
}

void ModuleLoader::load_path(const std::string& path) {
  const u32 first = library_.size();
  std::vector<Reading> stack;
  open(path, stack);
  // A module is compiled after all modules that it names.
  while (!stack.empty()) {
    Reading& reading = stack.back();
    if (reading.next < reading.paths.size()) {
      const std::string needed = reading.paths[reading.next++];
      open(needed, stack);
      continue;
    }
    if (!reading.is_unreadable) compiler_.compile_module(reading.module);
    if (!reading.module.ok) find_open(reading.module);
    add(std::move(reading.module), std::move(reading.paths));
    stack.pop_back();
  }
  find_named(first);
}

void ModuleLoader::compile_harness(Module& module) const {
  frontend::Options options = options_;
  options.is_harness = true;
  frontend::Compiler(options).compile_module(module);
}

void ModuleLoader::find_open(Module& module) const {
  Module harness;
  harness.path = module.path;
  harness.text = module.text;
  compile_harness(harness);
  if (harness.ok) module.open = std::move(harness.open);
}

u32 ModuleLoader::load_harness(std::string path, ModuleText text) {
  load(text.text);
  Module module;
  module.path = std::move(path);
  module.file = std::move(text.file);
  module.text = std::move(text.text);
  compile_harness(module);
  std::vector<std::string> paths = compiler_.list_modules(module.text);
  harness_ = add(std::move(module), std::move(paths));
  find_named(harness_);
  named_ = {harness_};
  needs_too_many_ = find_too_many();
  return harness_;
}

}  // namespace komuz::engine
