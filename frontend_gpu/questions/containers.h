// SPDX-License-Identifier: Apache-2.0
// Tells the forms of brackets apart, and what stands between them: `[e; N]`, `xs[i]`, `xs[a..b]`.
#pragma once
#include "frontend_gpu/questions/chains.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True for `[e; N]`.
HD bool repeats(const Columns& c, Index bracket) {
  const Index inside = c.right[bracket];
  return inside != kNone && node_kind(c, inside) == Node::Semi;
}
// The element that is repeated.
HD Index repeated(const Columns& c, Index bracket) { return c.left[c.right[bracket]]; }
// The expression between the brackets of an index; kNone: there is none.
HD Index index_of(const Columns& c, Index i) { return c.right[c.right[i]]; }
// The value that a `for` runs over, without parentheses around it.
HD Index run_over(const Columns& c, Index in) { return inside_parentheses(c, c.right[in]); }
// True for `xs[a..b]`.
HD bool is_view(const Columns& c, Index i) {
  if (node_kind(c, i) != Node::Index || c.role[i] == Role::Choice) return false;
  const Index inside = index_of(c, i);
  return inside != kNone && is_range(c, inside);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
