// SPDX-License-Identifier: Apache-2.0
// Where on the screen a text stands: rows of glyphs of known width. Knows what to show, and nothing of how it came to be.
//
//   > fn half(x: f64) -> f64 {    ← prompt, text in its styles
//   …     x / 2                   ← prompt of a line that goes on
//   … }
//   error: expected `f64`, …      ← below: lines that are cut, not broken
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "repl/editor/styles.h"

namespace komuz::editor {

struct ScreenSize {
  u32 columns = 80, rows = 24;
  bool operator==(const ScreenSize&) const = default;
};

struct Cell {
  std::string text;
  u32 width = 1;
  Style style = Style::Plain;
  bool is_simple = true;  // see Glyph
  bool operator==(const Cell&) const = default;
};
using Row = std::vector<Cell>;

// A line of parts that are plain in themselves.
struct StyledText {
  std::string text;
  Style style = Style::Plain;
};
using StyledLine = std::vector<StyledText>;

struct Page {
  std::string_view text;
  Spans spans;                  // of the text
  Spans marks;                  // laid over these
  size_t cursor = 0;            // byte of the text
  std::string_view suggestion;  // shown behind the text
  std::vector<StyledLine> below;
};

struct Picture {
  std::vector<Row> rows;  // at most as many as the screen has, and one at least
  u32 cursor_row = 0, cursor_column = 0;
};

// Shows a part where all is more than the screen holds: `first_row`, kept between calls, is the row of all rows that it
// starts with, moved as little as the cursor asks for.
[[nodiscard]] Picture lay_out(const Page& page, ScreenSize size, size_t& first_row);

[[nodiscard]] u32 width_of(const Row& row);

}  // namespace komuz::editor
