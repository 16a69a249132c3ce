// SPDX-License-Identifier: Apache-2.0
// Grids of numbers whose points are counted in another way than in this language.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Each of these returns false if it has nothing to say. `?k(1..=3)` where a float is expected: its points could be
// counted.
[[nodiscard]] bool refine_grid(const Columns& c, Index node, Diagnostic& row);
// `?k(0.0..1.0 by 0.1)`, `?k(0.0..1.0 steps: 8)`, `?k(0.0..1.0, step: 0.1)`. Takes the word.
[[nodiscard]] bool refine_grid_word(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
