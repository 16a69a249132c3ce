// SPDX-License-Identifier: Apache-2.0
// The standard library: the files of stdlib/, which the build turns into an array (scripts/cmake/embed_texts.cmake).
#pragma once
#include <span>
#include <string_view>

namespace komuz {

struct StandardModule {
  std::string_view name;  // `math` of `std.math`, `spaces.logic` of `std.spaces.logic`
  std::string_view text;
};
[[nodiscard]] std::span<const StandardModule> standard_modules();

}  // namespace komuz
