// SPDX-License-Identifier: Apache-2.0
// Source bytes as cells of a terminal: how a byte sequence looks, and how wide it is. The result can never control a
// terminal, whatever the source holds.
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::services {

// One character of a line as it is shown.
struct Cell {
  u32 bytes = 1;     // of the source
  u32 width = 1;     // columns of the terminal; 0 for combining marks
  std::string text;  // a tab as blanks, a control character or an invalid byte as U+FFFD
};
// The character that starts at `at` < line.size(), shown at terminal column `column` (from 0; for tab stops).
[[nodiscard]] Cell cell_at(std::string_view line, size_t at, u32 column);

// The text cut to about `most` columns, with all characters replaced that could control a terminal.
[[nodiscard]] std::string printable(std::string_view text, u32 most = 400);

// The same for several lines, without cuts.
[[nodiscard]] std::string printable_lines(std::string_view text);

// The same in at most `width` columns, with `…` where it is cut.
[[nodiscard]] std::string fitted(std::string_view text, u32 width);
// The same, cut in the middle.
[[nodiscard]] std::string fitted_at_both_ends(std::string_view text, u32 width);

// Breaks lines of more than `width` columns at blanks, if they have any. The rest begins with the indentation of its
// line, or two blanks more if the line is indented. Escape sequences for colours take no columns.
[[nodiscard]] std::string wrapped(std::string_view text, u32 width);

// The same for paragraphs, whose lines are joined.
[[nodiscard]] std::string wrapped_paragraphs(std::string_view text, u32 width);

// The number of columns of the whole text.
[[nodiscard]] size_t shown_width(std::string_view text);

}  // namespace komuz::services
