// SPDX-License-Identifier: Apache-2.0
// Writes the types of the passes as type codes, with the names of records and sums.
#pragma once
#include "frontend_gpu/questions/fields.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

inline constexpr u32 kMaxTypeBytes = 1024;  // of a type, with its names

// Calls put(u8) for each byte of the type's codes (lang/type_codes.h). Returns the number of bytes; if it is more
// than kMaxTypeBytes, not all have been put. The type fits a Spelling.
template <class Put>
HD_COLD u32 put_type_codes(const Columns& c, TypeId type, Put put_byte) {
  u32 bytes = 0;
  const auto put = [&](u32 byte) {
    put_byte(static_cast<u8>(byte));
    ++bytes;
  };
  const auto put_name = [&](Index name) {
    const u32 length = node_length(c, name);
    put(length);
    for (u32 k = 0; k < length; ++k) put(node_text(c, name)[k]);
  };
  const auto put_field_names = [&](Index fields) {
    const u32 count = count_elements(c, fields);
    for (u32 k = 0; k < count; ++k) {
      const Index field = element_at(c, fields, k);
      if (is_field(c, field)) put_name(c.left[field]);  // others are in error
    }
  };
  TypeId pending[Spelling::kCapacity];
  u8 depths[Spelling::kCapacity];  // how many sums, arrays and the like are around each
  u32 n = 0;
  depths[n] = 0;
  pending[n++] = settled(type);
  while (n != 0 && bytes <= kMaxTypeBytes) {
    const TypeId t = pending[--n];
    const u8 depth = depths[n], inside = static_cast<u8>(depth + 1);
    if (t == kTypeUnit) {
      put(kTupleCode);
      put(0);
      continue;
    }
    if (!is_tuple(t)) {  // a scalar, or in error
      put(t);
      continue;
    }
    const Index node = tuple_node(t);
    if (form_of(c, t) > TypeForm::Record && depth == komuz::kMaxTypeDepth) return kMaxTypeBytes + 1;
    switch (form_of(c, t)) {
      case TypeForm::Tuple:
        put(kTupleCode);
        put(count_parts(c, t));
        break;
      case TypeForm::Record:
        put(kRecordCode);
        put(count_elements(c, node));
        put_name(c.item_name[c.item[node]]);
        put_field_names(node);
        break;
      case TypeForm::Sum: {
        put(kSumCode);
        put(count_alternatives(c, t, kMaxTypeElements + 1));
        put_name(c.item_name[c.item[node]]);
        const u32 below = n;
        Alternatives alternatives(c, t);
        for (Index a = alternatives.next(); a != kNone; a = alternatives.next()) {
          put_name(a);
          const Index fields = fields_of(c, a);
          const u32 count =
              fields == kNone ? 0 : count_elements(c, fields, Spelling::kCapacity + 1);
          put(count);
          if (bytes > kMaxTypeBytes || n + count > Spelling::kCapacity) return kMaxTypeBytes + 1;
          if (count == 0) continue;
          put_field_names(fields);
          ElementsBackwards elements(c, fields);
          for (u32 at = n += count; at-- > n - count;)
            pending[at] = element_type(c, elements.next()), depths[at] = inside;
        }
        // The fields lie in order on the stack, but the first has to be taken first.
        for (u32 low = below, high = n; low + 1 < high; ++low) {
          const TypeId first = pending[low];
          pending[low] = pending[--high];
          pending[high] = first;
        }
        continue;
      }
      case TypeForm::Option:
      case TypeForm::Array:
      case TypeForm::List:
      case TypeForm::Slice: {
        const Container own = container_of(c, t);
        put(own.form == TypeForm::Option  ? kOptionCode
            : own.form == TypeForm::Array ? kArrayCode
            : own.form == TypeForm::List  ? kListCode
                                          : kSliceCode);
        if (own.form == TypeForm::Array || own.form == TypeForm::List) {
          put(own.count & 0xFF);
          put(own.count >> 8);
        }
        depths[n] = inside;
        pending[n++] = held_type(c, t);
        continue;
      }
    }
    if (n + count_parts(c, t) > Spelling::kCapacity) return kMaxTypeBytes + 1;
    PartsBackwards parts(c, t);
    for (Index e = parts.next(); e != kNone; e = parts.next()) {
      depths[n] = depth;
      pending[n++] = part_type(c, t, e);
    }
  }
  return bytes;
}
HD u32 type_code_bytes(const Columns& c, TypeId type) {
  return is_scalar(type) ? 1 : put_type_codes(c, type, [](u8) {});
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
