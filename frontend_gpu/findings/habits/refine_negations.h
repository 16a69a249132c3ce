// SPDX-License-Identifier: Apache-2.0
// The `not` of other languages.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `not a`, `not(a)`. Takes the word; false: it is another one.
[[nodiscard]] bool refine_not(const Columns& c, Index t, Diagnostic& row);
// `n not in xs`, `n !in xs`; false: it is something else.
[[nodiscard]] bool refine_not_in(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
