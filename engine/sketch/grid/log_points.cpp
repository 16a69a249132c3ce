// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid/log_points.h"

#include <bit>

namespace komuz::engine {

namespace {

constexpr u128 wide(u64 high, u64 low) { return u128{high} << 64 | low; }

constexpr i32 kLogBits = 112;
constexpr u128 kLog2Of10 = wide(0xD49A'784B'CD1B'8AFE, 0x492B'F6FF'4DAF'DB4C);  // · 2¹²⁶
constexpr u128 kLogOf2 = wide(0xB172'17F7'D1CF'79AB, 0xC9E3'B398'03F2'F6AF);    // · 2¹²⁸
constexpr u64 kLog10Of2 = 0x4D10'4D42'7DE7'FBCC;                                // · 2⁶⁴

struct Product {
  u128 high = 0, low = 0;
};
Product multiply(u128 a, u128 b) {
  const u64 a0 = static_cast<u64>(a), a1 = static_cast<u64>(a >> 64);
  const u64 b0 = static_cast<u64>(b), b1 = static_cast<u64>(b >> 64);
  const u128 low = u128{a0} * b0, left = u128{a1} * b0, right = u128{a0} * b1;
  const u128 middle = (low >> 64) + static_cast<u64>(left) + static_cast<u64>(right);
  return {u128{a1} * b1 + (left >> 64) + (right >> 64) + (middle >> 64),
          middle << 64 | static_cast<u64>(low)};
}

// n · log2(10) for an exponent n.
i128 log2_of_power_of_ten(i32 n) {
  constexpr i32 kDown = 126 - kLogBits;
  const i128 high = i128{static_cast<u64>(kLog2Of10 >> 64)} * n;
  const i128 low = i128{static_cast<u64>(kLog2Of10)} * n;
  return (high << (64 - kDown)) + (low >> kDown);
}

// A bit of the logarithm is 1 if the square of the number is 2 or more.
i128 log2_of(const DecimalNumber& number) {
  const i32 leading = std::countl_zero(number.digits);
  u128 x = u128{number.digits << leading} << 64;  // · 2¹²⁷, from 1 to 2
  i128 log = 63 - leading;
  for (i32 bit = 0; bit < kLogBits; ++bit) {
    const Product square = multiply(x, x);  // · 2²⁵⁴
    const bool is_two = square.high >> 127 != 0;
    x = is_two ? square.high : square.high << 1 | square.low >> 127;
    log = log * 2 + is_two;
  }
  return log + log2_of_power_of_ten(number.exponent);
}

// 2^fraction · 2¹²⁵ for a fraction below 1, by the series of exp for a sixteenth of it.
constexpr i32 kExpBits = 125;
constexpr i32 kTerms = 18;
constexpr auto kInverseFactorials = [] {
  std::array<u128, kTerms> out{u128{1} << kExpBits};
  for (size_t k = 1; k < out.size(); ++k) out[k] = out[k - 1] / k;
  return out;
}();
u128 exp2_of(u128 fraction) {
  const u128 x = multiply(fraction << (128 - kLogBits), kLogOf2).high >> 4;  // · 2¹²⁸
  u128 sum = kInverseFactorials.back();
  for (size_t k = kTerms - 1; k-- > 0;) sum = multiply(sum, x).high + kInverseFactorials[k];
  for (u32 k = 0; k < 4; ++k) {
    const Product square = multiply(sum, sum);
    sum = square.high << (128 - kExpBits) | square.low >> kExpBits;
  }
  return sum;
}

// 2^log in units, for numbers with 19 digits before the point.
ScaledValue scaled_exp2(i128 log) {
  const u128 mantissa = exp2_of(static_cast<u128>(log) & ((u128{1} << kLogBits) - 1));
  const i32 up = static_cast<i32>(log >> kLogBits) + 64 - kExpBits;
  return up >= 0 ? mantissa << up : mantissa >> -up;
}

}  // namespace

LogPoints::LogPoints(const LinearGrid& grid)
    : range_(float_range(grid.type)),
      parts_(grid.parts),
      low_(log2_of(grid.low)),
      difference_(log2_of(grid.high) - low_) {
  // A small step d in the logarithm is a step of d · log(2) of the point.
  const u128 size = static_cast<u128>(difference_ < 0 ? -difference_ : difference_);
  const u128 half = size / parts_ / 2;
  constexpr i32 kUp = 128 - kLogBits;
  half_step_ = half >> (128 - kUp) != 0 ? ~u128{0} : multiply(half << kUp, kLogOf2).high;
}

DecimalNumber LogPoints::at(u32 point) const {
  const i128 whole = difference_ / parts_, rest = difference_ % parts_;
  const i128 log = low_ + whole * point + rest * point / parts_;
  const i64 top = static_cast<i64>(log >> 64);
  const i32 exponent =
      static_cast<i32>((i128{top} * kLog10Of2) >> kLogBits) - static_cast<i32>(kScaledDigits - 1);
  const ScaledValue value = scaled_exp2(log - log2_of_power_of_ten(exponent));

  // A power of two may have come out a little too small.
  constexpr i128 kError = i128{1} << (kLogBits - 96);
  const i32 binade = static_cast<i32>((log + kError) >> kLogBits);
  ScaledValue tolerance = scaled_power_of_two(range_.last_place(binade) + 1, exponent);
  // Neighbours are dense only if their distance is far below a unit in the last place of the value's upper half.
  const ScaledValue half_step = multiply(value, half_step_).high, half_place = tolerance / 4;
  const ScaledValue reach = half_step > half_place ? half_step - half_place : 0;
  if (reach < tolerance) tolerance = reach;
  return {false, *shortest_within(value, tolerance, 0), exponent};
}

}  // namespace komuz::engine
