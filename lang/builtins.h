// SPDX-License-Identifier: Apache-2.0
// Built-in functions and constants as tables.
#pragma once
#include <string_view>

#include "lang/ops.h"

namespace komuz {

enum class BuiltinShape : u8 { Same, Predicate, ToI64, Shift, Convert, Wrap, Bits, FromBits };

struct BuiltinRow {
  std::string_view name;
  Op op;
  BuiltinShape shape;
  TypeSet types;
  std::string_view documentation;
};
namespace type_set_rows {
using namespace type_set;
inline constexpr BuiltinRow kBuiltins[] = {
#define BUILTIN(name, op, shape, types, documentation) \
  {#name, Op::op, BuiltinShape::shape, types, documentation},
#include "lang/builtins.def"
};
}  // namespace type_set_rows
using type_set_rows::kBuiltins;
inline constexpr u32 kBuiltinCount = sizeof(kBuiltins) / sizeof(kBuiltins[0]);

// Arguments that a function of this shape takes.
[[nodiscard]] u32 builtin_arity(const BuiltinRow& row);
// The scalar type that a Convert or Wrap builtin's name ends in; else None.
[[nodiscard]] Scalar builtin_target(std::string_view name);

// A constant: `bits` as a canonical cell of its type, for type None of f64.
struct ConstantRow {
  std::string_view name;
  Scalar type;
  u64 bits;
  std::string_view documentation;
};
inline constexpr u32 kConstantCount = 0
#define CONSTANT(name, type, value, documentation) +1
#include "lang/builtins.def"
    ;
[[nodiscard]] const ConstantRow& builtin_constant(u32 index);

inline constexpr std::string_view kLaterNames[] = {
#define LATER(name) #name,
#include "lang/builtins.def"
};
inline constexpr u32 kLaterCount = sizeof(kLaterNames) / sizeof(kLaterNames[0]);

}  // namespace komuz
