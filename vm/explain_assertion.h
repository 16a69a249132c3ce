// SPDX-License-Identifier: Apache-2.0
// What a failed assertion compared: for people, who want to see the values.
#pragma once
#include <optional>
#include <vector>

#include "vm/vm.h"

namespace komuz::vm {

// A comparison of scalars, and its operands as cells.
struct Comparison {
  Op op = Op::Eq;
  Scalar type = Scalar::None;  // None: of values of several cells, or nothing that compares
  u64 left = 0, right = 0;
  // Then: what lay below the condition and went with it. If `==` or `!=` gave that, these are the cells of its left operand and
  // those of its right one.
  std::vector<u64> cells = {};
};
// Of a job whose first case ends in ASSERT, which the reference runs again. None where the assertion is of something else.
[[nodiscard]] std::optional<Comparison> explain_assertion(const Job& job);

}  // namespace komuz::vm
