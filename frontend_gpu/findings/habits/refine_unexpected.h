// SPDX-License-Identifier: Apache-2.0
// What stands where the grammar has no place for it: heads without blocks, `let … else`, guards before an `else`,
// commas that separate nothing.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Takes any node that may not stand where it does.
void refine_unexpected(const Columns& c, Index node, Diagnostic& row);
// `if let` and `while let`; `else return 1` and `if c: return 1`; `a + if …`, where the fix puts the whole
// `if … { } else { }` into parentheses.
void refine_prefix(const Columns& c, Index node, Diagnostic& row);
// `if match x { … } && c { … }`: the `match` in the head needs parentheses. Takes the operator.
[[nodiscard]] bool refine_head_operand(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
