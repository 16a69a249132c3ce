// SPDX-License-Identifier: Apache-2.0
// What pure operations cost, from op_costs.def: whoever asks whether it pays to keep a value, or to share out work.
#pragma once
#include "lang/ops.h"

namespace komuz {

inline constexpr u32 kCostOfFunction = 6;

// In sums, as op_costs.def says. Of a pure operation.
[[nodiscard]] HD constexpr u32 op_cost(Op op, Scalar type) {
  if (is_mathematical(op)) return kCostOfFunction;
  // clang-format off
  switch (op) {
#define COST(Name, integers, floats) \
  case Op::Name:                     \
    return is_float(type) ? floats : integers;
#include "lang/op_costs.def"
    default: return 1;
  }
  // clang-format on
}

// True if the operation takes several times as long as a sum, so that it pays to keep its value.
[[nodiscard]] HD constexpr bool takes_long(Op op) {
#define COST(Name, integers, floats) op == Op::Name ||
  return
#include "lang/op_costs.def"
      is_mathematical(op);
}

}  // namespace komuz
