// SPDX-License-Identifier: Apache-2.0
// Built-in functions and constants as tables.
#pragma once
#include <bit>
#include <string_view>
#include <type_traits>

#include "lang/ops.h"

namespace komuz {

enum class BuiltinShape : u8 {
  Same,
  Predicate,
  ToI64,
  Shift,
  Convert,
  Wrap,
  Exact,
  Bits,
  FromBits
};

struct BuiltinRow {
  std::string_view name;
  Op op;
  BuiltinShape shape;
  TypeSet types;
  Scalar target;  // for Convert, Wrap and Exact: the type in the name; else None
  std::string_view documentation;
};

// A constant. `bits` is a canonical cell of its type, or of f64 for type None.
struct ConstantRow {
  std::string_view name;
  Scalar type;
  u64 bits;
  std::string_view documentation;
};

namespace builtin_rows {
using namespace type_set;

constexpr Scalar target_of(std::string_view name) {
  if (name.starts_with("wrap_")) name.remove_prefix(5);
  if (name.ends_with("_exact")) name.remove_suffix(6);
  for (u8 s = 1; s < kScalarCount; ++s)
    if (scalar_name(static_cast<Scalar>(s)) == name) return static_cast<Scalar>(s);
  return Scalar::None;
}
template <class T>
constexpr u64 constant_bits(T value) {
  if constexpr (std::is_same_v<T, f64>)
    return std::bit_cast<u64>(value);
  else
    return static_cast<u64>(value);
}

HD_TABLE BuiltinRow kBuiltins[] = {
#define BUILTIN(name, op, shape, types, documentation) \
  {#name, Op::op, BuiltinShape::shape, types, target_of(#name), documentation},
#include "lang/builtins.def"
};
HD_TABLE ConstantRow kConstants[] = {
#define CONSTANT(name, type, value, documentation) \
  {#name, Scalar::type, constant_bits(value), documentation},
#include "lang/builtins.def"
};
}  // namespace builtin_rows

using builtin_rows::kBuiltins;
inline constexpr u32 kBuiltinCount = sizeof(kBuiltins) / sizeof(kBuiltins[0]);
// The number of arguments that a built-in function takes.
[[nodiscard]] HD constexpr u32 builtin_arity(const BuiltinRow& row) {
  return operand_count(op_row(row.op).form);
}

// The type of its arguments, if only one type is allowed; else None.
[[nodiscard]] HD constexpr Scalar only_type(const BuiltinRow& row) {
  for (u8 s = 1; s < kScalarCount; ++s)
    if (row.types == type_bit(static_cast<Scalar>(s))) return static_cast<Scalar>(s);
  return Scalar::None;
}

inline constexpr u32 kConstantCount =
    sizeof(builtin_rows::kConstants) / sizeof(builtin_rows::kConstants[0]);
[[nodiscard]] HD constexpr const ConstantRow& builtin_constant(u32 index) {
  return builtin_rows::kConstants[index];
}

// Operations on Options and on elements of arrays, lists and slices.
enum class Collection : u8 {
#define COLLECTION(name, Operation, arguments, documentation) Operation,
#include "lang/builtins.def"
};
struct CollectionRow {
  std::string_view name;
  Collection operation;
  u8 arguments;  // with the one before the `.`
  std::string_view documentation;
};
// Operations of chains.
enum class ChainOp : u8 {
#define CHAIN(name, Operation, place, lambda, arguments, documentation) Operation,
#define CHAIN_FORM(name, Operation, place, lambda, arguments, documentation) Operation,
#include "lang/builtins.def"
};
enum class ChainPlace : u8 { Step, End };
struct ChainRow {
  std::string_view name;
  ChainOp operation;
  ChainPlace place;
  u8 lambda;     // parameters of the lambda that is the last argument; 0: it takes none
  u8 arguments;  // with the one before the `.`
  std::string_view documentation;
};
namespace builtin_rows {
HD_TABLE CollectionRow kCollections[] = {
#define COLLECTION(name, Operation, arguments, documentation) \
  {#name, Collection::Operation, arguments, documentation},
#include "lang/builtins.def"
};
HD_TABLE ChainRow kChains[] = {
#define CHAIN(name, Operation, place, lambda, arguments, documentation) \
  {#name, ChainOp::Operation, ChainPlace::place, lambda, arguments, documentation},
#define CHAIN_FORM CHAIN
#include "lang/builtins.def"
};
// clang-format off
inline constexpr u32 kChainFormCount = 0
#define CHAIN_FORM(...) + 1
#include "lang/builtins.def"
;
// clang-format on
}  // namespace builtin_rows
inline constexpr u32 kCollectionCount =
    sizeof(builtin_rows::kCollections) / sizeof(builtin_rows::kCollections[0]);
[[nodiscard]] HD constexpr const CollectionRow& collection_row(u32 index) {
  return builtin_rows::kCollections[index];
}
inline constexpr u32 kChainCount = sizeof(builtin_rows::kChains) / sizeof(builtin_rows::kChains[0]);
// The rows with names of their own, which come first.
inline constexpr u32 kNamedChains = kChainCount - builtin_rows::kChainFormCount;
[[nodiscard]] HD constexpr const ChainRow& chain_row(ChainOp operation) {
  return builtin_rows::kChains[static_cast<u32>(operation)];
}

}  // namespace komuz
