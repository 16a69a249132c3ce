// SPDX-License-Identifier: Apache-2.0
// The numbers of a formula: where they stand in its program.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::services {

// A number with a fraction. Exponents of `**` that are integers are structure, not numbers.
struct FormulaNumber {
  u32 begin = 0, end = 0;    // bytes of the program
  bool is_negative = false;  // a sign stands before it, and is not part of it
  f64 value = 0;
};
// In the order of the text.
[[nodiscard]] std::vector<FormulaNumber> numbers_of(std::string_view program);
// The program with other values in the places of its numbers; as many as it has.
[[nodiscard]] std::string with_numbers(std::string_view program,
                                       std::span<const FormulaNumber> numbers,
                                       std::span<const f64> values);

}  // namespace komuz::services
