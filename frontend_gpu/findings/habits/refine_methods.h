// SPDX-License-Identifier: Apache-2.0
// Calls, fields and assignments: what the value before a `.` is, and what was probably meant by the name behind it.
// Each function returns false if it has nothing to say.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `xs.last().or(0)`. Takes the call.
[[nodiscard]] bool refine_option_method(const Columns& c, Index call, Diagnostic& row);
// `s.upper()` of a Bytes, `xs.max().unwrap()`
[[nodiscard]] bool refine_method(const Columns& c, Index name, Diagnostic& row);
// `n.add(4)` of a number. The row keeps where the number starts, plus one.
[[nodiscard]] bool refine_number_method(const Columns& c, Index name, Diagnostic& row);
// `xs.len`, `xs.length`, `xs.shape[0]`
[[nodiscard]] bool refine_field(const Columns& c, Index dot, Diagnostic& row);
// `x.f(a)` with too few or too many arguments
[[nodiscard]] bool refine_count(const Columns& c, Index call, Diagnostic& row);
// `total = 0` with a name that nobody declared.
[[nodiscard]] bool refine_assigned(const Columns& c, Index name, Diagnostic& row);
// `s[0] == "a"`, and `"a"` where a `u8` is expected.
[[nodiscard]] bool refine_string(const Columns& c, Index node, Diagnostic& row);
// `cmp(a, b)` of lists where the second has room for more: the first one is to be made as large.
[[nodiscard]] bool refine_compared(const Columns& c, Index node, Diagnostic& row);
// `let n = if c { 1 };`
[[nodiscard]] bool refine_unused(const Columns& c, Index node, Diagnostic& row);

// `xs.map(f).collect()` where a type says how many elements there may be. Takes the name.
[[nodiscard]] bool refine_collect(const Columns& c, Index name, Diagnostic& row);

// The functions from here on complete a row that has more to say. A field of a sum: the row gets the place where
// the sum's alternatives start.
void refine_sum_field(const Columns& c, Diagnostic& row);
// `sqrt(n)` of an integer: the type of float that it takes; kNoEdit if there are several arguments.
void refine_float_call(const Columns& c, Index call, Diagnostic& row);
// `return null`, `x == null`: `None` is meant.
void refine_null(const Columns& c, Index name, Diagnostic& row);
// What may change if a `var` stands instead of the `let`, or before the body of the function.
void refine_immutable(const Columns& c, Diagnostic& row);
// Where the type is spelt that the chain must have.
void refine_chain_length(const Columns& c, Index call, Diagnostic& row);
// Where the type is spelt that a slice must have, and where the type ends.
void refine_slice_value(const Columns& c, Index node, Diagnostic& row);

}  // namespace komuz::frontend
