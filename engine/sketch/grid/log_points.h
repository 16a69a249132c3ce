// SPDX-License-Identifier: Apache-2.0
// Points of logarithmic grids of floats: low · (high / low)^(point / parts), accurate to 2⁻¹⁰⁰ of themselves. They
// are computed in integer arithmetic, since no library function is the same everywhere. Then follow the decimals that
// exact_point.h would find.
#pragma once
#include "engine/sketch/grid/exact_point.h"
#include "engine/sketch/grid/scaled_value.h"

namespace komuz::engine {

class LogPoints {
 public:
  LogPoints() = default;
  // Both ends are above zero.
  explicit LogPoints(const LinearGrid& grid);

  [[nodiscard]] DecimalNumber at(u32 point) const;

 private:
  FloatRange range_;
  u32 parts_ = 1;
  // Logarithms to the base 2 with 112 bits of fractions.
  i128 low_ = 0, difference_ = 0;
  u128 half_step_ =
      0;  // half the way from a point to the next one, in 2⁻¹²⁸ of the point; of most grids longer than this can say
};

}  // namespace komuz::engine
