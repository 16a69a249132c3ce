// SPDX-License-Identifier: Apache-2.0
// The numbers of a hole `?c(real)`, as the points of a grid: a number for each finite number of binary32, in their order, and one
// zero. A point's number is the shortest decimal that reads as that binary32 number: so every number of up to six digits is one,
// from 1e-37 to 1e37. As decisions, constants are bred, written and logged as points of grids are.
//
// Neighbours differ by 2^-24 to 2^-23 of their size, and 2^23 points lie between a number and its double. A step of so many points is
// therefore a factor, whatever the size of a constant.
#pragma once
#include "base/ints.h"
#include "lang/sketch.h"

namespace komuz::engine {

// The point of 1, where no other one is known.
inline constexpr u32 kRealOne = kRealZero + 0x3F80'0000;
// So many points lie between a number and its double.
inline constexpr u32 kRealDouble = 1u << 23;

// A point for a number of [0, 1): half of them are above zero, and all sizes from 1/8 to 8 are alike.
[[nodiscard]] HD u32 real_point_at(f64 fraction) {
  constexpr u32 kLeast = 0x3E00'0000, kWidth = 6 * kRealDouble;
  const bool is_negative = fraction < 0.5;
  const f64 inside = is_negative ? fraction * 2 : fraction * 2 - 1;
  const u32 bits = kLeast + static_cast<u32>(inside * kWidth);
  return is_negative ? kRealZero - bits : kRealZero + bits;
}

// A cell of `type`, a type of floats.
[[nodiscard]] u64 real_cell(u32 point, Scalar type);
// The point whose number is nearest; infinities are the largest numbers, and a NaN is 1.
[[nodiscard]] u32 nearest_real_point(f64 number);

}  // namespace komuz::engine
