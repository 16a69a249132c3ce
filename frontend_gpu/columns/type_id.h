// SPDX-License-Identifier: Apache-2.0
// Types of nodes. A scalar type is its number. A type made of others is named by the node that spells it, in a type
// or in a value (type_form.h). So there is no table of types that would have to be shared or sorted.
#pragma once
#include "lang/types.h"

namespace komuz::frontend {

using TypeId = u32;

inline constexpr TypeId kTypePending = 0;  // not known yet
// 1 … 8: Scalar
inline constexpr TypeId kTypeIntLiteral = 9;     // takes the type of any number; i64 by itself
inline constexpr TypeId kTypeFloatLiteral = 10;  // takes any float type; f64 by itself
inline constexpr TypeId kTypeUnit = 11;
inline constexpr TypeId kTypeNever = 12;      // of `return`, `break`, `continue`: fits any type
inline constexpr TypeId kTypeError = 13;      // absorbs what follows from an error
inline constexpr TypeId kTypeList = 14;       // the values of a `,`
inline constexpr TypeId kTypeUnlike = 15;     // branches that only a statement may have
inline constexpr TypeId kTypeStatement = 16;  // as an expectation: a value is not used
inline constexpr TypeId kTypeInPlace = 17;    // as an expectation: only the value's place is used
inline constexpr TypeId kTypeTuple = 32;      // plus the node that spells it
// A flag of a tuple's type: the literals inside have settled. A name has only settled types, which do not depend on
// when they are read.
inline constexpr TypeId kTypeSettled = 0x8000'0000u;

HD constexpr TypeId type_of(Scalar s) { return static_cast<TypeId>(s); }
HD constexpr bool is_scalar(TypeId t) { return t - 1 < 8; }
HD constexpr Scalar as_scalar(TypeId t) { return static_cast<Scalar>(t); }
HD constexpr bool is_literal(TypeId t) { return t == kTypeIntLiteral || t == kTypeFloatLiteral; }
HD constexpr bool is_tuple(TypeId t) { return t >= kTypeTuple; }
HD constexpr bool is_any_tuple(TypeId t) { return is_tuple(t) || t == kTypeUnit; }  // also `()`
HD constexpr u32 tuple_node(TypeId t) { return (t & ~kTypeSettled) - kTypeTuple; }
HD constexpr bool is_value(TypeId t) { return t - 1 < 10 || is_tuple(t); }
// True if a literal of the first type takes the second type where that is expected. Beside a float literal, an
// integer literal is a float literal, too.
HD constexpr bool literal_takes(TypeId literal, TypeId type) {
  if (!is_literal(literal)) return false;
  if (!is_scalar(type)) return literal == kTypeIntLiteral && type == kTypeFloatLiteral;
  return is_float(as_scalar(type)) || (literal == kTypeIntLiteral && is_integer(as_scalar(type)));
}
// The type of a literal if nothing else decides it.
HD constexpr TypeId settled(TypeId t) {
  return t == kTypeIntLiteral     ? type_of(Scalar::I64)
         : t == kTypeFloatLiteral ? type_of(Scalar::F64)
         : is_tuple(t)            ? t | kTypeSettled
                                  : t;
}

}  // namespace komuz::frontend
