// SPDX-License-Identifier: Apache-2.0
// Walks over types: their ends, and their cells. For the host and for devices.
#pragma once
#include "lang/layout.h"
#include "lang/type_heads.h"

namespace komuz {

namespace type_walks {

// The open types of a walk, innermost last.
struct OpenType {
  u64 owed = 0;          // types still to come; for a sum: of its current alternative
  bool is_sum = false;   // or an Option
  u32 alternatives = 0;  // still to come
  size_t names = 0;      // place of the next one
};

// The purpose of a walk. When a type is checked, an array of 0 elements counts as one of 1, so that its element type
// is bounded, too.
enum class Walk : u8 { Check, Visit };

// Tells the layout the parts of the type at `at`, and moves `at` behind it. False: it is no type, nests too deep, or
// Check found a slice.
template <Walk purpose, class LayoutOf>
HD_COLD bool walk(std::string_view codes, size_t& at, LayoutOf& layout) {
  constexpr u32 kLeast = purpose == Walk::Check ? 1 : 0;
  OpenType open[kMaxTypeDepth + 1];
  u32 depth = 0;
  open[0].owed = 1;
  while (open[0].owed != 0 || depth != 0) {
    OpenType& of = open[depth];
    if (of.owed == 0) {
      if (of.is_sum) layout.end_alternative();
      if (of.alternatives != 0) {
        --of.alternatives;
        (void)take_type_name(codes, of.names);
        of.owed = take_field_count(codes, of.names);
        for (u64 field = 0; field < of.owed; ++field) (void)take_type_name(codes, of.names);
        continue;
      }
      if (of.is_sum)
        layout.close_sum();
      else
        layout.close();
      --depth;
      continue;
    }
    TypeHead head = read_type_head(codes, at);
    if (head.code == 0) return false;
    at = head.end;
    --of.owed;
    if (head.is_scalar()) {
      layout.add(head.scalar());
      continue;
    }
    if (head.code <= kRecordCode) {
      of.owed += head.elements;
      continue;
    }
    if (layout.is_full()) return false;
    OpenType& inside = open[++depth] = {.owed = 1};
    const u32 count = head.count > kLeast ? head.count : kLeast;
    switch (head.code) {
      case kArrayCode: layout.open_array(count); break;
      case kListCode: layout.open_list(count); break;
      case kSliceCode:
        if constexpr (purpose == Walk::Check) return false;
        layout.open_slice();
        break;
      case kOptionCode:
        layout.open_sum();
        layout.end_alternative();  // None
        inside.is_sum = true;
        break;
      case kSumCode: {
        layout.open_sum();
        (void)take_type_name(codes, head.names);
        inside = {.owed = 0, .is_sum = true, .alternatives = head.count, .names = head.names};
        break;
      }
    }
  }
  return true;
}

// The end of the type at `at`, which must not hold a slice; codes.size() + 1 if it is no such type.
HD_COLD size_t skip_value_type(std::string_view codes, size_t at) {
  u64 cells = 0;
  const auto count = [&](LayoutBlock block) { cells += block.cells; };
  Layout layout(count);
  return walk<Walk::Check>(codes, at, layout) && cells <= kMaxTypeCells ? at : codes.size() + 1;
}

// The blocks of the type at `at`, which moves behind it. The type is neither a scalar nor a tuple nor a record.
template <class Visit>
HD_COLD void walk_layout(std::string_view codes, size_t& at, Visit& visit) {
  const auto tell = [&visit](LayoutBlock block) { visit(block); };
  Layout layout(tell);
  if (!walk<Walk::Visit>(codes, at, layout)) at = codes.size();
}

}  // namespace type_walks

// The end of the type that starts at `at`; `codes.size() + 1` if the bytes end too early or are no type.
[[nodiscard]] HD_COLD size_t skip_type(std::string_view codes, size_t at) {
  // Prefix order needs no stack: elements join the line of types that are still owed.
  for (u64 owed = 1; owed > 0; --owed) {
    const TypeHead head = read_type_head(codes, at);
    if (head.code == 0) return codes.size() + 1;
    if (head.code <= kRecordCode) {
      owed += head.elements;
      at = head.end;
      continue;
    }
    at = type_walks::skip_value_type(codes, head.code == kSliceCode ? head.end : at);
    if (at > codes.size()) return at;
  }
  return at;
}

// Calls visit(LayoutBlock) for each block of the types, in order. The codes are sound.
template <class Visit>
HD_CALL void for_each_block(std::string_view codes, Visit visit) {
  for (size_t at = 0; at < codes.size();) {
    const TypeHead head = read_type_head(codes, at);
    if (head.code > kRecordCode) {
      type_walks::walk_layout(codes, at, visit);
      continue;
    }
    at = head.end;
    if (head.is_scalar()) visit(LayoutBlock{head.scalar(), 1});
  }
}
// Calls visit(Scalar) for each cell of the types.
template <class Visit>
HD_CALL void for_each_cell(std::string_view codes, Visit visit) {
  for_each_block(codes, [&](LayoutBlock block) {
    for (u32 cell = 0; cell < block.cells; ++cell) visit(block.scalar);
  });
}
[[nodiscard]] HD_COLD size_t count_cells(std::string_view codes) {
  size_t cells = 0;
  for_each_block(codes, [&](LayoutBlock block) { cells += block.cells; });
  return cells;
}

}  // namespace komuz
