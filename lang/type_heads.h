// SPDX-License-Identifier: Apache-2.0
// Type codes: types spelled as bytes, in prefix order. Two types are the same exactly if their codes are, within one
// program or between two: the codes of records and sums include their names.
//
//   scalar  its number
//   tuple   kTupleCode, the number of elements, the elements. `()` is the tuple without elements
//   record  kRecordCode, the number of fields, its name, the fields' names, the fields. A name is its length, a byte,
//           and its text
//   sum     kSumCode, the number of alternatives (at least 1), its name; for each alternative its name, the number of
//           its fields, and their names; then all fields, those of the first alternative first
//   Option  kOptionCode, the type of the value that may be there
//   array   kArrayCode, the number of elements (u16, little-endian), the element
//   list    kListCode, the capacity (u16), the element. `Bytes[n]` is a list of u8
//   slice   kSliceCode, the element. Only a tuple or a record may hold one
//
// This header reads the part before a type's elements. type_walk.h walks over whole types.
#pragma once
#include <string_view>

#include "lang/types.h"

namespace komuz {

inline constexpr u8 kTupleCode = 0x10;
inline constexpr u8 kRecordCode = 0x11;
inline constexpr u8 kSumCode = 0x12;
inline constexpr u8 kOptionCode = 0x13;
inline constexpr u8 kArrayCode = 0x14;
inline constexpr u8 kListCode = 0x15;
inline constexpr u8 kSliceCode = 0x16;
inline constexpr u32 kMaxTypeElements =
    255;  // of one tuple, record or alternative; also alternatives of one sum
inline constexpr u32 kMaxTypeName =
    255;  // length of the name of a record, sum, alternative or field

// The part of a type before its elements.
struct TypeHead {
  u8 code = 0;       // Scalar, kTupleCode, …; 0: there is no type
  u32 elements = 0;  // number of types that follow
  size_t names =
      0;  // for a record or sum: the start of its name; those of its fields or alternatives follow
  size_t end = 0;  // where the elements start
  u32 count = 0;   // elements of an array; capacity of a list; alternatives of a sum

  [[nodiscard]] HD bool is_scalar() const { return code != 0 && code < kTupleCode; }
  [[nodiscard]] HD Scalar scalar() const { return static_cast<Scalar>(code); }
};

// Bytes in the form of the columns of bytecode.
[[nodiscard]] HD std::string_view as_codes(const u8* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}
// The bytes from `begin` to `end`, which lie in the codes.
[[nodiscard]] HD std::string_view codes_between(std::string_view codes, size_t begin, size_t end) {
  return {codes.data() + begin, end - begin};
}

// The name that starts at `at`, which moves behind it.
[[nodiscard]] HD std::string_view take_type_name(std::string_view codes, size_t& at) {
  const size_t begin = at + 1;
  at = begin + static_cast<u8>(codes[at]);
  return codes_between(codes, begin, at);
}
// The number of fields of the alternative at `at`, which moves to the fields' names. Its name has been taken before.
[[nodiscard]] HD u32 take_field_count(std::string_view codes, size_t& at) {
  return static_cast<u8>(codes[at++]);
}

namespace type_heads {

HD bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The end of the name that starts at `at`; 0 if there is none.
HD_COLD size_t skip_name(std::string_view codes, size_t at) {
  if (at >= codes.size()) return 0;
  const size_t length = static_cast<u8>(codes[at]), end = at + 1 + length;
  if (length == 0 || end > codes.size() || (codes[at + 1] >= '0' && codes[at + 1] <= '9')) return 0;
  for (size_t k = at + 1; k < end; ++k)
    if (!is_name_byte(codes[k])) return 0;
  return end;
}
// The same for so many names; 0 if one is missing.
HD_COLD size_t skip_names(std::string_view codes, size_t at, u32 count) {
  for (; count > 0 && at != 0; --count) at = skip_name(codes, at);
  return at;
}

// Reads the part behind the number of alternatives.
HD_COLD TypeHead read_sum_head(std::string_view codes, TypeHead head) {
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

HD_COLD TypeHead read_compound_head(std::string_view codes, size_t at) {
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

}  // namespace type_heads

[[nodiscard]] HD TypeHead read_type_head(std::string_view codes, size_t at) {
  const u8 code = at < codes.size() ? static_cast<u8>(codes[at]) : u8{0};
  if (code != 0 && code < kScalarCount) return {code, 0, 0, at + 1, 0};
  return type_heads::read_compound_head(codes, at);
}

}  // namespace komuz
