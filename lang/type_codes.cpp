// SPDX-License-Identifier: Apache-2.0
#include "lang/type_codes.h"

#include <algorithm>
#include <array>

namespace komuz {

namespace {

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The end of the name that starts at `at`; 0 where there is none.
size_t skip_name(std::string_view codes, size_t at) {
  if (at >= codes.size()) return 0;
  const size_t length = static_cast<u8>(codes[at]), end = at + 1 + length;
  if (length == 0 || end > codes.size() || (codes[at + 1] >= '0' && codes[at + 1] <= '9')) return 0;
  for (size_t k = at + 1; k < end; ++k)
    if (!is_name_byte(codes[k])) return 0;
  return end;
}
// … of so many names; 0 where one is missing.
size_t skip_names(std::string_view codes, size_t at, u32 count) {
  for (; count > 0 && at != 0; --count) at = skip_name(codes, at);
  return at;
}

// What stands behind the number of alternatives.
TypeHead read_sum_head(std::string_view codes, TypeHead head) {
  head.count = static_cast<u8>(codes[head.end]);
  head.names = head.end + 1;
  head.end = skip_name(codes, head.names);
  for (u32 alternative = 0; alternative < head.count && head.end != 0; ++alternative) {
    head.end = skip_name(codes, head.end);
    if (head.end == 0 || head.end >= codes.size()) return {};
    const u32 fields = take_field_count(codes, head.end);
    head.elements += fields;
    head.end = skip_names(codes, head.end, fields);
  }
  return head.count == 0 || head.end == 0 ? TypeHead{} : head;
}

// A type that is walked: what is open, innermost last.
struct OpenType {
  u64 owed = 0;          // types that are to come; of a sum: of its current alternative
  bool is_sum = false;   // or an Option
  u32 alternatives = 0;  // that are to come
  size_t names = 0;      // where the next of them stands
};

// What a walk is for. To Check a type, an array of none counts as one of one, so that what it is
// made of is bounded, too.
enum class Walk : u8 { Check, Visit };

// Tells the layout what the type at `at` is made of, and moves `at` behind it. False: it is no
// type, nests too deep, or a
// Check found a slice.
template <class LayoutOf>
bool walk(std::string_view codes, size_t& at, LayoutOf& layout, Walk purpose) {
  const u32 least = purpose == Walk::Check ? 1 : 0;
  std::array<OpenType, kMaxTypeDepth + 1> open;
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
    switch (head.code) {
      case kArrayCode: layout.open_array(std::max(head.count, least)); break;
      case kListCode: layout.open_list(std::max(head.count, least)); break;
      case kSliceCode:
        if (purpose == Walk::Check) return false;
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

// The end of the type at `at`, which holds no slice; codes.size() + 1 where that is none.
size_t skip_value_type(std::string_view codes, size_t at) {
  u64 cells = 0;
  const auto count = [&](LayoutBlock block) { cells += block.cells; };
  Layout layout(count);
  return walk(codes, at, layout, Walk::Check) && cells <= kMaxTypeCells ? at : codes.size() + 1;
}

}  // namespace

TypeHead read_compound_head(std::string_view codes, size_t at) {
  if (at >= codes.size()) return {};
  TypeHead head;
  head.code = static_cast<u8>(codes[at]);
  head.end = at + 1;
  if (head.code < kTupleCode || head.code > kSliceCode || head.end >= codes.size()) return {};
  switch (head.code) {
    case kTupleCode: head.elements = static_cast<u8>(codes[head.end++]); return head;
    case kRecordCode:
      head.elements = static_cast<u8>(codes[head.end++]);
      head.names = head.end;
      head.end = skip_names(codes, head.names, head.elements + 1);
      return head.end == 0 ? TypeHead{} : head;
    case kSumCode: return read_sum_head(codes, head);
    case kArrayCode:
    case kListCode:
      if (head.end + 2 > codes.size()) return {};
      head.count = static_cast<u8>(codes[head.end]) | u32{static_cast<u8>(codes[head.end + 1])}
                                                          << 8;
      head.end += 2;
      break;
  }
  head.elements = 1;
  return head;
}

void append_type_name(std::string& codes, std::string_view name) {
  codes += static_cast<char>(name.size());
  codes += name;
}

size_t skip_type(std::string_view codes, size_t at) {
  // Prefix order needs no stack: elements stand next in line with whatever is still owed.
  for (u64 owed = 1; owed > 0; --owed) {
    const TypeHead head = read_type_head(codes, at);
    if (head.code == 0) return codes.size() + 1;
    if (head.code <= kRecordCode) {
      owed += head.elements;
      at = head.end;
      continue;
    }
    at = skip_value_type(codes, head.code == kSliceCode ? head.end : at);
    if (at > codes.size()) return at;
  }
  return at;
}

void walk_layout(std::string_view codes, size_t& at, BlockVisit visit, void* to) {
  const auto tell = [=](LayoutBlock block) { visit(to, block); };
  Layout layout(tell);
  if (!walk(codes, at, layout, Walk::Visit)) at = codes.size();
}

size_t count_cells(std::string_view codes) {
  size_t cells = 0;
  for_each_block(codes, [&](LayoutBlock block) { cells += block.cells; });
  return cells;
}

}  // namespace komuz
