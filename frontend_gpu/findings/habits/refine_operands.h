// SPDX-License-Identifier: Apache-2.0
// Values of different types that stand together: operands, arguments of one function, what a variable starts with and what
// it is given later. Which of them is meant to have the other one's type.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// `x * n`, `o == 3`, `a == b` of a list and an array, of an operator; false: nothing is certain.
[[nodiscard]] bool refine_operands(const Columns& c, Index node, Diagnostic& row);
// `var s = 0; … s += x` of floats: the literal that the variable starts with, of what it is given; of other integers than
// `i64` the variable, which has to state its type.
[[nodiscard]] bool refine_start(const Columns& c, Index value, Diagnostic& row);
// `atan2(n, 1.0)`: the integer among the arguments, of the one that is a float.
[[nodiscard]] bool refine_argument(const Columns& c, Index argument, Diagnostic& row);
// `[0] * 10`, of the `*`
[[nodiscard]] bool refine_repeated(const Columns& c, Index node, Diagnostic& row);
// `xs.sort_by((a, b) => a.x - b.x)`, of the lambda's parameters or of a part of its body
[[nodiscard]] bool refine_sort(const Columns& c, Index node, Diagnostic& row);

// `Some(1).or(2.5)`: what the Option holds is meant as a float, too.
[[nodiscard]] bool refine_held_integer(const Columns& c, Index node, Diagnostic& row);

}  // namespace komuz::frontend
