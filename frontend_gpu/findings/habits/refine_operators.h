// SPDX-License-Identifier: Apache-2.0
// Operators that do something else, or nothing, for values of their types: `^` and `%` of floats, `+` of lists,
// `a < b < c`.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `a + b` of lists.
void refine_sum(const Columns& c, Index node, Diagnostic& row);
// An operator that the type of its operands does not have: `x ^ y`, `x % y`.
void refine_operator(const Columns& c, Index node, Diagnostic& row);
// `a < b < c`, `a == b == true`. The row keeps what stands between the two operators, for the fix.
void refine_comparisons(const Columns& c, Index node, Diagnostic& row);

}  // namespace komuz::frontend
