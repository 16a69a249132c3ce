// SPDX-License-Identifier: Apache-2.0
// Where a formula divides by what is 0 between the values that it has been seen for: there it has a pole, which rows of data seldom hit.
#pragma once
#include <span>
#include <vector>

#include "lang/code.h"

namespace komuz::engine {

// The divisions of `function`, a straight line of operations whose parameters are f64, whose divisor is below 0 at some points and above
// 0 at others, or 0 at all: bytes of the source where they stand, in the order of the code, each once. `points`: a column for each
// parameter. Nothing for other code.
[[nodiscard]] std::vector<u32> find_poles(const CodeView& code, u32 function,
                                          std::span<const std::vector<f64>> points);

}  // namespace komuz::engine
