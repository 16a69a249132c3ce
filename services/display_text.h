// SPDX-License-Identifier: Apache-2.0
// Source bytes as cells of a terminal: what a byte sequence looks like and how wide it is.
// Nothing that comes out can steer a terminal, whatever the source holds.
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

// The text with whatever could steer a terminal replaced, cut to about `most` columns.
[[nodiscard]] std::string printable(std::string_view text, u32 most = 400);

// Of several lines, none of which is cut.
[[nodiscard]] std::string printable_lines(std::string_view text);

// The same in at most `width` columns: `…` where some is cut.
[[nodiscard]] std::string fitted(std::string_view text, u32 width);
// The same where some of the middle is cut.
[[nodiscard]] std::string fitted_at_both_ends(std::string_view text, u32 width);

// Lines of more than `width` columns are broken at blanks, where they have any; what follows begins as its line does, and where
// that is indented two blanks on. Escape sequences that change colours take no columns.
[[nodiscard]] std::string wrapped(std::string_view text, u32 width);

// The same of paragraphs, whose lines are one.
[[nodiscard]] std::string wrapped_paragraphs(std::string_view text, u32 width);

// How many columns all of it takes.
[[nodiscard]] size_t shown_width(std::string_view text);

}  // namespace komuz::services
