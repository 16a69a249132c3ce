// SPDX-License-Identifier: Apache-2.0
// Recognises `traps(e, TRAP)`, which looks like a call.
#pragma once
#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True if the node may spell `traps`, by its length. `traps` is no keyword, so it may also be a name.
HD bool may_spell_traps(const Columns& c, Index name) { return node_length(c, name) == 5; }
HD bool spells_traps(const Columns& c, Index name) {
  constexpr u64 kText = 0x7370'6172'74u;
  return may_spell_traps(c, name) && load_text(node_text(c, name), 5) == kText;
}
HD bool is_traps_call(const Columns& c, Index i) {
  if (node_kind(c, i) != Node::Call) return false;
  const Index callee = c.left[i];
  return callee != kNone && node_kind(c, callee) == Node::Name && spells_traps(c, callee);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
