// SPDX-License-Identifier: Apache-2.0
// Misspelt keywords, recognised by what stands behind them.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `lett x = 3`, `retrun x`. Takes the token behind the word; false: no keyword is near, or it would not fit what
// follows.
[[nodiscard]] bool refine_keyword(const Columns& c, Index t, Diagnostic& row);

// `If (n > 3) {`, `vra (a, b) = t`: takes the parenthesis. `fro (i, x) in xs {`: takes the `in`.
[[nodiscard]] bool refine_keyword_of_group(const Columns& c, Index t, Diagnostic& row);

// `retrun(n)`, `braek;`. Takes an unknown name; false: no keyword is as near. For a call or a difference there is
// an edit only if letters have changed places or are there twice, because any other word may be the name of
// something.
[[nodiscard]] bool refine_keyword_name(const Columns& c, Index t, Diagnostic& row);

// The number of letters in which a word differs from a keyword, capitals apart.
[[nodiscard]] size_t letters_from_keyword(std::string_view word, Token keyword);

}  // namespace komuz::frontend
