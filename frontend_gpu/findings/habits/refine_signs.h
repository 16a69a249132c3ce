// SPDX-License-Identifier: Apache-2.0
// Signs of other languages: unknown characters, `/*`, `x++`, `*x`, and pairs of signs that are one sign elsewhere.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Takes a token that is no part of the language.
void refine_character(const Columns& c, Index t, Diagnostic& row);

// Each of these returns false if it has nothing to say. This one handles `/*` and `*/`.
[[nodiscard]] bool refine_comment(const Columns& c, Index t, Diagnostic& row);
// Two tokens that touch and are one token in another language: `<>`, `...`
[[nodiscard]] bool refine_joined(const Columns& c, Index t, Diagnostic& row);
// `x++`, `--x`
[[nodiscard]] bool refine_sign(const Columns& c, Index t, Diagnostic& row);
// `*x`, `for &x in xs`. Takes the mark.
[[nodiscard]] bool refine_reference(const Columns& c, Index t, Diagnostic& row);

// True for a token that is part of a word which the author meant as one name.
[[nodiscard]] bool is_name_part(const Columns& c, i64 t);

}  // namespace komuz::frontend
