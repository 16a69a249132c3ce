// SPDX-License-Identifier: Apache-2.0
// What the assertions of a program compare, so that values of several cells can be shown where one fails.
#pragma once
#include <string>
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "lang/ops.h"

namespace komuz::frontend {

struct AssertedComparison {
  u32 place = 0;           // of the assertion, a byte of the source
  Op op = Op::Eq;          // or Ne
  std::string type_codes;  // of either operand
};
// Of the program that the columns are of, which has no errors: the assertions, in order, whose condition, or what stands
// behind its last `&&`, is `==` or `!=` of records, sums, tuples, arrays or lists.
[[nodiscard]] std::vector<AssertedComparison> list_asserted(const Columns& c);

}  // namespace komuz::frontend
