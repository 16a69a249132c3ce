// SPDX-License-Identifier: Apache-2.0
// Lines between items that are no code: what a language model says before and behind a program, and the fences of
// Markdown around it. All errors that passes find in the words of such a line become one finding. If fences stand
// around all code, their findings also cover what is said around the code.
#pragma once
#include <vector>

#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

// Runs on the host over the findings of a program, which may be in any order.
void refine_prose(const Columns& c, std::vector<Finding>& findings);

}  // namespace komuz::frontend
