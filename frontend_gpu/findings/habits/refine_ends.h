// SPDX-License-Identifier: Apache-2.0
// What reads an end of a list gives an Option: `xs.last()`, `s.pop()` and the like, taken for the element.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `s.pop() + 1`, and `b + 1` behind `let b = s.pop();`, of what does not take the Option: the call becomes the place
// that the row speaks of. False where it has nothing to say.
[[nodiscard]] bool refine_end(const Columns& c, Index node, Diagnostic& row);

// May it have something to say of a program? That takes its tree with names and types; this takes what messages are made of.
[[nodiscard]] bool may_refine_ends(const Columns& c);

}  // namespace komuz::frontend
