// SPDX-License-Identifier: Apache-2.0
// A formula in, formulas without one of its parts out, for fits, which find other numbers for them: an operand goes
// with its `+`, `-`, `*`, `/` or `**`, or a function goes and its argument stays. Numbers by themselves are for
// fewer_numbers.h, which keeps the values.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace komuz::services {

// Programs, simplified to rounding; some may be the same. None for a program that does not compile by itself.
[[nodiscard]] std::vector<std::string> with_fewer_parts(std::string_view program);

}  // namespace komuz::services
