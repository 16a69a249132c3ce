// SPDX-License-Identifier: Apache-2.0
// Paths of other languages: `a::b`, `f::<T>(…)`, `Vec::new()`, `Shape.Circle`. Each function returns false if it
// has nothing to say.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `a::b`
[[nodiscard]] bool refine_path(const Columns& c, Index t, Diagnostic& row);
// `f::<T>(…)`. `last` is the `>`.
[[nodiscard]] bool refine_call_types(const Columns& c, i64 last, Diagnostic& row);
// `Shape.Circle`
[[nodiscard]] bool refine_variant(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
