// SPDX-License-Identifier: Apache-2.0
// Which types have an order, that of `cmp` and of the keys of `sort_by`, and what it takes to compare their values.
#pragma once
#include "frontend_gpu/spelling.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Loops in one another, at most.
inline constexpr u32 kMaxOrderLevels = 7;
// Instructions of a comparison in a call of `cmp`, at most.
inline constexpr u32 kMaxOrderCode = 2500;

struct OrderSize {
  bool is_ordered = true;
  u32 levels = 0;  // of arrays, lists and slices in one another
  u32 code = 0;    // instructions of its loops, at most (order_values.h)
};
// `outer`: how many numbers of elements lead to the values; 0 of variables.
// Numbers, `bool`, tuples, arrays and lists have an order; and slices, which hold such and stand in nothing else.
HD_COLD OrderSize order_size(const Columns& c, TypeId type, u32 outer = 0) {
  const Spelling s = spell(c, type);
  OrderSize size{s.fits()};
  u32 end[kMaxOrderLevels];  // behind what each level holds
  u32 level = 0;
  for (u32 k = 0; size.is_ordered && k < s.length; k += s.head(k)) {
    while (level != 0 && k >= end[level - 1]) --level;
    if (s.is_scalar(k)) size.code += 10 * (outer + level) + 8;
    size.is_ordered = !s.is_made(k) && s.codes[k] != kOptionCode;
    if (!size.is_ordered || !s.is_container(k)) continue;
    size.is_ordered = level < kMaxOrderLevels && (s.codes[k] != kSliceCode || k == 0);
    if (!size.is_ordered) break;
    size.code += 20 * (outer + level) + 40;
    end[level++] = s.skip(k);
    if (level > size.levels) size.levels = level;
  }
  return size;
}
// Does `cmp` take it?
HD_COLD bool is_ordered(const Columns& c, TypeId type) {
  const OrderSize size = order_size(c, type);
  return size.is_ordered && size.code <= kMaxOrderCode;
}
// Is it compared by a loop, as what holds elements is?
HD_COLD bool is_ordered_by_elements(const Columns& c, TypeId type) {
  return is_tuple(type) && spell(c, type).has_containers;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
