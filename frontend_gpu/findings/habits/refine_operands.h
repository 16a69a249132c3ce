// SPDX-License-Identifier: Apache-2.0
// Values of different types that stand together: operands, arguments of one function, the first and later values of
// a variable. Decides which of them is meant to have the other's type.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// `x * n`, `o == 3`, `a == b` of a list and an array. Takes an operator; false: nothing is certain.
[[nodiscard]] bool refine_operands(const Columns& c, Index node, Diagnostic& row);
// `var s = 0; … s += x`. Takes the later value. If it is a float, points at the literal with which the variable
// starts. If it is an integer other than `i64`, points at the variable, which has to state its type.
[[nodiscard]] bool refine_start(const Columns& c, Index value, Diagnostic& row);
// `atan2(n, 1.0)`. Takes an argument that is a float, and points at the integer among the arguments.
[[nodiscard]] bool refine_argument(const Columns& c, Index argument, Diagnostic& row);
// `[0] * 10`. Takes the `*`.
[[nodiscard]] bool refine_repeated(const Columns& c, Index node, Diagnostic& row);
// `xs.sort_by((a, b) => a.x - b.x)`. Takes the lambda's parameters or a part of its body.
[[nodiscard]] bool refine_sort(const Columns& c, Index node, Diagnostic& row);

// `Some(1).or(2.5)`: the Option is meant to hold a float, too.
[[nodiscard]] bool refine_held_integer(const Columns& c, Index node, Diagnostic& row);

}  // namespace komuz::frontend
