// SPDX-License-Identifier: Apache-2.0
// Notes where the bytes of a stack that is too large go: on each function of the chain of calls that needs the
// most, and on a variable that takes a large part of one. Also notes how large a bound of recursion may be.
#pragma once
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "lang/code.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// Takes checked code and the columns that it was made from. Adds its notes in the order of the source.
void note_stack(const CodeView& code, const Columns& c, u32 limit,
                std::vector<Diagnostic>& diagnostics);

}  // namespace komuz::frontend
