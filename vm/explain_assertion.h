// SPDX-License-Identifier: Apache-2.0
// The operands of a failed assertion, for people who want to see the values.
#pragma once
#include <optional>
#include <vector>

#include "vm/vm.h"

namespace komuz::vm {

// A comparison of scalars, with its operands as cells.
struct Comparison {
  Op op = Op::Eq;
  Scalar type = Scalar::None;  // None: values of several cells were compared, or nothing
  u64 left = 0, right = 0;
  // If the type is None: the cells below the condition that it was made from. If `==` or `!=` made the condition,
  // these are the cells of its left operand and those of its right one.
  std::vector<u64> cells = {};
};
// For a job whose first case ends in ASSERT: runs the reference again. None if the assertion does not compare.
[[nodiscard]] std::optional<Comparison> explain_assertion(const Job& job);

}  // namespace komuz::vm
