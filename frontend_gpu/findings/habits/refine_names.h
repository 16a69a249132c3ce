// SPDX-License-Identifier: Apache-2.0
// Unknown names, and calls of them: functions of other languages, functions of modules without their `use`,
// `range(n)`, conversions of values that are no numbers.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `math.lerp(x)` without its `use`, `std.math.lerp(x)`; false: it is something else.
[[nodiscard]] bool refine_module(const Columns& c, Index t, Diagnostic& row);
// `f(x)` and `x.f()` where there is no `f`.
void refine_callee(const Columns& c, Index node, Diagnostic& row);
// `f64.sqrt(x)`, `list.sorted(xs)`: a function before a dot. `count = 0`: a function that is assigned to.
void refine_function_value(const Columns& c, Index node, Diagnostic& row);
// `i64(color)`, `pow(n, 2)`, `sqrt(n)`: a call whose arguments have another type than the function takes.
void refine_argument_type(const Columns& c, Index node, Diagnostic& row);

}  // namespace komuz::frontend
