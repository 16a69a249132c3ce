// SPDX-License-Identifier: Apache-2.0
#include "engine/load_modules.h"

#include <algorithm>
#include <utility>

#include "lang/standard_modules.h"

namespace komuz::engine {

namespace {

frontend::Options with_library(frontend::Options options, const Library& library) {
  options.library = &library;
  return options;
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
  for (const std::string& path : compiler_.list_modules(source)) {
    load_path(path);
    // `use lib.packing.first_fit;` means a name of `lib.packing`.
    const size_t dot = path.rfind('.');
    if (dot != std::string::npos && missing_.contains(path)) load_path(path.substr(0, dot));
  }
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
  if (!has_changed) return false;
  forgotten_.push_back(std::exchange(library_, Library()));
  missing_.clear();
  return true;
}

bool ModuleLoader::is_open(std::string_view path, const std::vector<Reading>& stack) {
  return std::ranges::any_of(stack, [&](const Reading& r) { return r.module.path == path; });
}

void ModuleLoader::open(const std::string& path, std::vector<Reading>& stack) {
  if (library_.find(path) != kNoModule || !library_.has_room()) return;
  if (is_open(path, stack)) {
    library_.cyclic.push_back(path);
    return;
  }
  if (missing_.contains(path)) return;
  std::optional<ModuleText> found = read(path);
  if (!found) {
    if (missing_.empty()) {
      for (const StandardModule& module : standard_modules())
        library_.paths.push_back(std::string(kStandardPrefix) + std::string(module.name));
      if (files_ != nullptr)
        for (std::string& known : files_->list()) library_.paths.push_back(std::move(known));
    }
    missing_.insert(path);
    return;
  }
  Reading reading;
  reading.module.path = path;
  reading.module.file = std::move(found->file);
  reading.module.text = std::move(found->text);
  reading.is_unreadable = found->is_unreadable;
  reading.paths = compiler_.list_modules(reading.module.text);
  stack.push_back(std::move(reading));
}

void ModuleLoader::load_path(const std::string& path) {
  std::vector<Reading> stack;
  open(path, stack);
  // A module is compiled when all that it names are.
  while (!stack.empty()) {
    Reading& reading = stack.back();
    if (reading.next < reading.paths.size()) {
      const std::string needed = reading.paths[reading.next++];
      open(needed, stack);
      continue;
    }
    if (!reading.is_unreadable) compiler_.compile_module(reading.module);
    if (!reading.module.ok) find_open(reading.module);
    library_.add(std::move(reading.module));
    stack.pop_back();
  }
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
  return library_.add(std::move(module));
}

}  // namespace komuz::engine
