// SPDX-License-Identifier: Apache-2.0
// Patterns of tuples, `(a, 4)`. One `..` may stand for the elements that are left out: `(a, ..)`, `(.., z)`,
// `(a, .., z)`.
#pragma once
#include "frontend_gpu/questions/comma_lists.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

struct TuplePattern {
  u32 given = 0;            // elements between the parentheses, the `..` among them
  u32 rest = kNone;         // the number of the `..`; kNone: there is none
  Index misplaced = kNone;  // a `..` that stands beside another one, alone, or before a pattern

  // True if the pattern fits a tuple of `parts` parts.
  [[nodiscard]] HD bool fits(u32 parts) const {
    return rest == kNone ? given == parts : given - 1 <= parts;
  }
  // The part for which an element stands.
  [[nodiscard]] HD u32 part_of(u32 number, u32 parts) const {
    return rest == kNone || number < rest ? number : number + parts - given;
  }
};

// Takes parentheses that are not empty.
HD_COLD TuplePattern tuple_pattern(const Columns& c, Index paren) {
  TuplePattern own;
  Index last = kNone;
  ElementsBackwards elements(c, paren);
  for (Index e = elements.next(); e != kNone; e = elements.next(), ++own.given) {
    if (node_kind(c, e) != Node::Spread) continue;
    const bool alone = e == c.right[paren];
    if (alone || c.right[e] != kNone) own.misplaced = e;
    if (own.rest != kNone) own.misplaced = last;
    own.rest = own.given;  // counted from the last one
    last = e;
  }
  if (own.rest != kNone) own.rest = own.given - 1 - own.rest;
  return own;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
