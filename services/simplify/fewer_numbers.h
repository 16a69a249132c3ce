// SPDX-License-Identifier: Apache-2.0
// A formula in, formulas with a number less each out, for fits, which find other numbers for them:
//
//   a factor goes with its `*` or `/`. What it was is multiplied into numbers near it, if there are such, so that all
//   values stay but for rounding: `a / (b + c * x)` becomes `(a / c) / (b / c + x)`
//   a summand with a number of its own goes with its `+` or `-`: `c` or `c * x`
//   `x` goes in `x / (x + c)`, which is `1 - c / (x + c)`: with a factor and a summand one has as much without it
//   `a - b / (x + c)` becomes `a * x / (x + c)`, which is the one that is 0 at 0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace komuz::services {

// Programs, simplified to rounding; some may be the same. None for a program that does not compile by itself.
[[nodiscard]] std::vector<std::string> with_fewer_numbers(std::string_view program);

}  // namespace komuz::services
