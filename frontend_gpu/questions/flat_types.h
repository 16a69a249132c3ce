// SPDX-License-Identifier: Apache-2.0
// Types in the form in which passes compare them, and the cells that their values take (docs/bytecode.md,
// "Values").
#pragma once
#include "frontend_gpu/questions/type_form.h"
#include "lang/layout.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// A type as a string of codes:
//   scalar, literal   its number
//   tuple             kTupleCode, the number of elements, the elements
//   record            kRecordCode, the number of fields, the number of its item in three bytes, the fields
//   sum               kSumCode, 0, the number of its item in three bytes
//   array, list       its code, the number of elements in two bytes, the element
//   Option, slice     its code, the type that it holds
struct Spelling {
  static constexpr u32 kCapacity = 128;
  // Codes of literals (Container::is_open).
  static constexpr u8 kOpenArray = kSliceCode + 1, kOpenList = kSliceCode + 2;
  u8 codes[kCapacity];
  u32 length = 0;  // kCapacity + 1: too long
  bool has_containers = false;
  [[nodiscard]] HD bool fits() const { return length <= kCapacity; }
  HD void add(u32 code) {
    if (length < kCapacity) codes[length] = static_cast<u8>(code);
    if (length <= kCapacity) ++length;
  }
  // The number of codes before the first part, or before the next type.
  [[nodiscard]] HD u32 head(u32 k) const {
    switch (codes[k]) {
      case kTupleCode: return 2;
      case kRecordCode:
      case kSumCode: return 5;
      case kArrayCode:
      case kListCode:
      case kOpenArray:
      case kOpenList: return 3;
      default: return 1;
    }
  }
  [[nodiscard]] HD bool is_scalar(u32 k) const { return codes[k] < kTupleCode; }
  [[nodiscard]] HD bool is_made(u32 k) const {
    return codes[k] == kRecordCode || codes[k] == kSumCode;
  }
  [[nodiscard]] HD bool is_container(u32 k) const { return codes[k] > kSumCode; }
  // The number of types behind the head.
  [[nodiscard]] HD u32 parts(u32 k) const {
    return is_scalar(k) ? 0u : is_container(k) ? 1u : codes[k + 1];
  }
  // The number of elements of the array or list at k.
  [[nodiscard]] HD u32 count(u32 k) const { return codes[k + 1] | u32{codes[k + 2]} << 8; }
  // The place behind the type at k.
  [[nodiscard]] HD u32 skip(u32 k) const {
    for (u32 pending = 1; pending != 0 && k < length; k += head(k)) pending += parts(k) - 1;
    return k;
  }
  // The item of the record or sum at k.
  [[nodiscard]] HD Index item(u32 k) const {
    return codes[k + 2] | u32{codes[k + 3]} << 8 | u32{codes[k + 4]} << 16;
  }
};
HD void spell_container(const Columns& c, TypeId type, Spelling& s) {
  const Container own = container_of(c, type);
  s.has_containers = true;
  const bool open = own.is_open && (type & kTypeSettled) == 0;
  switch (own.form) {
    case TypeForm::Array: s.add(open ? Spelling::kOpenArray : kArrayCode); break;
    case TypeForm::List: s.add(open ? Spelling::kOpenList : kListCode); break;
    case TypeForm::Option: return s.add(kOptionCode);
    case TypeForm::Slice: return s.add(kSliceCode);
    case TypeForm::Tuple:
    case TypeForm::Record:
    case TypeForm::Sum: return;
  }
  s.add(own.count & 0xFF);
  s.add(own.count >> 8);
}
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
    if (is_container(form)) {
      spell_container(c, t, s);
      pending[n++] = held_type(c, t);
      continue;
    }
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
// The number of cells of each scalar type.
struct ScalarCounts {
  u16 of[kScalarCount] = {};

  HD void add(Scalar scalar, u32 count) {
    if (is_reference(scalar)) return;  // parameters alone are slices, and no part of a sum
    const u32 sum = of[static_cast<u8>(scalar)] + count;
    of[static_cast<u8>(scalar)] = static_cast<u16>(sum < 0xFFFF ? sum : 0xFFFF);
  }
  // Raises each count to that of `other`.
  HD void cover(const ScalarCounts& other) {
    for (u32 s = 0; s < kScalarCount; ++s) of[s] = of[s] > other.of[s] ? of[s] : other.of[s];
  }
};
static_assert(kScalarCount == 9);  // None and eight others
// The most cells that any alternative of a sum holds. check_type_items leaves the counts in the values of the sum's
// first two nodes.
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

// The most blocks of a type that fits a Spelling. A sum takes five codes.
inline constexpr u32 kMaxBlocks = Spelling::kCapacity / 5 * kScalarCount + Spelling::kCapacity % 5;
// The blocks of cells that a value takes.
struct Blocks {
  Scalar scalar[kMaxBlocks];
  u32 cells[kMaxBlocks];
  u32 count = 0;
  HD void add(Scalar type, u32 n) {
    if (count == kMaxBlocks) return;
    scalar[count] = type;
    cells[count++] = n;
  }
};
// Calls visit(scalar, count) for each block of a sum: its alternative's number, then one block for each scalar
// type.
template <class Visit>
HD void for_each_sum_block(const Columns& c, Index item, Visit visit) {
  const ScalarCounts counts = sum_counts(c, made_type(c, item));
  visit(kTagScalar, 1u);
  for (u32 scalar = 1; scalar < kScalarCount; ++scalar)
    if (counts.of[scalar] != 0) visit(static_cast<Scalar>(scalar), u32{counts.of[scalar]});
}
// Adds the blocks of a type that has containers.
HD_COLD void add_container_blocks(const Columns& c, const Spelling& s, Blocks& blocks) {
  const auto add_block = [&](LayoutBlock block) { blocks.add(block.scalar, block.cells); };
  Layout layout(add_block);
  struct Open {
    u8 code;
    u32 left;  // types that are left
  };
  Open open[Spelling::kCapacity];
  u32 depth = 0;
  for (u32 k = 0; k < s.length; k += s.head(k)) {
    const u8 code = s.codes[k];
    if (s.is_container(k) && layout.is_full()) return;
    if (code - 1u < kScalarCount - 1)
      layout.add(static_cast<Scalar>(code));
    else if (code == kSumCode)
      for_each_sum_block(c, s.item(k),
                         [&](Scalar scalar, u32 count) { layout.add(scalar, count); });
    if (s.is_container(k)) {
      if (code == kOptionCode) {
        layout.open_sum();
        layout.end_alternative();
      } else if (code == kSliceCode) {
        layout.open_slice();
      } else if (code == kListCode || code == Spelling::kOpenList) {
        layout.open_list(s.count(k));
      } else {
        layout.open_array(s.count(k));
      }
    }
    if (s.parts(k) != 0) {
      open[depth++] = {code, s.parts(k)};
      continue;
    }
    while (depth != 0 && --open[depth - 1].left == 0) {
      const u8 ended = open[--depth].code;
      if (ended == kOptionCode) {
        layout.end_alternative();
        layout.close_sum();
      } else if (ended > kSumCode) {
        layout.close();
      }
    }
  }
}
HD_COLD void add_blocks(const Columns& c, const Spelling& s, Blocks& blocks) {
  if (!s.fits()) return;
  if (s.has_containers) return add_container_blocks(c, s, blocks);
  for (u32 k = 0; k < s.length; k += s.head(k)) {
    if (s.is_scalar(k) && s.codes[k] != kTypeError) blocks.add(as_scalar(s.codes[k]), 1);
    if (s.codes[k] == kSumCode)
      for_each_sum_block(c, s.item(k), [&](Scalar scalar, u32 n) { blocks.add(scalar, n); });
  }
}
HD_COLD void find_blocks(const Columns& c, TypeId type, Blocks& blocks) {
  if (is_scalar(type)) return blocks.add(as_scalar(type), 1);
  add_blocks(c, spell(c, type), blocks);
}
// Calls visit(scalar, count) for each block of cells that a value of the type takes. A type that is too large or in
// error has none.
template <class Visit>
HD void for_each_block(const Columns& c, TypeId type, Visit visit) {
  Blocks blocks;
  find_blocks(c, type, blocks);
  for (u32 b = 0; b < blocks.count; ++b) visit(blocks.scalar[b], blocks.cells[b]);
}
HD_COLD u32 count_blocks(const Columns& c, TypeId type) {
  Blocks blocks;
  find_blocks(c, type, blocks);
  return blocks.count;
}
// Calls visit(scalar) for each cell.
template <class Visit>
HD void for_each_cell(const Columns& c, TypeId type, Visit visit) {
  for_each_block(c, type, [&](Scalar scalar, u32 count) {
    for (u32 k = 0; k < count; ++k) visit(scalar);
  });
}

// A value of more cells is moved as a whole.
inline constexpr u32 kBulkCells = 16;

// The number of cells that a value of a type takes.
HD_COLD u32 tuple_cells(const Columns& c, TypeId type) {
  u32 cells = 0;
  for_each_block(c, type, [&](Scalar, u32 count) { cells += count; });
  return cells;
}
HD u32 type_cells(const Columns& c, TypeId type) {
  if (is_scalar(type) || is_literal(type)) return 1;
  return is_tuple(type) ? tuple_cells(c, type) : 0;
}
inline constexpr u32 kMaxValueCells = 8192;
// True if values of the type may exist.
HD_COLD bool is_small(const Columns& c, TypeId type) {
  return spell(c, type).fits() && type_cells(c, type) <= kMaxValueCells;
}
// True if values of the type are moved as a whole and not cell by cell.
HD_COLD bool is_bulk(const Columns& c, TypeId type) {
  if (!is_tuple(type)) return false;
  const Spelling s = spell(c, type);
  return s.has_containers || type_cells(c, type) > kBulkCells;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
