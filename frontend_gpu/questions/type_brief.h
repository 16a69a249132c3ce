// SPDX-License-Identifier: Apache-2.0
// A type packed into 32 bits for a diagnostic: eight hexadecimal digits from the high end.
//   1 … 8  scalar           B  `()`     E  `…`
//   9      integer literal  C  `(`      F  never
//   A      float literal    D  `)`      0  the end
// A record or sum is an E and the position of its name in the source. An array or the like that the source spells
// is an E and the position where the source does so. Such a type that only a value has is a D, a digit of
// ContainerBrief, the type that it holds, 0, and its length in four digits.
#pragma once
#include "frontend_gpu/columns/name_role.h"
#include "frontend_gpu/questions/type_relations.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// A position in the source takes 24 bits (kMaxSourceBytes).
inline constexpr u32 kRecordBrief = 0xE000'0000u, kContainerBrief = 0xD000'0000u;

// The node at which a type with brackets starts.
HD Index first_of_brackets(const Columns& c, Index bracket) {
  const bool named =
      bracket != 0 && node_kind(c, bracket - 1) == Node::Index && c.right[bracket - 1] == bracket;
  return named ? Index{c.left[bracket - 1]} : bracket;
}
HD_COLD u32 container_brief(const Columns& c, TypeId type) {
  const Container own = container_of(c, type);
  const Index node = tuple_node(type);
  if (own.element == kTypePending || name_role(node_context(c, node)) == NameRole::Type)
    return kRecordBrief | c.token_start[c.token[first_of_brackets(c, node)]];
  const TypeId held = held_type(c, type);
  const u32 digit = is_scalar(held) || is_literal(held) ? held
                    : held == kTypeNever                ? 0xFu
                    : held == kTypeUnit                 ? 0xBu
                                                        : 0xEu;
  const u32 form = static_cast<u32>(own.form) - static_cast<u32>(TypeForm::Option);
  return kContainerBrief | form << 24 | digit << 20 | own.count;
}

HD_COLD u32 type_brief(const Columns& c, TypeId type) {
  if (is_record(c, type) || is_sum(c, type))
    return kRecordBrief | c.token_start[c.token[c.item_name[c.item[tuple_node(type)]]]];
  if (is_tuple(type) && is_container(form_of(c, type))) return container_brief(c, type);
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
  u32 open[Spelling::kCapacity];  // how many elements of each open tuple are left
  u32 depth = 0;
  u32 hidden = 0;  // types inside of a record or the like that are left
  for (u32 k = 0; k < s.length && s.fits(); k += s.head(k)) {
    if (hidden != 0) {
      hidden += s.parts(k) - 1;
      if (hidden != 0) continue;
    } else if (s.is_made(k) || s.is_container(k)) {
      add(0xE);
      hidden = s.parts(k);
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
    } else {  // an unknown type has no digit
      add(s.codes[k] >= 1 && s.codes[k] <= 0xA ? s.codes[k] : 0xEu);
    }
    while (depth != 0 && --open[depth - 1] == 0) {
      --depth;
      add(0xD);
    }
  }
  return packed;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
