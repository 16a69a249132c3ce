// SPDX-License-Identifier: Apache-2.0
// The operations of op_eval.h on the cases of a lane.
#pragma once
#include "lang/ops/eval_cells.h"
#include "vm/cuda/warp_memory.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

template <Scalar>
struct ScalarType;
#define SCALAR(Name, spelling, T, bytes, cls) \
  template <>                                 \
  struct ScalarType<Scalar::Name> {           \
    using Type = T;                           \
  };
#include "lang/types.def"

// Cases that end in the first or the second trap of an operation. If both apply to a case, the first counts.
struct TrappedCases {
  CaseBits first = 0, second = 0;
  Trap first_trap = Trap::None, second_trap = Trap::None;
};

template <class R, class V, Trap first, Trap second>
HD void keep_case(CaseValues& out, TrappedCases& traps, u32 k,
                  const Evaluated<V, first, second>& result) {
  set_case_value(out, k, static_cast<R>(result.value));
  if constexpr (first != Trap::None) {
    traps.first |= (result.first ? 1u : 0u) << k;
    traps.first_trap = first;
  }
  if constexpr (second != Trap::None) {
    traps.second |= (result.second ? 1u : 0u) << k;
    traps.second_trap = second;
  }
}

// An operation of hot_operations.def.
template <Op op, OpForm form, Scalar type>
HD TrappedCases compute_cases(CaseValues& out, const CaseValues& left, const CaseValues& right) {
  using T = typename ScalarType<type>::Type;
  TrappedCases traps;
  for (u32 k = 0; k < kCasesPerLane; ++k) {
    const T a = case_value<T>(left, k);
    if constexpr (form == OpForm::Binary) {
      keep_case<T>(out, traps, k, evaluate_binary<op>(a, case_value<T>(right, k)));
    } else if constexpr (form == OpForm::Compare) {
      set_case_value(out, k, static_cast<u8>(evaluate_compare<op>(a, case_value<T>(right, k))));
    } else {
      static_assert(form == OpForm::Unary);
      if constexpr (type == Scalar::Bool)
        keep_case<T>(out, traps, k, evaluate_not_bool(a));
      else
        keep_case<T>(out, traps, k, evaluate_unary<op>(a));
    }
  }
  return traps;
}

// Any operation, on one case.
HD_COLD EvaluatedCell evaluate_case(WarpOpcode code, u64 x, u64 y, u64 z) {
  const u64 operands[] = {x, y, z};
  return eval_cells(operation_of(code), operands);
}

// Refer, PartOfReference and RestOfReference on one case. x and y are the left and the right operand; y of Refer is
// the address.
HD_COLD EvaluatedCell reference_case(WarpControl control, u64 x, u64 y, u64 z, u32 number) {
  if (control == WarpControl::Refer) return settle<u64>(evaluate_reference(x, number, y));
  if (control == WarpControl::PartOfReference) return settle<u64>(evaluate_part(x, y, z));
  return settle<u64>(evaluate_rest(y, x, number));
}

// FOR_NEXT on one case. False if the range is done.
template <class T>
HD bool step_range(T& next, T& bound, T& variable, bool is_inclusive) {
  const bool goes_on =
      is_inclusive ? evaluate_compare<Op::Le>(next, bound) : evaluate_compare<Op::Lt>(next, bound);
  if (!goes_on) return false;
  variable = next;
  const auto stepped = evaluate_binary<Op::Add>(next, T{1});
  // Stepping past the largest value would overflow, so the bound goes down instead.
  if (stepped.first)
    bound = evaluate_binary<Op::SubWrap>(bound, T{1}).value;
  else
    next = stepped.value;
  return true;
}

// A cell in the form that outcomes have (lang/cases.h).
HD u64 outcome_cell(Scalar type, const CaseValues& values, u32 k) {
  return canonical_cell(type, u64{values.high[k]} << 32 | values.low[k]);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
