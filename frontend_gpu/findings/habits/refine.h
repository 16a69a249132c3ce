// SPDX-License-Identifier: Apache-2.0
// Finds out from an error what was probably meant, and gives it a message of its own. It knows the habits of other
// languages, and sees them in the tokens around a diagnostic. It runs on the host, and reads rows alone, so the
// result is the same for every group.
//
// The other files refine_*.h each know some habits. The comment on a function shows the habit, and says which token
// or node of it the function takes.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// `row` is the diagnostic of `node`. Nodes among its arguments become positions in the source.
void refine(const Columns& c, Index node, Diagnostic& row);

// True if `row` is only a consequence of `earlier`, the row before it.
[[nodiscard]] bool follows_from(const Columns& c, const Diagnostic& earlier, const Diagnostic& row);

}  // namespace komuz::frontend
