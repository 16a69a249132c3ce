// SPDX-License-Identifier: Apache-2.0
// What means something here, and mostly something else where it comes from: `a // b`, whose operand is a comment, and
// `2 ^ 10`, which is 8. And tests of one name.
#pragma once
#include <string_view>
#include <vector>

#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

// Warnings, as many as there may be errors, of the program's own text, which ends at byte `end`. `c`: what the passes left of it.
void note_suspicions(const Columns& c, u32 end, std::vector<Diagnostic>& out);
// What is said of a bracket whose other one stands in such a comment.
void refine_commented(const Columns& c, std::vector<Finding>& findings);

}  // namespace komuz::frontend
