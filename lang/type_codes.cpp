// SPDX-License-Identifier: Apache-2.0
#include "lang/type_codes.h"

#include <vector>

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

}  // namespace

TypeHead read_compound_head(std::string_view codes, size_t at) {
  if (at >= codes.size()) return {};
  TypeHead head;
  head.code = static_cast<u8>(codes[at]);
  head.end = at + 1;
  if ((head.code != kTupleCode && head.code != kRecordCode) || head.end >= codes.size()) return {};
  head.elements = static_cast<u8>(codes[head.end++]);
  if (head.code == kTupleCode) return head;
  head.names = head.end;
  for (u32 name = 0; name <= head.elements; ++name) {
    head.end = skip_name(codes, head.end);
    if (head.end == 0) return {};
  }
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
    owed += head.elements;
    at = head.end;
  }
  return at;
}

size_t count_cells(std::string_view codes) {
  size_t cells = 0;
  for_each_cell(codes, [&](Scalar) { ++cells; });
  return cells;
}

std::string type_text(std::string_view codes, RecordText records) {
  if (skip_type(codes, 0) != codes.size()) return "?";
  struct OpenType {
    u32 elements, left;
    bool is_record;
    size_t names;  // of a record: where the name of its next field starts
  };
  std::vector<OpenType> open;
  std::string text;
  const auto name_field = [&] {
    if (!open.empty() && open.back().is_record && open.back().left != 0)
      (text += take_type_name(codes, open.back().names)) += ": ";
  };
  for (size_t at = 0; at < codes.size();) {
    TypeHead head = read_type_head(codes, at);
    at = head.end;
    if (head.is_scalar()) {
      text += scalar_name(head.scalar());
    } else if (head.code == kRecordCode) {
      text += take_type_name(codes, head.names);
    }
    if (head.code == kRecordCode && records == RecordText::Name) {
      for (u32 field = 0; field < head.elements; ++field) at = skip_type(codes, at);
    } else if (!head.is_scalar()) {
      text += '(';
      open.push_back({head.elements, head.elements, head.code == kRecordCode, head.names});
      name_field();
      if (head.elements != 0) continue;
    }
    // What is complete is an element of what is open around it.
    while (!open.empty()) {
      OpenType& outer = open.back();
      if (outer.left != 0) --outer.left;
      if (outer.left != 0) {
        text += ", ";
        name_field();
        break;
      }
      text += outer.elements == 1 && !outer.is_record ? ",)" : ")";
      open.pop_back();
    }
  }
  return text;
}

}  // namespace komuz
