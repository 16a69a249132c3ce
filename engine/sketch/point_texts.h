// SPDX-License-Identifier: Apache-2.0
// The points of a sketch's grids as they are written in variants. They are made when they are asked for first, as they take
// longer to make than all else that is written.
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
  // So many are kept, of all grids.
  static constexpr u64 kMostKept = u64{1} << 16;

  // Both outlive it.
  PointTexts(std::string_view source, const Sketch& sketch);

  // Of a hole that is a grid; until the next call.
  [[nodiscard]] std::string_view of(u32 hole, u64 point);
  // Is its text one that stands alone, whatever is around it? So it is of bytes that are written as such.
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
