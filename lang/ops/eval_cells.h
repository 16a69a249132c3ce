// SPDX-License-Identifier: Apache-2.0
// One pure operation on cells, chosen at run time, for constant folding and the reference interpreter. A cell is 64
// bits: integers extended by their sign or by zero, bool as 0 or 1, f32 as its bits in the low half, a NaN as the
// canonical quiet NaN. Built from ops.def and types.def, so a new operation needs no change here.
#pragma once
#include "lang/code.h"
#include "lang/ops/op_eval.h"

namespace komuz {

struct EvaluatedCell {
  u64 value = 0;  // 0 if trapped
  Trap trap = Trap::None;
  bool operator==(const EvaluatedCell&) const = default;
};

inline namespace KOMUZ_ISA_NAMESPACE {

template <class T>
HD T value_of_cell(u64 cell) {
  if constexpr (std::is_same_v<T, f64>) {
    return bits_as<f64>(cell);
  } else if constexpr (std::is_same_v<T, f32>) {
    return bits_as<f32>(static_cast<u32>(cell));
  } else {
    return static_cast<T>(cell);
  }
}
template <class T>
HD u64 cell_of_value(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return canonical_bits(value);
  } else {
    return static_cast<u64>(static_cast<i64>(value));
  }
}

// A cell of the given type made canonical.
HD u64 canonical_cell(Scalar type, u64 cell) {
  switch (type) {
    case Scalar::None:
      break;
// clang-format off
#define SCALAR(Name, spelling, T, bytes, cls) \
  case Scalar::Name: return cell_of_value(value_of_cell<T>(cell));
// clang-format on
#include "lang/types.def"
  }
  return cell;
}

template <class Result, class E>
HD EvaluatedCell settle(const E& evaluated) {
  if (evaluated.first) return {0, E::kFirst};
  if (evaluated.second) return {0, E::kSecond};
  return {cell_of_value(static_cast<Result>(evaluated.value)), Trap::None};
}
HD EvaluatedCell settle_bool(bool value) { return {value ? u64{1} : u64{0}, Trap::None}; }

// True if the conversion `op` to T takes an operand of the type `from`.
template <Op op, class T>
HD constexpr bool converts_from(Scalar from) {
  if (op == Op::Convert) return from != Scalar::None;
  if (op == Op::Wrap) return is_integer(from);
  if (op == Op::Exact) return is_integer(from) || is_float(from);
  const bool wanted_class =
      op == Op::Bits ? is_float(from) : scalar_class(from) == ScalarClass::Unsigned;
  return wanted_class && scalar_bytes(from) == sizeof(T);
}

template <Op op, class T>
HD EvaluatedCell eval_convert_cell(Scalar from, u64 x) {
  switch (from) {
    case Scalar::None: break;
#define SCALAR(Name, spelling, From, bytes, cls)                         \
  case Scalar::Name:                                                     \
    if constexpr (converts_from<op, T>(Scalar::Name))                    \
      return settle<T>(evaluate_convert<op, T>(value_of_cell<From>(x))); \
    break;
#include "lang/types.def"
  }
  return {};
}

template <Op op, class T>
HD EvaluatedCell eval_shift_cells(Scalar amount_type, const u64* x) {
  switch (amount_type) {
    case Scalar::None: break;
#define SCALAR(Name, spelling, Amount, bytes, cls)                                               \
  case Scalar::Name:                                                                             \
    if constexpr (is_integer(Scalar::Name))                                                      \
      return settle<T>(evaluate_shift<op>(value_of_cell<T>(x[0]), value_of_cell<Amount>(x[1]))); \
    break;
#include "lang/types.def"
  }
  return {};
}

template <Op op, OpForm form, Scalar type, class T>
HD EvaluatedCell eval_typed_cells(Instruction instruction, const u64* x) {
  const T a = value_of_cell<T>(x[0]);
  if constexpr (form == OpForm::Unary) {
    if constexpr (type == Scalar::Bool)
      return settle<T>(evaluate_not_bool(a));
    else
      return settle<T>(evaluate_unary<op>(a));
  } else if constexpr (form == OpForm::Binary) {
    return settle<T>(evaluate_binary<op>(a, value_of_cell<T>(x[1])));
  } else if constexpr (form == OpForm::Ternary) {
    return settle<T>(evaluate_ternary<op>(a, value_of_cell<T>(x[1]), value_of_cell<T>(x[2])));
  } else if constexpr (form == OpForm::Shift) {
    return eval_shift_cells<op, T>(static_cast<Scalar>(instruction.a), x);
  } else if constexpr (form == OpForm::Compare) {
    return settle_bool(evaluate_compare<op>(a, value_of_cell<T>(x[1])));
  } else if constexpr (form == OpForm::Order) {
    return settle<i64>(evaluate_order(a, value_of_cell<T>(x[1])));
  } else if constexpr (form == OpForm::Predicate) {
    return settle_bool(evaluate_predicate<op>(a));
  } else if constexpr (form == OpForm::Count) {
    return settle<i64>(evaluate_count<op>(a));
  } else if constexpr (form == OpForm::Near) {
    return settle_bool(evaluate_near(a, value_of_cell<T>(x[1]), value_of_cell<T>(x[2])));
  } else {
    static_assert(form == OpForm::Convert);
    return eval_convert_cell<op, T>(static_cast<Scalar>(instruction.a), x[0]);
  }
}

template <Op op, OpForm form, TypeSet types>
HD EvaluatedCell eval_op_cells(Instruction instruction, const u64* x) {
  if constexpr (is_pure_form(form)) {
    switch (instruction.type) {
      case Scalar::None: break;
#define SCALAR(Name, spelling, T, bytes, cls)                             \
  case Scalar::Name:                                                      \
    if constexpr ((types & type_bit(Scalar::Name)) != 0)                  \
      return eval_typed_cells<op, form, Scalar::Name, T>(instruction, x); \
    break;
#include "lang/types.def"
    }
  }
  return {};
}

// The value of a pure operation (is_pure_form) of checked code on its operands, the deepest first. All operations are
// expanded at the call, so call it from one place only.
[[nodiscard]] HD EvaluatedCell eval_cells(Instruction instruction, const u64* operands) {
  using namespace type_set;
  switch (instruction.op) {
#define OP(Name, mnemonic, form, types, traps, meaning) \
  case Op::Name:                                        \
    return eval_op_cells<Op::Name, OpForm::form, types>(instruction, operands);
#include "lang/ops.def"
  }
  return {};
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
