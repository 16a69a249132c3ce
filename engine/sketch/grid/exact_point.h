// SPDX-License-Identifier: Apache-2.0
// What a point of a linear grid is, in exact arithmetic of any size. linear_points.h is the same in a twentieth of
// the time, and comes here where its numbers do not fit, or do not decide.
#pragma once
#include "engine/sketch/grid/decimal_number.h"

namespace komuz::engine {

// From `low` to `high`, which point number `parts` would be, a natural number below 2³².
struct LinearGrid {
  Scalar type = Scalar::F64;
  DecimalNumber low, high;
  u32 parts = 1;
};

// The shortest decimal that is at most two units in the last place of the type from the exact point, low + (high -
// low) · point / parts, and half a unit less than half the way to its neighbours; of those of as many digits the
// nearest, of two that are as near the even one. Of grids so dense that none of 19 digits is near enough, the
// nearest one of these.
[[nodiscard]] DecimalNumber exact_point(const LinearGrid& grid, u32 point);

// Are neighbours so near to each other, in units of the last place, that they limit how far decimals may be from
// the exact point?
[[nodiscard]] bool is_dense(const LinearGrid& grid);

}  // namespace komuz::engine
