// SPDX-License-Identifier: Apache-2.0
// Files of tensors for tests: a header that is given as text, and numbers behind it.
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::neural {

inline std::string tensor_bytes(std::string_view header, std::string_view numbers) {
  std::string bytes;
  for (u32 i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return bytes.append(header).append(numbers);
}

}  // namespace komuz::neural
