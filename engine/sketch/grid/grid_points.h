// SPDX-License-Identifier: Apache-2.0
// The points of a grid, the same for the compiler, all machines, the texts of variants and the search:
//
//   integers from a to b   a + i
//   floats                 the shortest decimal at most 2 units in the last place from a + (b - a) · i / s; for a
//                          logarithmic grid from a · (b / a)^(i / s)
//
//   any number             real_points.h
//
// Here a and b are the ends as the shortest decimals that read as them, and s is the number of points, less 1 if b is
// a point. exact_point.h has the details. So `-0.9..=0.9` in 19 steps has 0.0 and 0.1, and nothing overflows. The
// first point is a, and the last one is b if b is a point, to the bit.
#pragma once
#include <variant>

#include "engine/sketch/grid/linear_points.h"
#include "engine/sketch/grid/log_points.h"
#include "lang/sketch.h"

namespace komuz::engine {

class GridPoints {
 public:
  GridPoints() = default;
  explicit GridPoints(const Grid& grid);

  // A cell of the grid's type for a point below grid.points.
  [[nodiscard]] u64 at(u64 point) const;

 private:
  Grid grid_;
  std::variant<std::monostate, LinearPoints, LogPoints> between_;  // of floats
};

}  // namespace komuz::engine
