// SPDX-License-Identifier: Apache-2.0
// Tuples without their parentheses: `return x, y`, `let a, b = t`, `for i, x in xs.enumerate()`.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Takes a comma outside of any brackets. Returns false if no tuple is meant, or if its parts are not clear.
[[nodiscard]] bool refine_tuple(const Columns& c, Index comma, Diagnostic& row);
// The outermost comma of the chain to which a node belongs; the node itself if it belongs to none.
[[nodiscard]] Index whole_list(const Columns& c, Index node);

}  // namespace komuz::frontend
