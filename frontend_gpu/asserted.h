// SPDX-License-Identifier: Apache-2.0
// Lists the assertions of a program that compare values of several cells, so that both values can be shown where
// one fails.
#pragma once
#include <string>
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "lang/ops.h"

namespace komuz::frontend {

struct AssertedComparison {
  u32 place = 0;           // the assertion's position, a byte of the source
  Op op = Op::Eq;          // Eq or Ne
  std::string type_codes;  // the type of both operands
};
// `c` holds a program without errors. The list has, in order, each assertion whose condition compares records,
// sums, tuples, arrays or lists by `==` or `!=`. Where the condition is a chain of `&&`, its last part counts.
[[nodiscard]] std::vector<AssertedComparison> list_asserted(const Columns& c);

}  // namespace komuz::frontend
