// SPDX-License-Identifier: Apache-2.0
// Numbers in sentences.
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz {

// 1234567 as "1,234,567".
[[nodiscard]] inline std::string grouped(u64 n) {
  std::string digits = std::to_string(n);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// "1 case", "2,000 cases".
[[nodiscard]] inline std::string counted(u64 n, std::string_view noun) {
  return grouped(n) + " " + std::string(noun) + (n == 1 ? "" : "s");
}

}  // namespace komuz
