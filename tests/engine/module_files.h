// SPDX-License-Identifier: Apache-2.0
// Modules in memory.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/load_modules.h"

namespace komuz::engine::test {

// Records which files are read, and the greatest number of modules at that time.
class Files final : public ModuleFiles {
 public:
  std::map<std::string, std::string, std::less<>> texts;
  std::vector<std::string> reads;
  const Library* library = nullptr;  // the reader's; null: nothing is counted
  u32 most_modules = 0;
  std::string other;  // text of a file beside a candidate, in place of a module

  std::optional<ModuleText> read(std::string_view path) override {
    reads.emplace_back(path);
    if (library != nullptr) most_modules = std::max(most_modules, library->size());
    const auto found = texts.find(path);
    if (found == texts.end()) return std::nullopt;
    return ModuleText{found->first + ".komuz", found->second};
  }
  std::vector<std::string> list() override {
    std::vector<std::string> paths;
    for (const auto& [path, text] : texts) paths.push_back(path);
    return paths;
  }
  std::string beside(std::string_view candidate, std::string_view path) override {
    return candidate == other ? "other/" + std::string(path) + ".komuz" : std::string();
  }
};

}  // namespace komuz::engine::test
