// SPDX-License-Identifier: Apache-2.0
// `2 ^ 10` and `10 ^ 9`, which are exclusive ors of numbers, and are mostly meant as powers.
#pragma once
#include <string_view>
#include <vector>

#include "lang/diagnostics.h"

namespace komuz {

// A CaretOfNumbers for each one outside of comments and literals. Several `^` in a row are taken for operations on
// bits.
[[nodiscard]] std::vector<Diagnostic> powers_of_carets(std::string_view source);

}  // namespace komuz
