// SPDX-License-Identifier: Apache-2.0
// Refinements of calls, fields and assignments: what the value before a `.` is, and what was probably meant by the name behind
// it. Each is false where it has nothing to say.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `xs.last().or(0)`, of the call
[[nodiscard]] bool refine_option_method(const Columns& c, Index call, Diagnostic& row);
// `s.upper()` of a Bytes, `xs.max().unwrap()`
[[nodiscard]] bool refine_method(const Columns& c, Index name, Diagnostic& row);
// `n.add(4)` of a number: one more than where the number starts
[[nodiscard]] bool refine_number_method(const Columns& c, Index name, Diagnostic& row);
// `xs.len`, `xs.length`, `xs.shape[0]`
[[nodiscard]] bool refine_field(const Columns& c, Index dot, Diagnostic& row);
// `x.f(a)` with too few or too many arguments
[[nodiscard]] bool refine_count(const Columns& c, Index call, Diagnostic& row);
// `total = 0` of a name that nobody declared
[[nodiscard]] bool refine_assigned(const Columns& c, Index name, Diagnostic& row);
// `s[0] == "a"`, and `"a"` where a `u8` is expected
[[nodiscard]] bool refine_string(const Columns& c, Index node, Diagnostic& row);
// `cmp(a, b)` of lists, of which the second has room for more: the first one is made as large.
[[nodiscard]] bool refine_compared(const Columns& c, Index node, Diagnostic& row);
// `let n = if c { 1 };`
[[nodiscard]] bool refine_unused(const Columns& c, Index node, Diagnostic& row);

// `xs.map(f).collect()` where a type says how many elements there may be, of the name
[[nodiscard]] bool refine_collect(const Columns& c, Index name, Diagnostic& row);

// What these say in their row, where there is more to say than what is wrong:
// a field of a sum: where its alternatives start
void refine_sum_field(const Columns& c, Diagnostic& row);
// `sqrt(n)` of an integer: the type of float that it takes, kNoEdit of more arguments than one
void refine_float_call(const Columns& c, Index call, Diagnostic& row);
// `return null`, `x == null`: that `None` is meant
void refine_null(const Columns& c, Index name, Diagnostic& row);
// what a `var` instead of the `let`, or before the body of the function, would let change
void refine_immutable(const Columns& c, Diagnostic& row);
// where the type is spelled that the chain has to have
void refine_chain_length(const Columns& c, Index call, Diagnostic& row);
// … that a slice has to have, and where it ends
void refine_slice_value(const Columns& c, Index node, Diagnostic& row);

}  // namespace komuz::frontend
