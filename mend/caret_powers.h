// SPDX-License-Identifier: Apache-2.0
// `2 ^ 10` and `10 ^ 9`, which are exclusive ors of numbers, and mostly meant as powers.
#pragma once
#include <string_view>
#include <vector>

#include "lang/diagnostics.h"

namespace komuz {

// A CaretOfNumbers of each that the text has outside of comments and literals. In a row of `^` bits are meant.
[[nodiscard]] std::vector<Diagnostic> powers_of_carets(std::string_view source);

}  // namespace komuz
