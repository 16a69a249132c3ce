// SPDX-License-Identifier: Apache-2.0
// Items whose keyword is missing or has grown together with the name: `fne_n(m: f64) -> f64`, `constK = 2.0`,
// `pub f(x: f64) -> f64`.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Takes a token that starts no item, or before which an operator is missing; false: it is something else.
[[nodiscard]] bool refine_item_word(const Columns& c, Index t, Diagnostic& row);

// `const fn f(…)`, `pub async fn f(…)`, `public fn f(…)`. Takes any token of these words.
[[nodiscard]] bool refine_modifiers(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
