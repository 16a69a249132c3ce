// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a stack that is too large go: a note on each function of the chain of calls that needs the most, and on
// a variable that takes a large part of one; and how large a bound of recursion may be.
#pragma once
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "lang/code.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// Of checked code and the columns that it was made of; adds to diagnostics in the order of the source.
void note_stack(const CodeView& code, const Columns& c, u32 limit,
                std::vector<Diagnostic>& diagnostics);

}  // namespace komuz::frontend
