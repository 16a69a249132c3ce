// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid/grid_points.h"

#include "engine/sketch/grid/real_points.h"

namespace komuz::engine {

GridPoints::GridPoints(const Grid& grid) : grid_(grid) {
  if (!is_float(grid.type) || grid.is_real) return;
  const LinearGrid ends{grid.type, shortest_decimal(grid.type, grid.low),
                        shortest_decimal(grid.type, grid.high),
                        static_cast<u32>(grid.points - (grid.is_inclusive ? 1 : 0))};
  if (grid.is_logarithmic)
    between_.emplace<LogPoints>(ends);
  else
    between_.emplace<LinearPoints>(ends);
}

u64 GridPoints::at(u64 point) const {
  if (grid_.is_real) return real_cell(static_cast<u32>(point), grid_.type);
  if (!is_float(grid_.type)) return grid_.low + point;
  if (point == 0) return grid_.low;
  if (grid_.is_inclusive && point == grid_.points - 1) return grid_.high;
  const u32 i = static_cast<u32>(point);
  const LogPoints* const logarithmic = std::get_if<LogPoints>(&between_);
  return nearest_cell(grid_.type, logarithmic != nullptr ? logarithmic->at(i)
                                                         : std::get<LinearPoints>(between_).at(i));
}

}  // namespace komuz::engine
