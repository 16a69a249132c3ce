// SPDX-License-Identifier: Apache-2.0
// Keywords that are misspelt, seen from what stands behind them.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `lett x = 3`, `retrun x`, of the token behind the word; false: no keyword is near, or it would not fit what follows.
[[nodiscard]] bool refine_keyword(const Columns& c, Index t, Diagnostic& row);

// `If (n > 3) {`, `vra (a, b) = t`, of the parenthesis, and `fro (i, x) in xs {`, of the `in`
[[nodiscard]] bool refine_keyword_of_group(const Columns& c, Index t, Diagnostic& row);

// `retrun(n)`, `braek;`, of a name that nobody knows; false: no keyword is as near. A call or a difference has an edit only where
// letters have changed places or are there twice, as any other may be one of a name.
[[nodiscard]] bool refine_keyword_name(const Columns& c, Index t, Diagnostic& row);

// So many letters of a word are others than those of a keyword, capitals apart.
[[nodiscard]] size_t letters_from_keyword(std::string_view word, Token keyword);

}  // namespace komuz::frontend
