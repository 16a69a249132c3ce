// SPDX-License-Identifier: Apache-2.0
// Numbers in units of their 19th digit, with 64 bits of fraction, and the shortest decimals near them.
#pragma once
#include <array>
#include <optional>

#include "base/hash.h"

namespace komuz::engine {

__extension__ typedef __int128 i128;

// The upper 64 bits are units.
using ScaledValue = u128;

inline constexpr u32 kScaledDigits = 19;
inline constexpr auto kScaledPowers = [] {
  std::array<u64, kScaledDigits> powers{1};
  for (u32 k = 1; k < kScaledDigits; ++k) powers[k] = powers[k - 1] * 10;
  return powers;
}();
// 2^power in units of 10^exponent, too small by at most 64 in the fraction; 2⁶² units if the result would exceed 19
// digits. The powers of ten go from -kMostExponent to kMostExponent.
inline constexpr i32 kMostExponent = 345;
[[nodiscard]] ScaledValue scaled_power_of_two(i32 power, i32 exponent);

// The multiple, in whole units, of the largest power of ten that is at most `tolerance` from `value`; of several such
// multiples the nearest. Both numbers may be wrong by less than `error`. None: without the error the result might
// differ.
[[nodiscard]] inline std::optional<u64> shortest_within(ScaledValue value, ScaledValue tolerance,
                                                        u64 error) {
  const auto scaled = [](u64 power) { return ScaledValue{power} << 64; };
  // Of the first power above twice the tolerance at most one multiple is near enough, and of each power below at
  // least one is.
  u32 k = 0;
  while (k + 1 < kScaledDigits && scaled(kScaledPowers[k]) <= 2 * tolerance) ++k;
  const auto is_near = [error](ScaledValue a, ScaledValue b) {
    return a > b ? a - b < 2 * ScaledValue{error} : b - a < 2 * ScaledValue{error};
  };
  if (is_near(scaled(kScaledPowers[k]), 2 * tolerance) ||
      (k > 0 && is_near(scaled(kScaledPowers[k - 1]), 2 * tolerance)))
    return std::nullopt;

  const u64 whole = static_cast<u64>(value >> 64);
  const auto nearest = [&](u64 power, ScaledValue& distance) -> std::optional<u64> {
    const u64 below = whole - whole % power;
    const ScaledValue down = value - scaled(below), up = scaled(power) - down;
    if (is_near(down, up)) return std::nullopt;
    distance = down < up ? down : up;
    return down < up ? below : below + power;
  };
  ScaledValue distance = 0;
  const std::optional<u64> shorter = nearest(kScaledPowers[k], distance);
  if (!shorter || is_near(distance, tolerance)) return std::nullopt;
  if (distance <= tolerance || k == 0) return shorter;
  return nearest(kScaledPowers[k - 1], distance);
}

}  // namespace komuz::engine
