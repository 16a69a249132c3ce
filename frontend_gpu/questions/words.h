// SPDX-License-Identifier: Apache-2.0
// Words that are keywords only in some places: `depth` is a name in `depth(x)` and a keyword in `-> f64 depth 2 {`.
#pragma once
#include "frontend_gpu/columns/tables.h"
#include "frontend_gpu/tree/layout.h"

namespace komuz::frontend {

// What a token is where it stands. Columns keep what the lexer has seen, which knows no neighbours; the tokens are enough.
[[nodiscard]] inline Token word_at(const Columns& c, Index t) {
  const Token raw = token_at(c, t);
  u32 error = 0;
  return is_contextual(raw) ? contextual(c, tables(), static_cast<i32>(t), raw, error) : raw;
}
// Does an item begin there?
[[nodiscard]] inline bool begins_item(const Columns& c, Index t) {
  return token_row(word_at(c, t)).act == Act::Item;
}

}  // namespace komuz::frontend
