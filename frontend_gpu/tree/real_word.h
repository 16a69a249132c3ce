// SPDX-License-Identifier: Apache-2.0
// The word of `?c(real)`. It is a name elsewhere.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/text/name_hash.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True for the word `real`.
HD_COLD bool says_real(const Columns& c, Index i) {
  constexpr u64 kReal = 0x6C61'6572;
  return node_kind(c, i) == Node::Name && node_length(c, i) == 4 &&
         load_text(node_text(c, i), 4) == kReal;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
