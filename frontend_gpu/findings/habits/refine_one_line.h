// SPDX-License-Identifier: Apache-2.0
// Choices and statements on one line, as other languages write them: `c ? a : b`, `if c return 1`.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `c ? a : b`. Takes the `?`; false: it is another one.
[[nodiscard]] bool refine_ternary(const Columns& c, Index t, Diagnostic& row);
// `if c return 1`. Takes the first token of the statement that is run; false: no head stands before it.
[[nodiscard]] bool refine_bare_body(const Columns& c, Index t, Diagnostic& row);
// `if c: a else: b`. Takes any of its tokens and points at the first colon; false: it is no such line.
[[nodiscard]] bool refine_choice_line(const Columns& c, Index t, Diagnostic& row);
// The word `head` runs the statement that starts with token `first`, as far as the statement stands on that line.
void put_into_braces(const Columns& c, Index head, Index first, Diagnostic& row);

}  // namespace komuz::frontend
