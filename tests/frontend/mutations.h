// SPDX-License-Identifier: Apache-2.0
// Golden files as sources, and sources with small damage: what a group must agree on beyond what people write.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"

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

// Up to three times: some bytes fewer, some words more, or two stretches exchanged.
inline std::string mutated(std::string text, Random& random) {
  static constexpr const char* kWords[] = {
      "(",      ")",      "{",      "}",    ";",    ",",    "let ",    "fn ",   "if ",
      " else ", "+",      "-",      "==",   "!",    " x ",  "1.5",     "=",     ":",
      "->",     "@",      "<<=",    "...",  "&&",   "var ", "\n",      "test",  "const",
      "1",      "while ", "limit",  "rec ", "for ", " in ", "return ", "break", "\"",
      "'",      "//",     "traps(", ".0",   "i64",  "f32",  "(1, 2)",  "_"};
  for (u32 left = 1 + random.below(3); left != 0; --left) {
    const auto size = static_cast<u32>(text.size());
    const u32 at = random.below(size + 1);
    switch (random.below(3)) {
      case 0: text.erase(at, 1 + random.below(5)); break;
      case 1: text.insert(at, kWords[random.below(std::size(kWords))]); break;
      default: {
        const std::string part = text.substr(at, random.below(20));
        text.erase(at, part.size());
        text.insert(random.below(static_cast<u32>(text.size()) + 1), part);
      }
    }
  }
  return text;
}

}  // namespace komuz::test
