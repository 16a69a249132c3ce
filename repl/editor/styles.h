// SPDX-License-Identifier: Apache-2.0
// The styles of the screen's parts, and the escape sequences for them.
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
  Escape,      // substitutes for what cannot be shown
  Marked,      // the place of the first error
  Found,       // found by a search
  Suggestion,  // not typed yet
  Detail,      // about the input, or about a candidate
  Problem,     // a fault of the input
  Selected,    // the selected candidate
};

// Bytes of a text with a style.
struct Span {
  size_t begin = 0, end = 0;
  Style style = Style::Plain;
};
using Spans = std::vector<Span>;  // in order; text outside of spans is plain

// The escape sequence that starts a style after any other. Without colours, only attributes remain that distinguish
// typed text from the rest.
[[nodiscard]] std::string_view start_of(Style style, bool colors);

}  // namespace komuz::editor
