// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid/linear_points.h"

#include <bit>

#include "frontend_gpu/text/decimal.h"

namespace komuz::engine {

namespace {

constexpr i32 kMostPower = 28;  // the parts of a number below 2³² take no more to have 19 digits
constexpr auto kPowersOfTen = [] {
  std::array<u128, kMostPower + 1> powers{1};
  for (size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1] * 10;
  return powers;
}();

i32 bits_of(u128 value) {
  const u64 high = static_cast<u64>(value >> 64);
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(static_cast<u64>(value));
}

// rest · 2⁶⁴ / divisor, rounded down, or a few units less. The rest is below the divisor.
u64 fraction_of(u128 rest, u128 divisor) {
  if (rest == 0) return 0;
  const i32 over = bits_of(divisor) - 64;
  if (over <= 0) return static_cast<u64>((rest << 64) / divisor);
  return static_cast<u64>(((rest >> over) << 64) / ((divisor >> over) + 1));
}

// value = digits · 10^exponent, with 19 digits before the point.
struct Scaled {
  ScaledValue digits = 0;
  i32 exponent = 0;
};
Scaled scale(u128 number, u32 parts, i32 exponent) {
  // number / parts < 2^(…), so there are 18 or 19 digits.
  const i32 most = bits_of(number) - bits_of(parts) + 1;
  const i32 power = static_cast<i32>(kScaledDigits) - 1 - decimal_exponent(most);
  const u128 dividend = power > 0 ? number * kPowersOfTen[static_cast<size_t>(power)] : number;
  const u128 divisor = power > 0 ? u128{parts} : parts * kPowersOfTen[static_cast<size_t>(-power)];
  u128 whole = dividend / divisor, rest = dividend - whole * divisor;
  exponent -= power;
  if (whole < kScaledPowers.back()) {
    rest *= 10;
    const u128 digit = rest / divisor;
    whole = whole * 10 + digit;
    rest -= digit * divisor;
    --exponent;
  }
  return {whole << 64 | fraction_of(rest, divisor), exponent};
}

// Two units in the last place of the value, in its own units; none if the value is too small, or too near to where
// these units change.
std::optional<ScaledValue> tolerance_of(const Scaled& value, const FloatRange& range) {
  if (value.exponent < -kMostExponent) return std::nullopt;
  const frontend::WideFloat size =
      frontend::scaled_down(static_cast<u64>(value.digits >> 64), value.exponent);
  // The last digit may leave out as much as 2⁻⁵⁹ of the value.
  if (size.high >= ~u64{0} - 64) return std::nullopt;
  return scaled_power_of_two(range.last_place(size.exponent + 127) + 1, value.exponent);
}

}  // namespace

LinearPoints::LinearPoints(const LinearGrid& grid) : grid_(grid) {
  is_scaled_ = !is_dense(grid) && scale_ends();
}

bool LinearPoints::scale_ends() {
  const DecimalNumber &low = grid_.low, &high = grid_.high;
  const bool takes_low = high.digits == 0 || (low.digits != 0 && low.exponent < high.exponent);
  exponent_ = takes_low ? low.exponent : high.exponent;
  const auto set = [this](i128& out, const DecimalNumber& end) {
    if (end.digits == 0) return true;
    const i32 power = end.exponent - exponent_;
    if (power > kMostPower) return false;
    const u128 factor = kPowersOfTen[static_cast<size_t>(power)];
    // A product with parts, of 32 bits, and the sum of two.
    if (bits_of(factor) + bits_of(end.digits) > 93) return false;
    const i128 size = static_cast<i128>(factor * end.digits);
    out = end.is_negative ? -size : size;
    return true;
  };
  return set(low_, low) && set(high_, high);
}

DecimalNumber LinearPoints::at(u32 point) const {
  if (!is_scaled_) return exact_point(grid_, point);
  const i128 number = low_ * (grid_.parts - point) + high_ * i128{point};
  if (number == 0) return {};
  const bool is_negative = number < 0;
  const Scaled value =
      scale(static_cast<u128>(is_negative ? -number : number), grid_.parts, exponent_);
  // Fractions, and units in the last place, are too small by less than this.
  constexpr u64 kError = 64;
  const auto tolerance = tolerance_of(value, float_range(grid_.type));
  const auto digits = tolerance ? shortest_within(value.digits, *tolerance, kError) : std::nullopt;
  if (!digits) return exact_point(grid_, point);
  return {is_negative, *digits, value.exponent};
}

}  // namespace komuz::engine
