// SPDX-License-Identifier: Apache-2.0
// Signs of other languages: what is no character of this one, `/*`, `x++`, `*x`, and two signs that are one elsewhere.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// A token that is no part of the language
void refine_character(const Columns& c, Index t, Diagnostic& row);

// Each is false where it has nothing to say.
// `/*` and `*/`
[[nodiscard]] bool refine_comment(const Columns& c, Index t, Diagnostic& row);
// Two tokens that touch and are one in another language: `<>`, `...`
[[nodiscard]] bool refine_joined(const Columns& c, Index t, Diagnostic& row);
// `x++`, `--x`
[[nodiscard]] bool refine_sign(const Columns& c, Index t, Diagnostic& row);
// `*x`, `for &x in xs`, of the mark
[[nodiscard]] bool refine_reference(const Columns& c, Index t, Diagnostic& row);

// Is the token a part of what someone meant as one name?
[[nodiscard]] bool is_name_part(const Columns& c, i64 t);

}  // namespace komuz::frontend
