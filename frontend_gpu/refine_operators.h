// SPDX-License-Identifier: Apache-2.0
// Operators that do something else, or nothing, for values of their types: `^` and `%` of floats, `+` of lists, `a < b < c`.
#pragma once
#include "frontend_gpu/refine_text.h"

namespace komuz::frontend {

// Each is false where it has nothing to say.
// `y ^ 2` of a float, of the 2 or what stands before the `^`
[[nodiscard]] bool refine_power(const Columns& c, Index node, Diagnostic& row);
// `3 % 2.0`: a point behind the 3 would not mend it.
[[nodiscard]] bool refine_remainder(const Columns& c, Index node, Diagnostic& row);

// `a + b` of lists
void refine_sum(const Columns& c, Index node, Diagnostic& row);
// An operator that its operands' type does not have: `x ^ y`, `x % y`
void refine_operator(const Columns& c, Index node, Diagnostic& row);
// `a < b < c`, `a == b == true`: what stands between the two operators, for the fix
void refine_comparisons(const Columns& c, Index node, Diagnostic& row);

}  // namespace komuz::frontend
