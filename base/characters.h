// SPDX-License-Identifier: Apache-2.0
// Characters of UTF-8 texts.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz {

// The start of the character to which the byte at `at` belongs. The end of the text is a start, too.
[[nodiscard]] inline size_t character_start(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<u8>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

// A quotation of what somebody has written, for a message. It is cut if it has more than `most` bytes, and then its
// end shows that.
[[nodiscard]] inline std::string bounded(std::string_view text, size_t most = 320) {
  if (text.size() <= most) return std::string(text);
  const std::string_view begin = text.substr(0, character_start(text, most));
  const bool is_open = std::count(begin.begin(), begin.end(), '`') % 2 != 0;
  return std::string(begin) + (is_open ? "…`" : "…");
}

}  // namespace komuz
