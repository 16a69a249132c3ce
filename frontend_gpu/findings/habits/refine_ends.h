// SPDX-License-Identifier: Apache-2.0
// Operations that read an end of a list give an Option: `xs.last()`, `s.pop()` and the like, taken for the element.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `s.pop() + 1`, and `b + 1` behind `let b = s.pop();`, where no Option fits. The diagnostic then points at the
// call. Returns false if it has nothing to say.
[[nodiscard]] bool refine_end(const Columns& c, Index node, Diagnostic& row);

// True if refine_end may have something to say of a program. refine_end needs the program's tree with names and
// types; this needs only the columns from which messages are made.
[[nodiscard]] bool may_refine_ends(const Columns& c);

}  // namespace komuz::frontend
