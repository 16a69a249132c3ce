// SPDX-License-Identifier: Apache-2.0
// A line of the source with a mark below a place in it.
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::services {

// How rendered text may look. `width` is in columns of the terminal.
struct RenderStyle {
  bool colors = false;
  u32 width = 100;
  bool wraps =
      false;  // breaks sentences at blanks: a terminal breaks lines at its last column, a pipe does not
};

// Escape sequences; all are empty without colours.
struct Palette {
  std::string_view error, warning, note, place, strong, plain;
};
[[nodiscard]] const Palette& palette(const RenderStyle& style);

// The line of byte `begin` after its number, and carets under [begin, end):
//    3 |     let y = x + 1.0;
//      |             ^~~~~~~
// `lines_more`: added to the numbers of lines, for a part of a text. A span of several lines is marked on its first.
// A long line is cut around the place.
[[nodiscard]] std::string excerpt(std::string_view source, u32 begin, u32 end,
                                  std::string_view mark_color, const RenderStyle& style,
                                  i32 lines_more = 0);

// The end of the token that starts at `begin`: a word, a number, or the longest operator there.
[[nodiscard]] u32 token_end(std::string_view source, u32 begin);

}  // namespace komuz::services
