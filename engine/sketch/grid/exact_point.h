// SPDX-License-Identifier: Apache-2.0
// A point of a linear grid, in exact arithmetic of any size. linear_points.h computes the same in a twentieth of the
// time, and falls back to this if its numbers do not fit or do not decide.
#pragma once
#include "engine/sketch/grid/decimal_number.h"

namespace komuz::engine {

// From `low` to `high`, which is point number `parts`, a natural number below 2³².
struct LinearGrid {
  Scalar type = Scalar::F64;
  DecimalNumber low, high;
  u32 parts = 1;
};

// The shortest decimal that is within two units in the last place of the type of the exact point, low + (high - low)
// · point / parts, and nearer to it than half the way to its neighbours less half a unit. Of decimals with equally
// many digits it is the nearest, and of two equally near ones the even one. In grids so dense that no decimal of 19
// digits is near enough, it is the nearest of 19 digits.
[[nodiscard]] DecimalNumber exact_point(const LinearGrid& grid, u32 point);

// True if neighbours are so near to each other, in units of the last place, that they limit how far decimals may be
// from the exact point.
[[nodiscard]] bool is_dense(const LinearGrid& grid);

}  // namespace komuz::engine
