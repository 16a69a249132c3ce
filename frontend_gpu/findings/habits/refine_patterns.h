// SPDX-License-Identifier: Apache-2.0
// Patterns and records with the braces of other languages: `Circle { r } => …`, `let P { x, y } = p`,
// `P { x: 1.0 }`.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Braces before an arrow or a `=`; false: there are none.
[[nodiscard]] bool refine_braces(const Columns& c, Index t, Diagnostic& row);
// `P { x: 1.0, y: 2.0 }`. The row keeps where the braces end.
void refine_record(const Columns& c, Index t, Diagnostic& row);
// A pattern whose guard starts on the next line: the row keeps where both stand. Also the arrow of another
// language.
void refine_arm(const Columns& c, Index pattern, Diagnostic& row);

// `Some(x)` for `xs.first()` and the like, which is an element. The row keeps the position of the name, for the
// edit.
void refine_element(const Columns& c, Index pattern, Diagnostic& row);

// `k @ 1..=5` in an arm. Takes the sign; false: it is something else.
[[nodiscard]] bool refine_bound(const Columns& c, Index t, Diagnostic& row);
// `10..`, `..=9` in an arm. Takes the dots.
[[nodiscard]] bool refine_open_range(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
