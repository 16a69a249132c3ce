// SPDX-License-Identifier: Apache-2.0
// Names of harnesses and of their scoring functions, the same wherever a harness is taken.
#pragma once
#include <string>
#include <string_view>

namespace komuz::engine {

// The scoring function, unless the user names another.
inline constexpr std::string_view kScoreFunction = "score";

// The harness's name as a module: `packing` for bench/packing.komuz.
[[nodiscard]] inline std::string harness_module(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return std::string(file.substr(0, file.find('.')));
}

}  // namespace komuz::engine
