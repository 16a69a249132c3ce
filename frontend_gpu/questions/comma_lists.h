// SPDX-License-Identifier: Apache-2.0
// Walks chains of `,`.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/text/name_hash.h"
#include "lang/type_codes.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Type codes hold a function's parameters as one tuple, whose count is a byte.
inline constexpr u32 kMaxParameters = 255;

// Goes through the elements between a pair of parentheses, from the last to the first. A chain of commas leans
// left.
class ElementsBackwards {
 public:
  HD ElementsBackwards(const Columns& c, Index paren) : c_(c), at_(c.right[paren]) {}
  // Goes through two nodes, each of which may be kNone.
  HD explicit ElementsBackwards(const Columns& c, Index first, Index second)
      : c_(c), at_(second), then_(first) {}
  // The next element, kNone at the end.
  HD Index next() {
    while (at_ != kNone && node_kind(c_, at_) == Node::Comma) {
      const Index element = c_.right[at_];
      at_ = c_.left[at_];
      count_work(c_, 1);
      if (element != kNone) return element;  // no element stands behind a trailing comma
    }
    const Index element = at_;
    at_ = then_;
    then_ = kNone;
    return element;
  }

 private:
  const Columns& c_;
  Index at_, then_ = kNone;
};

// Stops counting at `most`.
HD u32 count_elements(const Columns& c, Index paren, u32 most = kNone) {
  ElementsBackwards elements(c, paren);
  u32 n = 0;
  while (n < most && elements.next() != kNone) ++n;
  return n;
}
HD Index element_at(const Columns& c, Index paren, u32 number) {
  ElementsBackwards elements(c, paren);
  Index element = elements.next();
  for (u32 k = count_elements(c, paren) - 1; k > number; --k) element = elements.next();
  return element;
}
HD bool has_comma(const Columns& c, Index paren) {
  const Index inside = c.right[paren];
  return inside != kNone && node_kind(c, inside) == Node::Comma;
}

// The number of an element. The element stands between two commas, or alone between the parentheses.
HD u32 element_number(const Columns& c, Index paren, Index element) {
  ElementsBackwards elements(c, paren);
  u32 number = count_elements(c, paren) - 1;
  for (Index e = elements.next(); e != element && e != kNone; e = elements.next()) --number;
  return number;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
