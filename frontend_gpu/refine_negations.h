// SPDX-License-Identifier: Apache-2.0
// `not` of other languages.
#pragma once
#include "frontend_gpu/refine_text.h"

namespace komuz::frontend {

// `not a`, of the token behind the word: does `!` say the same? Of a number it is another one, and `not a == b` is `!(a == b)`.
[[nodiscard]] bool may_negate(const Columns& c, Index t);
// `n not in xs`, `n !in xs`; false: it is something else.
[[nodiscard]] bool refine_not_in(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
