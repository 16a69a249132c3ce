// SPDX-License-Identifier: Apache-2.0
// What a failed assertion compared: for people, who want to see the values.
#pragma once
#include <optional>

#include "vm/vm.h"

namespace komuz::vm {

// A comparison of scalars, and its operands as cells.
struct Comparison {
  Op op;
  Scalar type;
  u64 left, right;
};
// Of a job whose first case ends in ASSERT, which the reference runs again. None where the assertion is of something else.
[[nodiscard]] std::optional<Comparison> explain_assertion(const Job& job);

}  // namespace komuz::vm
