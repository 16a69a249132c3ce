// SPDX-License-Identifier: Apache-2.0
// Warns of code that is correct, but mostly means something else in the language it comes from: `a // b`, whose
// operand is a comment, and `2 ^ 10`, which is 8. Also warns of tests with the same name.
#pragma once
#include <string_view>
#include <vector>

#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

// Adds warnings for the program's own text, which ends at byte `end`: as many as there may be errors. `c`: what the
// passes left of it.
void note_suspicions(const Columns& c, u32 end, std::vector<Diagnostic>& out);
// Explains brackets whose counterpart stands in such a comment.
void refine_commented(const Columns& c, std::vector<Finding>& findings);

}  // namespace komuz::frontend
