// SPDX-License-Identifier: Apache-2.0
// Words of other languages, recognised by the tokens around them: declarations, `as`, imports, macros.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `m + 1 where m = n`. Takes the `where`.
void refine_where(const Columns& c, Index t, Diagnostic& row);
// Two operands without an operator between them.
void refine_neighbours(const Columns& c, Index t, Diagnostic& row);
// `when (n) { in 1..5 -> a }`. Takes what stands in the braces.
[[nodiscard]] bool refine_cases(const Columns& c, Index t, Diagnostic& row);
// `static_cast<int>(x)`. Takes a token in its angles.
[[nodiscard]] bool refine_template_cast(const Columns& c, Index t, Diagnostic& row);

// True for a type of this language or of another one.
[[nodiscard]] bool is_type_word(std::string_view word);
// True for a word with a row in aliases.def that stands between operands, or starts an item.
[[nodiscard]] bool is_item_or_operator(std::string_view word);

}  // namespace komuz::frontend
