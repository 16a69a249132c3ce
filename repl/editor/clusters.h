// SPDX-License-Identifier: Apache-2.0
// Text as a terminal shows it: grapheme clusters, over which the cursor moves as a whole, and their columns. utf8proc
// knows Unicode's rules.
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::editor {

// The byte behind the cluster that starts at `at` < text.size(). A line end is a cluster of its own, and so is a byte
// that is not UTF-8.
[[nodiscard]] size_t next_cluster(std::string_view text, size_t at);
// The start of the cluster that ends at `at` > 0.
[[nodiscard]] size_t previous_cluster(std::string_view text, size_t at);

// The appearance of a cluster. It cannot control a terminal.
struct Glyph {
  std::string text;
  u32 width = 1;          // columns: the sum over its characters, which is what most terminals do
  bool is_simple = true;  // one character, whose width all terminals agree on
  bool is_escape =
      false;  // a substitute for what cannot be shown: `^A`, `\u{202E}`, a byte that is no text
};
// `column`: from 0, for tab stops; `columns`: the greatest width of a glyph.
[[nodiscard]] Glyph glyph_of(std::string_view cluster, u32 column, u32 columns);

}  // namespace komuz::editor
