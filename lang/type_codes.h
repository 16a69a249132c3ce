// SPDX-License-Identifier: Apache-2.0
// Type codes: types spelled as bytes, in prefix order. Two types are the same where their codes are, in one program or in
// two: a record's codes have its name and those of its fields.
//
//   scalar  its number
//   tuple   kTupleCode, how many elements, the elements. `()` is the tuple of none
//   record  kRecordCode, how many fields, its name, the fields' names, the fields. A name is its length, a byte, and its text
//
// A value of a type is its scalars in order, a cell each.
#pragma once
#include <string>
#include <string_view>

#include "lang/types.h"

namespace komuz {

inline constexpr u8 kTupleCode = 0x10;
inline constexpr u8 kRecordCode = 0x11;
inline constexpr u32 kMaxTypeElements = 255;  // of one tuple or record
inline constexpr u32 kMaxTypeName = 255;      // bytes of the name of a record or field

// What stands before the elements of a type.
struct TypeHead {
  u8 code = 0;       // Scalar, kTupleCode or kRecordCode; 0: what stands there is no type
  u32 elements = 0;  // how many types follow
  size_t names = 0;  // of a record: where its name starts; those of its fields follow
  size_t end = 0;    // where the elements start

  [[nodiscard]] bool is_scalar() const { return code != 0 && code < kTupleCode; }
  [[nodiscard]] Scalar scalar() const { return static_cast<Scalar>(code); }
};
[[nodiscard]] TypeHead read_compound_head(std::string_view codes, size_t at);
[[nodiscard]] inline TypeHead read_type_head(std::string_view codes, size_t at) {
  const u8 code = at < codes.size() ? static_cast<u8>(codes[at]) : u8{0};
  if (code != 0 && code < kScalarCount) return {code, 0, 0, at + 1};
  return read_compound_head(codes, at);
}
// The name that starts at `at`, which moves behind it.
[[nodiscard]] inline std::string_view take_type_name(std::string_view codes, size_t& at) {
  const size_t length = static_cast<u8>(codes[at]);
  const std::string_view name = codes.substr(at + 1, length);
  at += 1 + length;
  return name;
}
void append_type_name(std::string& codes, std::string_view name);

// The end of the type that starts at `at`; `codes.size() + 1` when the bytes end before the type does or are no type.
[[nodiscard]] size_t skip_type(std::string_view codes, size_t at);

// visit(Scalar) for each cell of the types, whose codes are sound, in order.
template <class Visit>
void for_each_cell(std::string_view codes, Visit visit) {
  for (size_t at = 0; at < codes.size();) {
    const TypeHead head = read_type_head(codes, at);
    at = head.end;
    if (head.is_scalar()) visit(head.scalar());
  }
}
[[nodiscard]] size_t count_cells(std::string_view codes);

// How records are written: Whole says what they are made of.
enum class RecordText : u8 { Whole, Name };
// "i64", "(f64, (bool, u8))", "Vec2(x: f64, y: f64)" or "Vec2".
[[nodiscard]] std::string type_text(std::string_view codes, RecordText records = RecordText::Whole);

// Bytes as the columns of bytecode hold them.
[[nodiscard]] inline std::string_view as_codes(const u8* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace komuz
