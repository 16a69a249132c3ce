// SPDX-License-Identifier: Apache-2.0
// A line → its tokens, for all formats but LaTeX. Assignments (`y = …`) and heads of functions (`lambda x: …`, `@(x) …`) in front of a
// formula are left out.
#pragma once
#include "services/import/tokens.h"

namespace komuz::services {

struct TokenOptions {
  FormulaFormat format = FormulaFormat::Sympy;
  // Numbers have a comma in place of the point, and `;` parts arguments.
  bool has_decimal_comma = false;
};

// No tokens: the line is empty, or a comment.
[[nodiscard]] Result<FormulaTokens> read_tokens(const TokenOptions& options,
                                                const FormulaLine& line);

// Sets the operators that the text may be, where it stands; the length of what they are written with, or 0.
[[nodiscard]] size_t set_operators(FormulaFormat format, std::string_view text,
                                   FormulaToken& token);

// The bytes of the number at the start of the text, without a sign, by the format's rules; 0: there is none. `out` is the number as C
// writes it.
[[nodiscard]] size_t read_decimal(const TokenOptions& options, std::string_view text,
                                  std::string& out);

}  // namespace komuz::services
