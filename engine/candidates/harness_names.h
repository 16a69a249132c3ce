// SPDX-License-Identifier: Apache-2.0
// What harnesses are called, and what they call what scores, wherever one is taken.
#pragma once
#include <string>
#include <string_view>

namespace komuz::engine {

// What scores, where the user names no other function.
inline constexpr std::string_view kScoreFunction = "score";

// A harness's name as that of a module: `packing` of bench/packing.komuz.
[[nodiscard]] inline std::string harness_module(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return std::string(file.substr(0, file.find('.')));
}

}  // namespace komuz::engine
