// SPDX-License-Identifier: Apache-2.0
// Characters that look like a blank, a minus or a quote, which spreadsheets, web pages and word processors write.
#pragma once
#include <string>
#include <string_view>

namespace komuz {

struct OddCharacter {
  std::string name;  // "U+00A0, a no-break space"; empty: there is none
  std::string remedy;
};
// The first of the text.
[[nodiscard]] OddCharacter find_odd_character(std::string_view text);
// True if the whole text is one character that looks like a blank, or like nothing.
[[nodiscard]] bool is_odd_blank(std::string_view text);

}  // namespace komuz
