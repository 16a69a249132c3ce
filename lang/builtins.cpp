// SPDX-License-Identifier: Apache-2.0
#include "lang/builtins.h"

#include <bit>
#include <type_traits>

namespace komuz {

namespace {

template <class T>
constexpr u64 constant_bits(T value) {
  if constexpr (std::is_same_v<T, f64>) return std::bit_cast<u64>(value);
  return static_cast<u64>(value);
}

constexpr ConstantRow kConstants[] = {
#define CONSTANT(name, type, value, documentation) \
  {#name, Scalar::type, constant_bits(value), documentation},
#include "lang/builtins.def"
};

}  // namespace

u32 builtin_arity(const BuiltinRow& row) { return operand_count(op_row(row.op).form); }

Scalar builtin_target(std::string_view name) {
  if (name.starts_with("wrap_")) name.remove_prefix(5);
  for (u8 s = 1; s < kScalarCount; ++s)
    if (scalar_name(static_cast<Scalar>(s)) == name) return static_cast<Scalar>(s);
  return Scalar::None;
}

const ConstantRow& builtin_constant(u32 index) { return kConstants[index]; }

}  // namespace komuz
