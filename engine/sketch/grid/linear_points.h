// SPDX-License-Identifier: Apache-2.0
// Points of linear grids of floats, as exact_point.h says what they are.
#pragma once
#include "engine/sketch/grid/exact_point.h"
#include "engine/sketch/grid/scaled_value.h"

namespace komuz::engine {

class LinearPoints {
 public:
  LinearPoints() = default;
  explicit LinearPoints(const LinearGrid& grid);

  [[nodiscard]] DecimalNumber at(u32 point) const;

 private:
  [[nodiscard]] bool scale_ends();

  LinearGrid grid_;
  // Both ends in units of 10^exponent; of a dense grid, or where their parts are too many for 126 bits, there are none.
  bool is_scaled_ = false;
  i32 exponent_ = 0;
  i128 low_ = 0, high_ = 0;
};

}  // namespace komuz::engine
