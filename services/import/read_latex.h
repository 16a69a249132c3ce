// SPDX-License-Identifier: Apache-2.0
// A line of LaTeX → the tokens that other formats have: \frac{a}{b} as ((a)/(b)), \sin^{2}{x} as (sin(x)^(2)), cases as a Piecewise.
#pragma once
#include <functional>

#include "services/import/tokens.h"

namespace komuz::services {

// `is_input`: is a word of several letters one name? Else it may also be a product, and is refused.
[[nodiscard]] Result<FormulaTokens> read_latex(
    const FormulaLine& line, const std::function<bool(std::string_view name)>& is_input);

}  // namespace komuz::services
