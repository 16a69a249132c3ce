// SPDX-License-Identifier: Apache-2.0
// Lines between items that are no code: what a language model says before and behind a program, and the fences of Markdown
// around it. What the passes make of the words on such a line is one finding. Where fences stand around all that is code, they
// take with them what is said around it.
#pragma once
#include <vector>

#include "frontend_gpu/findings/collect.h"

namespace komuz::frontend {

// Runs on the host over the findings of a program, which may be in any order.
void refine_prose(const Columns& c, std::vector<Finding>& findings);

}  // namespace komuz::frontend
