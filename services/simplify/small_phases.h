// SPDX-License-Identifier: Apache-2.0
// Sines and cosines of sums with a number, such as `cos(x + 45.432)`: the number without whole periods,
// `cos(x + 1.44970285…)`. For fits, which look for phases anywhere.
#pragma once
#include <string>
#include <string_view>

namespace komuz::services {

// The program with phases from -π to π; values change by rounding. Empty: it has no others, or does not compile by
// itself.
[[nodiscard]] std::string with_small_phases(std::string_view program);

}  // namespace komuz::services
