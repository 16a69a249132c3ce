// SPDX-License-Identifier: Apache-2.0
// Points of linear grids of floats, as defined in exact_point.h.
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
  // True if both ends are known in units of 10^exponent; false for a dense grid, or if the parts need more than 126
  // bits.
  bool is_scaled_ = false;
  i32 exponent_ = 0;
  i128 low_ = 0, high_ = 0;
};

}  // namespace komuz::engine
