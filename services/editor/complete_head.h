// SPDX-License-Identifier: Apache-2.0
// What may stand in a line `//! key: value` of the head of a text (head_lines.h).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/editor/head_lines.h"

namespace komuz::services {

struct HeadWord {
  std::string text;  // to be put in place of the word
  std::string what;  // it says
};
struct HeadWords {
  u32 begin = 0, end = 0;      // bytes of the text: the word around the place
  std::optional<HeadKey> key;  // whose value it is; nothing: a key itself
  std::vector<HeadWord> list;  // none where any text may stand
};
// Keys that the head does not have yet, in the order of their table, or the values of a key. Nothing: the place is in no such line.
[[nodiscard]] std::optional<HeadWords> complete_head(std::string_view text, u32 place);

}  // namespace komuz::services
