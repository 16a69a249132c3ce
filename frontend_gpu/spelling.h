// SPDX-License-Identifier: Apache-2.0
// Types as the passes compare them, and the cells that their values take (docs/bytecode.md, "Values").
#pragma once
#include "frontend_gpu/type_form.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// A type as codes for the passes: a scalar or literal is its number; a tuple kTupleCode, how many elements, the elements;
// a record kRecordCode, how many fields, the number of its item in three bytes, the fields; a sum kSumCode, 0, the number
// of its item.
struct Spelling {
  static constexpr u32 kCapacity = 128;
  u8 codes[kCapacity];
  u32 length = 0;  // kCapacity + 1: too long
  [[nodiscard]] HD bool fits() const { return length <= kCapacity; }
  HD void add(u32 code) {
    if (length < kCapacity) codes[length] = static_cast<u8>(code);
    if (length <= kCapacity) ++length;
  }
  // How many codes stand before what comes next: a cell or the first element.
  [[nodiscard]] HD u32 head(u32 k) const {
    return codes[k] == kTupleCode ? 2 : codes[k] > kTupleCode ? 5 : 1;
  }
  [[nodiscard]] HD bool is_scalar(u32 k) const { return codes[k] < kTupleCode; }
  [[nodiscard]] HD bool is_made(u32 k) const { return codes[k] > kTupleCode; }
  // Of a type that an item makes.
  [[nodiscard]] HD Index item(u32 k) const {
    return codes[k + 2] | u32{codes[k + 3]} << 8 | u32{codes[k + 4]} << 16;
  }
};
HD_COLD Spelling spell(const Columns& c, TypeId type) {
  Spelling s;
  TypeId pending[Spelling::kCapacity];
  u32 n = 0;
  pending[n++] = type;
  while (n != 0 && s.fits()) {
    const TypeId t = pending[--n];
    if (!is_tuple(t)) {
      s.add(t == kTypeUnit ? kTupleCode : t);
      if (t == kTypeUnit) s.add(0);
      continue;
    }
    const TypeForm form = form_of(c, t);
    s.add(form == TypeForm::Tuple ? kTupleCode : form == TypeForm::Record ? kRecordCode : kSumCode);
    s.add(count_parts(c, t, Spelling::kCapacity));
    if (form != TypeForm::Tuple)
      for (u32 shift = 0; shift < 24; shift += 8) s.add(c.item[tuple_node(t)] >> shift & 0xFF);
    PartsBackwards parts(c, t);
    for (Index e = parts.next(); e != kNone; e = parts.next()) {
      if (n == Spelling::kCapacity) {
        s.length = Spelling::kCapacity + 1;
        return s;
      }
      pending[n++] = part_type(c, t, e);
    }
  }
  return s;
}
// Does it hold a record or a sum?
HD bool holds_made_type(const Columns& c, TypeId type) {
  const Spelling s = spell(c, type);
  for (u32 k = 0; s.fits() && k < s.length; k += s.head(k))
    if (s.is_made(k)) return true;
  return false;
}

// How many cells of each scalar type.
struct ScalarCounts {
  u16 of[kScalarCount] = {};

  HD void add(Scalar scalar, u32 count) {
    const u32 sum = of[static_cast<u8>(scalar)] + count;
    of[static_cast<u8>(scalar)] = static_cast<u16>(sum < 0xFFFF ? sum : 0xFFFF);
  }
  // As many as the one that has more.
  HD void cover(const ScalarCounts& other) {
    for (u32 s = 0; s < kScalarCount; ++s) of[s] = of[s] > other.of[s] ? of[s] : other.of[s];
  }
};
static_assert(kScalarCount == 9);  // None and eight others
// Of what the alternatives of a sum hold, at most; check_type_items leaves it in the values of the sum's first two nodes.
HD ScalarCounts sum_counts(const Columns& c, TypeId sum) {
  const Index first = c.begin[tuple_node(sum)];
  ScalarCounts counts;
  for (u32 s = 0; s < 8; ++s)
    counts.of[s + 1] = static_cast<u16>(c.cell[first + s / 4] >> s % 4 * 16);
  return counts;
}
HD void keep_sum_counts(Columns& c, TypeId sum, const ScalarCounts& counts) {
  const Index first = c.begin[tuple_node(sum)];
  u64 packed[2] = {};
  for (u32 s = 0; s < 8; ++s) packed[s / 4] |= u64{counts.of[s + 1]} << s % 4 * 16;
  c.cell[first] = packed[0];
  c.cell[first + 1] = packed[1];
}
inline constexpr Scalar kTagScalar = Scalar::U8;  // of the number of a sum's alternative

// visit(scalar, count) for each block of cells that a value of the type takes; for none of what is too large or in error.
template <class Visit>
HD void for_each_block(const Columns& c, TypeId type, Visit visit) {
  if (is_scalar(type)) return visit(as_scalar(type), 1u);
  const Spelling s = spell(c, type);
  for (u32 k = 0; s.fits() && k < s.length; k += s.head(k)) {
    if (s.is_scalar(k) && s.codes[k] != kTypeError) visit(as_scalar(s.codes[k]), 1u);
    if (s.codes[k] != kSumCode) continue;
    const ScalarCounts counts = sum_counts(c, made_type(c, s.item(k)));
    visit(kTagScalar, 1u);
    for (u32 scalar = 1; scalar < kScalarCount; ++scalar)
      if (counts.of[scalar] != 0) visit(static_cast<Scalar>(scalar), u32{counts.of[scalar]});
  }
}
// visit(scalar) for each cell.
template <class Visit>
HD void for_each_cell(const Columns& c, TypeId type, Visit visit) {
  for_each_block(c, type, [&](Scalar scalar, u32 count) {
    for (u32 k = 0; k < count; ++k) visit(scalar);
  });
}

// Cells that a value of a type takes.
HD_COLD u32 tuple_cells(const Columns& c, TypeId type) {
  u32 cells = 0;
  for_each_block(c, type, [&](Scalar, u32 count) { cells += count; });
  return cells;
}
HD u32 type_cells(const Columns& c, TypeId type) {
  if (is_scalar(type) || is_literal(type)) return 1;
  return is_tuple(type) ? tuple_cells(c, type) : 0;
}
inline constexpr u32 kMaxTypeCells = 128;
// May there be values of the type?
HD_COLD bool is_small(const Columns& c, TypeId type) {
  return spell(c, type).fits() && type_cells(c, type) <= kMaxTypeCells;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
