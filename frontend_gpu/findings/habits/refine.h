// SPDX-License-Identifier: Apache-2.0
// From what is wrong to what was probably meant: named messages for habits of other languages, seen from the tokens
// around a diagnostic. Runs on the host, over rows alone, so it is the same for every group.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// `row` is the diagnostic of `node`; its arguments that are nodes become places in the source.
void refine(const Columns& c, Index node, Diagnostic& row);

// Is `row` only a consequence of `earlier`, the row before it?
[[nodiscard]] bool follows_from(const Columns& c, const Diagnostic& earlier, const Diagnostic& row);

}  // namespace komuz::frontend
