// SPDX-License-Identifier: Apache-2.0
// Refinements of tuples without their parentheses: `return x, y`, `let a, b = t`, `for i, x in xs.enumerate()`.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Of a comma that nothing holds together. False: it is no tuple that is meant, or nobody can say of what.
[[nodiscard]] bool refine_tuple(const Columns& c, Index comma, Diagnostic& row);
// The outermost of the commas that a node is one of, or the node itself.
[[nodiscard]] Index whole_list(const Columns& c, Index node);

}  // namespace komuz::frontend
