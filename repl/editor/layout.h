// SPDX-License-Identifier: Apache-2.0
// The places of a text on the screen: rows of glyphs of known width. Knows only what to show, not how it came about.
//
//   > fn half(x: f64) -> f64 {    ← prompt, text in its styles
//   …     x / 2                   ← prompt of a continued line
//   … }
//   error: expected `f64`, …      ← below: lines that are cut, not wrapped
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

// A line whose parts have one style each.
struct StyledText {
  std::string text;
  Style style = Style::Plain;
};
using StyledLine = std::vector<StyledText>;

struct Page {
  std::string_view text;
  Spans spans;                  // of the text
  Spans marks;                  // styles on top of these
  size_t cursor = 0;            // byte of the text
  std::string_view suggestion;  // shown behind the text
  std::vector<StyledLine> below;
};

struct Picture {
  std::vector<Row> rows;  // at least one, and at most as many as the screen has
  u32 cursor_row = 0, cursor_column = 0;
};

// If the page is higher than the screen, shows a part of it. `first_row` is the first visible row; it is kept between
// calls, and moved only as far as the cursor requires.
[[nodiscard]] Picture lay_out(const Page& page, ScreenSize size, size_t& first_row);

[[nodiscard]] u32 width_of(const Row& row);

}  // namespace komuz::editor
