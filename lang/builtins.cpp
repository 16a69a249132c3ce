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

u32 builtin_arity(const BuiltinRow& row) {
  switch (op_row(row.op).form) {
    case OpForm::Unary:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Convert: return 1;
    case OpForm::Binary:
    case OpForm::Shift:
    case OpForm::Compare:
    case OpForm::Order: return 2;
    case OpForm::Ternary:
    case OpForm::Near: return 3;
    case OpForm::Const:
    case OpForm::Load:
    case OpForm::Store:
    case OpForm::Project:
    case OpForm::Branch:
    case OpForm::Jump:
    case OpForm::ShortCircuit:
    case OpForm::Loop:
    case OpForm::BreakIf:
    case OpForm::ForNext:
    case OpForm::LoopExit:
    case OpForm::End:
    case OpForm::Slot:
    case OpForm::Plain:
    case OpForm::Call:
    case OpForm::Return:
    case OpForm::Assert:
    case OpForm::TrapNow: return 0;
  }
  return 0;
}

Scalar builtin_target(std::string_view name) {
  if (name.starts_with("wrap_")) name.remove_prefix(5);
  for (u8 s = 1; s < kScalarCount; ++s)
    if (scalar_name(static_cast<Scalar>(s)) == name) return static_cast<Scalar>(s);
  return Scalar::None;
}

const ConstantRow& builtin_constant(u32 index) { return kConstants[index]; }

}  // namespace komuz
