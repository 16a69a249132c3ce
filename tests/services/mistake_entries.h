// SPDX-License-Identifier: Apache-2.0
// The programs of tests/mistakes.txt.
#pragma once
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace komuz::test {

inline constexpr const char* kMistakesPath = KOMUZ_SOURCE_DIR "/tests/mistakes.txt";
inline constexpr std::string_view kMistakeIndent = "    ", kMistakeValue = "= ";

// True for a line of a program; false for titles, values and remarks.
[[nodiscard]] inline bool is_of_program(std::string_view line) {
  return !line.empty() && !line.starts_with("# ") && !line.starts_with(kMistakeIndent) &&
         !line.starts_with(kMistakeValue);
}
[[nodiscard]] inline std::vector<std::string> read_mistakes() {
  std::vector<std::string> programs;
  std::ifstream in(kMistakesPath, std::ios::binary);
  bool goes_on = false;
  for (std::string line; std::getline(in, line);) {
    const bool is_code = is_of_program(line);
    if (is_code && !goes_on) programs.emplace_back();
    if (is_code) programs.back() += line + "\n";
    goes_on = is_code || (goes_on && line.starts_with(kMistakeValue));
  }
  return programs;
}

}  // namespace komuz::test
