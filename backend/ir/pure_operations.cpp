// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/pure_operations.h"

#include "backend/ir/function_once.h"
#include "backend/ir/ir_values.h"
#include "lang/ops/eval_cells.h"

namespace komuz::backend::ir {
namespace {

// Operands of one type; a bool comes as a byte.
template <Scalar type, class T>
Ir<T> operand(llvm::Value* code) {
  if constexpr (type == Scalar::Bool)
    return Ir<T>(converted(code, false, Type::I8, false));
  else
    return Ir<T>(code);
}

// The code of a result as a value of type Result.
template <class Result, bool is_bool = false, class E>
EvaluatedCode settled(const E& evaluated) {
  using From = Element<decltype(evaluated.value)>;
  llvm::Value* value = code_of(evaluated.value);
  if constexpr (is_bool)
    value = converted(value, false, Type::Bool, false);
  else if constexpr (!std::is_same_v<From, Result>)
    value = converted(value, std::is_signed_v<From>, type_of<Result>(), std::is_signed_v<Result>);
  return {value, evaluated.first.code, evaluated.second.code, E::kFirst, E::kSecond};
}
EvaluatedCode settled_mask(Ir<bool> mask) {
  return {code_of(mask), nullptr, nullptr, Trap::None, Trap::None};
}

template <Op op, Scalar type, class T>
EvaluatedCode shift(Scalar amount_type, llvm::Value* const* x) {
  switch (amount_type) {
    case Scalar::None: break;
#define SCALAR(Name, spelling, Amount, bytes, cls)                          \
  case Scalar::Name:                                                        \
    if constexpr (is_integer(Scalar::Name))                                 \
      return settled<T>(evaluate_shift<op>(Ir<T>(x[0]), Ir<Amount>(x[1]))); \
    break;
#include "lang/types.def"
  }
  return {};
}
template <Op op, class T>
EvaluatedCode convert_from(Scalar from, llvm::Value* x) {
  switch (from) {
    case Scalar::None: break;
#define SCALAR(Name, spelling, From, bytes, cls)                                      \
  case Scalar::Name:                                                                  \
    if constexpr (converts_from<op, T>(Scalar::Name))                                 \
      return settled<T>(evaluate_convert<op, Ir<T>>(operand<Scalar::Name, From>(x))); \
    break;
#include "lang/types.def"
  }
  return {};
}

// A function of floats as a function of the module.
template <Op op, class T>
EvaluatedCode function_of(llvm::Value* const* x) {
  constexpr u32 operands = operand_count(op_row(op).form);
  const auto body = [](llvm::Value* const* y) {
    if constexpr (operands == 1)
      return code_of(evaluate_unary<op>(Ir<T>(y[0])).value);
    else
      return code_of(evaluate_binary<op>(Ir<T>(y[0]), Ir<T>(y[1])).value);
  };
  return {call_once(op, type_of<T>(), operands, x, body)};
}

template <Op op, OpForm form, Scalar type, class T>
EvaluatedCode typed(Instruction i, llvm::Value* const* x) {
  const auto at = [x](u32 n) { return operand<type, T>(x[n]); };
  constexpr bool is_bool = type == Scalar::Bool;
  if constexpr (is_mathematical(op) && std::is_floating_point_v<T>) {
    return function_of<op, T>(x);
  } else if constexpr (form == OpForm::Unary) {
    if constexpr (is_bool)
      return settled<T, true>(evaluate_not_bool(at(0)));
    else
      return settled<T>(evaluate_unary<op>(at(0)));
  } else if constexpr (form == OpForm::Binary) {
    return settled<T, is_bool>(evaluate_binary<op>(at(0), at(1)));
  } else if constexpr (form == OpForm::Ternary) {
    return settled<T>(evaluate_ternary<op>(at(0), at(1), at(2)));
  } else if constexpr (form == OpForm::Shift) {
    return shift<op, type, T>(static_cast<Scalar>(i.a), x);
  } else if constexpr (form == OpForm::Compare) {
    return settled_mask(evaluate_compare<op>(at(0), at(1)));
  } else if constexpr (form == OpForm::Order) {
    return settled<i64>(evaluate_order(at(0), at(1)));
  } else if constexpr (form == OpForm::Predicate) {
    return settled_mask(evaluate_predicate<op>(at(0)));
  } else if constexpr (form == OpForm::Count) {
    return settled<i64>(evaluate_count<op>(at(0)));
  } else if constexpr (form == OpForm::Near) {
    return settled_mask(evaluate_near(at(0), at(1), at(2)));
  } else {
    static_assert(form == OpForm::Convert);
    return convert_from<op, T>(static_cast<Scalar>(i.a), x[0]);
  }
}

template <Op op, OpForm form, TypeSet types>
EvaluatedCode of_type(Instruction i, llvm::Value* const* x) {
  if constexpr (is_pure_form(form)) {
    switch (i.type) {
      case Scalar::None: break;
#define SCALAR(Name, spelling, T, bytes, cls)            \
  case Scalar::Name:                                     \
    if constexpr ((types & type_bit(Scalar::Name)) != 0) \
      return typed<op, form, Scalar::Name, T>(i, x);     \
    break;
#include "lang/types.def"
    }
  }
  return {};
}

}  // namespace

EvaluatedCode evaluate(Instruction i, llvm::Value* const* operands) {
  using namespace type_set;
  switch (i.op) {
// clang-format would join the #include to the macro.
// clang-format off
#define OP(Name, mnemonic, form, types, traps, meaning) \
  case Op::Name: return of_type<Op::Name, OpForm::form, types>(i, operands);
#include "lang/ops.def"
    // clang-format on
  }
  return {};
}

EvaluatedCode refer(llvm::Value* count, u64 slots) {
  return settled<u64>(evaluate_reference(Ir<u64>(count), slots, 0));
}
EvaluatedCode part_of(llvm::Value* whole, llvm::Value* low, llvm::Value* high) {
  return settled<u64>(evaluate_part(Ir<u64>(whole), Ir<u64>(low), Ir<u64>(high)));
}
EvaluatedCode rest_of(llvm::Value* whole, llvm::Value* offset, u64 least) {
  return settled<u64>(evaluate_rest(Ir<u64>(whole), Ir<u64>(offset), least));
}

}  // namespace komuz::backend::ir
