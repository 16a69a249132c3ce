// SPDX-License-Identifier: Apache-2.0
// Numbers as charts write them, with the same bytes on any machine.
#pragma once
#include <span>
#include <string>

#include "base/ints.h"

namespace komuz::services {

// The shortest text that reads back as the number; `∞`, `−∞`, `NaN`.
[[nodiscard]] std::string shortest_text(f64 value);
// Rounded to six digits, for comparison by eye.
[[nodiscard]] std::string short_text(f64 value);
// A coordinate, rounded to a tenth: `12.3`, `12`. |value| < 10^6.
[[nodiscard]] std::string place_text(f64 value);

// multiple · 10^exponent.
struct Decimal {
  i64 multiple = 0;
  i32 exponent = 0;
};
// `1,500`, `0.25`, `2.5e12`: plain digits if `is_plain`, which is the same for all ticks of an axis.
[[nodiscard]] std::string decimal_text(Decimal value, bool is_plain);
[[nodiscard]] f64 decimal_value(Decimal value);
// `1,000`, `10⁻¹²`.
[[nodiscard]] std::string power_text(i32 exponent, bool is_plain);

// The largest k with 10^k <= value, which is positive and finite; exact.
[[nodiscard]] i32 floor_log10(f64 value);

}  // namespace komuz::services
