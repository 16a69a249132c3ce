// SPDX-License-Identifier: Apache-2.0
// Type codes: types spelled as bytes, in prefix order. Two types are the same where their codes are, in one program or in
// two: the codes of records and sums have their names.
//
//   scalar  its number
//   tuple   kTupleCode, how many elements, the elements. `()` is the tuple of none
//   record  kRecordCode, how many fields, its name, the fields' names, the fields. A name is its length, a byte, and its text
//   sum     kSumCode, how many alternatives (at least 1), its name; for each alternative its name, how many fields, the
//           fields' names; then all fields, those of the first alternative first
//   Option  kOptionCode, the type that there may be one of
//   array   kArrayCode, how many elements (u16, little-endian), the element
//   list    kListCode, how many elements at most (u16), the element. `Bytes[n]` is a list of u8
//   slice   kSliceCode, the element. Only a tuple or a record may hold one
//
// Where the cells of a value lie is said in lang/layout.h.
#pragma once
#include <string>
#include <string_view>

#include "lang/layout.h"

namespace komuz {

inline constexpr u8 kTupleCode = 0x10;
inline constexpr u8 kRecordCode = 0x11;
inline constexpr u8 kSumCode = 0x12;
inline constexpr u8 kOptionCode = 0x13;
inline constexpr u8 kArrayCode = 0x14;
inline constexpr u8 kListCode = 0x15;
inline constexpr u8 kSliceCode = 0x16;
inline constexpr u32 kMaxTypeElements =
    255;  // of one tuple, record or alternative; alternatives of one sum
inline constexpr u32 kMaxTypeName =
    255;  // bytes of the name of a record, sum, alternative or field

// What stands before the elements of a type.
struct TypeHead {
  u8 code = 0;       // Scalar, kTupleCode, …; 0: what stands there is no type
  u32 elements = 0;  // how many types follow
  size_t names =
      0;  // of a record or sum: where its name starts; those of its fields or alternatives follow
  size_t end = 0;  // where the elements start
  u32 count = 0;   // elements of an array, or of a list at most; alternatives of a sum

  [[nodiscard]] bool is_scalar() const { return code != 0 && code < kTupleCode; }
  [[nodiscard]] Scalar scalar() const { return static_cast<Scalar>(code); }
};
[[nodiscard]] TypeHead read_compound_head(std::string_view codes, size_t at);
[[nodiscard]] inline TypeHead read_type_head(std::string_view codes, size_t at) {
  const u8 code = at < codes.size() ? static_cast<u8>(codes[at]) : u8{0};
  if (code != 0 && code < kScalarCount) return {code, 0, 0, at + 1, 0};
  return read_compound_head(codes, at);
}
// The name that starts at `at`, which moves behind it.
[[nodiscard]] inline std::string_view take_type_name(std::string_view codes, size_t& at) {
  const size_t length = static_cast<u8>(codes[at]);
  const std::string_view name = codes.substr(at + 1, length);
  at += 1 + length;
  return name;
}
// How many fields the alternative at `at` has, which moves to the fields' names. Its name is taken before.
[[nodiscard]] inline u32 take_field_count(std::string_view codes, size_t& at) {
  return static_cast<u8>(codes[at++]);
}
void append_type_name(std::string& codes, std::string_view name);

// The end of the type that starts at `at`; `codes.size() + 1` when the bytes end before the type does or are no type.
[[nodiscard]] size_t skip_type(std::string_view codes, size_t at);

// The layout of the type at `at`, which moves behind it: of one that is neither a scalar nor a tuple nor a record.
using BlockVisit = void (*)(void* to, LayoutBlock);
void walk_layout(std::string_view codes, size_t& at, BlockVisit visit, void* to);

// visit(LayoutBlock) for each block of the types, whose codes are sound, in order.
template <class Visit>
void for_each_block(std::string_view codes, Visit visit) {
  for (size_t at = 0; at < codes.size();) {
    const TypeHead head = read_type_head(codes, at);
    if (head.code > kRecordCode) {
      walk_layout(
          codes, at, [](void* to, LayoutBlock block) { (*static_cast<Visit*>(to))(block); },
          &visit);
      continue;
    }
    at = head.end;
    if (head.is_scalar()) visit(LayoutBlock{head.scalar(), 1});
  }
}
// visit(Scalar) for each cell of the types.
template <class Visit>
void for_each_cell(std::string_view codes, Visit visit) {
  for_each_block(codes, [&](LayoutBlock block) {
    for (u32 cell = 0; cell < block.cells; ++cell) visit(block.scalar);
  });
}
[[nodiscard]] size_t count_cells(std::string_view codes);

// How records and sums are written: Whole says what they are made of.
enum class RecordText : u8 { Whole, Name };
// "i64", "(f64, (bool, u8))", "Vec2(x: f64, y: f64)" or "Vec2", "Shape(Circle(c: Vec2, r: f64) | Empty)", "Option[i64]",
// "[f64; 3]", "List[f64, 32]", "Bytes[16]", "[f64]".
[[nodiscard]] std::string type_text(std::string_view codes, RecordText records = RecordText::Whole);

// The type of a cell: "f64", or "&f64" of a reference.
[[nodiscard]] std::string cell_type_text(Scalar type);

// Bytes as the columns of bytecode hold them.
[[nodiscard]] inline std::string_view as_codes(const u8* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace komuz
