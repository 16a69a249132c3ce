// SPDX-License-Identifier: Apache-2.0
// The golden files as sources.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace komuz::test {

inline std::vector<std::string> golden_sources() {
  std::vector<std::filesystem::path> paths;
  const auto folder = std::filesystem::path(KOMUZ_SOURCE_DIR) / "tests" / "golden";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".komuz") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> sources;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    sources.push_back(text.str());
  }
  return sources;
}

}  // namespace komuz::test
