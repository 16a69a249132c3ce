// SPDX-License-Identifier: Apache-2.0
// Items whose word is missing or stands in their name: `fne_n(m: f64) -> f64`, `constK = 2.0`, `pub f(x: f64) -> f64`.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Of a token that starts no item, or of one before which an operator is missing; false: it is something else.
[[nodiscard]] bool refine_item_word(const Columns& c, Index t, Diagnostic& row);

// `const fn f(…)`, `pub async fn f(…)`, `public fn f(…)`, of any token of these words
[[nodiscard]] bool refine_modifiers(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
