// SPDX-License-Identifier: Apache-2.0
// Characters of UTF-8 texts.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz {

// Where the character starts that the byte at `at` is of; the end of the text is a start.
[[nodiscard]] inline size_t character_start(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<u8>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace komuz
