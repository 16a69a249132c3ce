// SPDX-License-Identifier: Apache-2.0
// What parts of the screen are, and how a terminal is told to show them.
#pragma once
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::editor {

enum class Style : u8 {
  Plain,
  Prompt,
  Keyword,
  Type,
  Function,
  Number,
  String,
  Comment,
  Hole,
  Command,
  Escape,      // stands for what cannot be shown
  Marked,      // where the first error is
  Found,       // what a search found
  Suggestion,  // not typed yet
  Detail,      // said of the input, or of a candidate
  Problem,     // what is wrong with the input
  Selected,    // the candidate that is taken
};

// Bytes of a text that have a style.
struct Span {
  size_t begin = 0, end = 0;
  Style style = Style::Plain;
};
using Spans = std::vector<Span>;  // in order; what is in none is plain

// The escape sequence that starts a style, whatever was before. Without colours the attributes stay that tell what is
// typed from what is not.
[[nodiscard]] std::string_view start_of(Style style, bool colors);

}  // namespace komuz::editor
