// SPDX-License-Identifier: Apache-2.0
// The types of the passes as type codes, with the names of records.
#pragma once
#include "frontend_gpu/fields.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// put(u8) for each byte of the type's codes (lang/type_codes.h). The type fits a Spelling.
template <class Put>
HD_COLD void put_type_codes(const Columns& c, TypeId type, Put put) {
  const auto put_name = [&](Index name) {
    const u32 length = node_length(c, name);
    put(static_cast<u8>(length));
    for (u32 k = 0; k < length; ++k) put(node_text(c, name)[k]);
  };
  TypeId pending[Spelling::kCapacity];
  u32 n = 0;
  pending[n++] = settled(type);
  while (n != 0) {
    const TypeId t = pending[--n];
    if (is_scalar(t)) {
      put(static_cast<u8>(t));
      continue;
    }
    const Index paren = t == kTypeUnit ? kNone : tuple_node(t);
    const bool is_record = paren != kNone && is_record_paren(c, paren);
    const u32 count = paren == kNone ? 0 : count_elements(c, paren);
    put(is_record ? kRecordCode : kTupleCode);
    put(static_cast<u8>(count));
    if (is_record) {
      put_name(c.item_name[c.item[paren]]);
      for (u32 k = 0; k < count; ++k) put_name(c.left[element_at(c, paren, k)]);
    }
    if (count == 0) continue;
    ElementsBackwards elements(c, paren);
    for (Index e = elements.next(); e != kNone; e = elements.next())
      pending[n++] = part_type(c, t, e);
  }
}
HD u32 type_code_bytes(const Columns& c, TypeId type) {
  if (is_scalar(type)) return 1;
  u32 bytes = 0;
  put_type_codes(c, type, [&](u8) { ++bytes; });
  return bytes;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
