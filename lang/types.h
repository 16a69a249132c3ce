// SPDX-License-Identifier: Apache-2.0
// Scalar types. Knows no passes and no values.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz {

enum class Scalar : u8 {
  None,
#define SCALAR(Name, spelling, Cpp, bytes, cls) Name,
#include "lang/types.def"
};
inline constexpr u32 kScalarCount = 9;  // None included

enum class ScalarClass : u8 { None, Bool, Signed, Unsigned, Float };

// Sets of scalar types, for the columns of ops.def and builtins.def.
using TypeSet = u16;
HD constexpr TypeSet type_bit(Scalar s) { return static_cast<TypeSet>(1u << static_cast<u8>(s)); }
namespace type_set {
inline constexpr TypeSet kNone = 0;
inline constexpr TypeSet kBool = type_bit(Scalar::Bool);
inline constexpr TypeSet kU8 = type_bit(Scalar::U8);
inline constexpr TypeSet kU64 = type_bit(Scalar::U64);
inline constexpr TypeSet kI64 = type_bit(Scalar::I64);
inline constexpr TypeSet kSigned = type_bit(Scalar::I32) | type_bit(Scalar::I64);
inline constexpr TypeSet kUnsigned =
    type_bit(Scalar::U8) | type_bit(Scalar::U32) | type_bit(Scalar::U64);
inline constexpr TypeSet kInt = kSigned | kUnsigned;
inline constexpr TypeSet kFloat = type_bit(Scalar::F32) | type_bit(Scalar::F64);
inline constexpr TypeSet kNumber = kInt | kFloat;
inline constexpr TypeSet kAny = kNumber | kBool;
}  // namespace type_set

// clang-format would join each #include to the macro before it.
// clang-format off
HD constexpr ScalarClass scalar_class(Scalar s) {
  switch (s) {
    case Scalar::None: return ScalarClass::None;
#define SCALAR(Name, spelling, Cpp, bytes, cls) \
  case Scalar::Name: return ScalarClass::cls;
#include "lang/types.def"
  }
  return ScalarClass::None;
}
// Bytes of one value in a column of cases.
HD constexpr u32 scalar_bytes(Scalar s) {
  switch (s) {
    case Scalar::None: return 0;
#define SCALAR(Name, spelling, Cpp, bytes, cls) \
  case Scalar::Name: return bytes;
#include "lang/types.def"
  }
  return 0;
}
constexpr std::string_view scalar_name(Scalar s) {
  switch (s) {
    case Scalar::None: return "none";
#define SCALAR(Name, spelling, Cpp, bytes, cls) \
  case Scalar::Name: return spelling;
#include "lang/types.def"
  }
  return "none";
}
// clang-format on
HD constexpr bool is_float(Scalar s) { return scalar_class(s) == ScalarClass::Float; }
// For a signed integer type the unsigned one of its size; every other type is returned unchanged.
HD constexpr Scalar unsigned_partner(Scalar s) {
  return s == Scalar::I32 ? Scalar::U32 : s == Scalar::I64 ? Scalar::U64 : s;
}
HD constexpr bool is_signed(Scalar s) { return scalar_class(s) == ScalarClass::Signed; }
HD constexpr bool is_integer(Scalar s) {
  return scalar_class(s) == ScalarClass::Signed || scalar_class(s) == ScalarClass::Unsigned;
}
HD constexpr u32 scalar_bits(Scalar s) { return scalar_bytes(s) * 8; }

}  // namespace komuz
