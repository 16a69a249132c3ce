// SPDX-License-Identifier: Apache-2.0
// Decimal numbers, and the floats nearest to them.
#pragma once
#include "lang/types.h"

namespace komuz::engine {

// ± digits · 10^exponent. Zero has no sign.
struct DecimalNumber {
  bool is_negative = false;
  u64 digits = 0;
  i32 exponent = 0;
};

// The decimal with the fewest digits that reads back to the cell, as people write it; for a finite float.
[[nodiscard]] DecimalNumber shortest_decimal(Scalar type, u64 cell);
// The cell of the nearest float of the type, ties to even. The float is no infinity.
[[nodiscard]] u64 nearest_cell(Scalar type, const DecimalNumber& number);

// The range of a float type: the bits of its significands; its smallest normal number is 2^min_exponent.
struct FloatRange {
  i32 bits = 0, min_exponent = 0;

  // The exponent of the unit in the last place of a number from 2^binade to 2^(binade + 1).
  [[nodiscard]] i32 last_place(i32 binade) const {
    return (binade < min_exponent ? min_exponent : binade) - (bits - 1);
  }
};
[[nodiscard]] FloatRange float_range(Scalar type);

// The largest n with 10^n ≤ 2^binade, for numbers in the range of floats and their parts.
[[nodiscard]] constexpr i32 decimal_exponent(i32 binade) {
  return static_cast<i32>((i64{binade} * 1'292'913'986) >> 32);  // log10(2) in 32 bits
}

}  // namespace komuz::engine
