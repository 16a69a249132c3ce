// SPDX-License-Identifier: Apache-2.0
// Refinements that look at the tokens around a place: words, signs and constructs of other languages.
#pragma once
#include "frontend_gpu/refine_text.h"

namespace komuz::frontend {

// Two operands without an operator between them.
void refine_neighbours(const Columns& c, Index t, Diagnostic& row);
// A token that is no part of the language.
void refine_character(const Columns& c, Index t, Diagnostic& row);

// Each is false where it has nothing to say.
// `/*` and `*/`
[[nodiscard]] bool refine_comment(const Columns& c, Index t, Diagnostic& row);
// `a::b`
[[nodiscard]] bool refine_path(const Columns& c, Index t, Diagnostic& row);
// `Shape.Circle`
[[nodiscard]] bool refine_variant(const Columns& c, Index t, Diagnostic& row);
// Two tokens that touch and are one in another language: `<>`, `...`
[[nodiscard]] bool refine_joined(const Columns& c, Index t, Diagnostic& row);
// `x++`, `--x`
[[nodiscard]] bool refine_sign(const Columns& c, Index t, Diagnostic& row);

// `*x`, `for &x in xs`, of the mark
[[nodiscard]] bool refine_reference(const Columns& c, Index t, Diagnostic& row);
// `n not in xs`
[[nodiscard]] bool refine_not_in(const Columns& c, Index t, Diagnostic& row);

// Is it a type, of this language or of another one?
[[nodiscard]] bool is_type_word(std::string_view word);

// The statement that starts with a token, as far as it stands on that line, is what the word `head` runs.
void put_into_braces(const Columns& c, Index head, Index first, Diagnostic& row);

// Is it a word with a row in aliases.def that stands between operands, or starts an item?
[[nodiscard]] bool is_item_or_operator(std::string_view word);

}  // namespace komuz::frontend
