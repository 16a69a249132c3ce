// SPDX-License-Identifier: Apache-2.0
// A type packed into 32 bits for a diagnostic: eight hexadecimal digits from the high end. 1 … 8 scalar, 9 integer
// literal, A float literal, B `()`, C `(`, D `)`, E `…`, F never, 0 the end. A record is an E and the place of its name in
// the source.
#pragma once
#include "frontend_gpu/tuples.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// A place takes 24 bits (kMaxSourceBytes).
inline constexpr u32 kRecordBrief = 0xE000'0000u;

HD_COLD u32 type_brief(const Columns& c, TypeId type) {
  if (is_record(c, type) || is_sum(c, type))
    return kRecordBrief | c.token_start[c.token[c.item_name[c.item[tuple_node(type)]]]];
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
  u32 hidden = 0;  // types of a record's fields that are still to come
  for (u32 k = 0; k < s.length && s.fits(); k += s.head(k)) {
    if (hidden != 0) {
      hidden += (s.is_scalar(k) ? 0u : s.codes[k + 1]) - 1;
      if (hidden != 0) continue;
    } else if (s.is_made(k)) {
      add(0xE);
      hidden = s.codes[k + 1];
      if (hidden != 0) continue;
    } else if (s.codes[k] == kTupleCode) {
      const u32 count = s.codes[k + 1];
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
