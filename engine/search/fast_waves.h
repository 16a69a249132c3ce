// SPDX-License-Identifier: Apache-2.0
// Sines, cosines and tangents that turn faster than the rows that they have been fitted to can show: of such waves one
// goes through any few rows.
#pragma once
#include <span>
#include <vector>

#include "lang/code.h"

namespace komuz::engine {

// True if some wave of `function` has fewer than four different arguments a period, in the mean over all that it takes
// on the rows. `points`: as for find_poles(); of every `share`-th row.
[[nodiscard]] bool has_fast_waves(const CodeView& code, u32 function,
                                  std::span<const std::vector<f64>> points, f64 share = 1);

}  // namespace komuz::engine
