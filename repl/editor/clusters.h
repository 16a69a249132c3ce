// SPDX-License-Identifier: Apache-2.0
// Text as a terminal shows it: grapheme clusters, which the cursor steps over whole, and the columns that each takes. Unicode's
// rules are utf8proc's.
#pragma once
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::editor {

// The byte behind the cluster that starts at `at` < text.size(). A line end is a cluster of its own; so is a byte that is not
// UTF-8.
[[nodiscard]] size_t next_cluster(std::string_view text, size_t at);
// The byte where the cluster starts that ends at `at` > 0.
[[nodiscard]] size_t previous_cluster(std::string_view text, size_t at);

// What a cluster looks like. Nothing of it can steer a terminal.
struct Glyph {
  std::string text;
  u32 width = 1;  // columns; those of its characters together, which is what most terminals do
  bool is_simple = true;  // one character: no terminal has another opinion of its width
  bool is_escape =
      false;  // stands for what cannot be shown: `^A`, `\u{202E}`, a byte that is no text
};
// `column`: from 0, for tab stops; `columns`: no glyph is wider.
[[nodiscard]] Glyph glyph_of(std::string_view cluster, u32 column, u32 columns);

}  // namespace komuz::editor
