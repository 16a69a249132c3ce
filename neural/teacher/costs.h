// SPDX-License-Identifier: Apache-2.0
// What code costs, as the teacher counts it: tenths of a sum of i64 on the batch machine (costs.def). The arms of an `if`
// both count, as lanes take either.
#pragma once
#include <bit>

#include "lang/code.h"

namespace komuz::neural {

enum class OtherCost : u32 {
#define OTHER(What, tenths) What = tenths,
#define COST(...)
#define BY_POWER(...)
#define FROM(...)
#include "neural/teacher/costs.def"
};

[[nodiscard]] constexpr u32 cost_of(OtherCost what) { return static_cast<u32>(what); }

// A division of integers by a constant that is a power of two.
[[nodiscard]] constexpr bool is_division_by_power(Instruction i, u64 divisor) {
  const bool divides = i.op == Op::Div || i.op == Op::Rem || i.op == Op::DivFloor ||
                       i.op == Op::ModFloor || i.op == Op::Div0;
  return divides && is_integer(i.type) && std::has_single_bit(divisor);
}

// What an operation costs, its instruction included. `second`: the constant that is its second operand, or null.
[[nodiscard]] u32 cost_of_operation(Instruction i, const u64* second);

// What the instructions of a function of checked code cost, each counted once.
[[nodiscard]] u64 cost_of_code(const CodeView& code, u32 function);

}  // namespace komuz::neural
