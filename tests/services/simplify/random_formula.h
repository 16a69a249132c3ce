// SPDX-License-Identifier: Apache-2.0
// Random formulas of x, y and a, as texts of Komuz.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace komuz::services {

// `forms`: what is written around operands, such as "($ + $)". Each `$` becomes a name, a number or what was made before.
inline std::string random_formula(u64 seed, std::span<const std::string_view> forms) {
  Random random(seed);
  std::vector<std::string> parts = {"x", "y", "a", "2.5", "0.1", "-3.0", "1e-3"};
  for (u64 count = 3 + random.next() % 9; count > 0; --count) {
    std::string made;
    for (const char c : forms[random.next() % forms.size()])
      made += c == '$' ? parts[random.next() % parts.size()] : std::string(1, c);
    parts.push_back(std::move(made));
  }
  return parts.back();
}
inline std::string random_program(u64 seed, std::span<const std::string_view> forms) {
  return "pub fn f(x: f64, y: f64, a: f64) -> f64 { " + random_formula(seed, forms) + " }\n";
}

}  // namespace komuz::services
