// SPDX-License-Identifier: Apache-2.0
// The word of `?c(real)`. It is a name elsewhere.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/text/name_hash.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The word, if it alone stands between parentheses, with or without a comma behind it; `inside`: what hangs below these. kNone: it
// does not.
HD_COLD Index real_word(const Columns& c, Index inside) {
  constexpr u64 kReal = 0x6C61'6572;
  if (inside != kNone && node_kind(c, inside) == Node::Comma && c.right[inside] == kNone)
    inside = c.left[inside];
  const bool is_word = inside != kNone && node_kind(c, inside) == Node::Name &&
                       node_length(c, inside) == 4 && load_text(node_text(c, inside), 4) == kReal;
  return is_word ? inside : kNone;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
