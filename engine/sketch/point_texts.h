// SPDX-License-Identifier: Apache-2.0
// The points of a sketch's grids as they are written in variants. A point is made when it is first asked for, since
// it takes longer to make than all else that is written.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sketch/grid/grid_points.h"
#include "lang/sketch.h"

namespace komuz::engine {

class PointTexts {
 public:
  // Most points that are kept, of all grids.
  static constexpr u64 kMostKept = u64{1} << 16;

  // Both outlive this object.
  PointTexts(std::string_view source, const Sketch& sketch);

  // For a hole that is a grid. Valid until the next call.
  [[nodiscard]] std::string_view of(u32 hole, u64 point);
  // True if the text can stand alone, whatever is around it: true for bytes that are written as such.
  [[nodiscard]] bool is_of_bytes(u32 hole) const;

 private:
  void print(u32 hole, u64 point, std::string& out);

  std::string_view source_;
  const Sketch& sketch_;
  std::vector<std::optional<GridPoints>> points_;  // by hole
  std::vector<std::vector<std::string>> kept_;     // by hole and point
  u64 room_ = kMostKept;
  std::string other_;  // where there is no room
};

}  // namespace komuz::engine
