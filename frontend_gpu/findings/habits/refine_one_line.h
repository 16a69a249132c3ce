// SPDX-License-Identifier: Apache-2.0
// What other languages choose and run on one line: `c ? a : b`, `if c return 1`.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `c ? a : b`, of the `?`; false: it is another one.
[[nodiscard]] bool refine_ternary(const Columns& c, Index t, Diagnostic& row);
// `if c return 1`, of the first token of what is run; false: no head stands before it.
[[nodiscard]] bool refine_bare_body(const Columns& c, Index t, Diagnostic& row);
// `if c: a else: b`, of any token of it: the first colon; false: it is no such line.
[[nodiscard]] bool refine_choice_line(const Columns& c, Index t, Diagnostic& row);
// The statement that starts with a token, as far as it stands on that line, is what the word `head` runs.
void put_into_braces(const Columns& c, Index head, Index first, Diagnostic& row);

}  // namespace komuz::frontend
