// SPDX-License-Identifier: Apache-2.0
// Numbers that a formula adds to what it gives: its intercept. In a formula whose units are sound they have the unit of
// the target, which its text does not show.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace komuz::services {

// As they are written, in the order of the text: those of the outermost sum, and of a sum that only numbers multiply or
// divide, as in `(x + 2.5) * 3.0`. `text`: of formula_text().
[[nodiscard]] std::vector<std::string> added_numbers(std::string_view text);

}  // namespace komuz::services
