// SPDX-License-Identifier: Apache-2.0
// A type packed into 32 bits for a diagnostic: eight hexadecimal digits from the high end. 1 … 8 scalar, 9 integer
// literal, A float literal, B `()`, C `(`, D `)`, E `…`, F never, 0 the end.
#pragma once
#include "frontend_gpu/tuples.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD_COLD u32 type_brief(const Columns& c, TypeId type) {
  u32 packed = 0, digits = 0;
  const auto add = [&](u32 digit) {
    if (digits == 8) {
      packed = (packed & ~0xFu) | 0xE;
      return;
    }
    packed |= digit << (28 - 4 * digits++);
  };
  if (type == kTypeNever) add(0xF);
  if (type == kTypeUnit) add(0xB);
  if (is_scalar(type) || is_literal(type)) add(type);
  if (!is_tuple(type)) return packed;
  const Spelling s = spell(c, type);
  u32 open[Spelling::kCapacity];  // how many elements each open tuple still has
  u32 depth = 0;
  for (u32 k = 0; k < s.length && s.fits(); ++k) {
    if (s.codes[k] == kTupleCode) {
      const u32 count = s.codes[++k];
      if (count == 0) {
        add(0xB);
      } else {
        add(0xC);
        open[depth++] = count;
        continue;
      }
    } else {
      add(s.codes[k]);
    }
    while (depth != 0 && --open[depth - 1] == 0) {
      --depth;
      add(0xD);
    }
  }
  return packed;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
