// SPDX-License-Identifier: Apache-2.0
// Thins out points: the plot is a grid of cells, and of the points in a cell the best is kept. So a drawing of ten
// million points is no larger than one of some thousands, and looks the same. If there are few points, all are kept.
#pragma once
#include <algorithm>
#include <vector>

#include "services/charts/chart.h"

namespace komuz::services {

class Cells {
 public:
  static constexpr u32 kSize = 4;  // pixels
  static constexpr u64 kFewPoints = 2'000;

  // Offers point `index`, at a place from 0 to 1; indices rise. `is_better(a, b)` compares two points; of equal
  // points the earlier one stays.
  template <class IsBetter>
  void offer(f64 x, f64 y, u64 index, const IsBetter& is_better) {
    if (++offered_ <= kFewPoints) few_.push_back(index);
    const auto part = [](f64 at, f64 pixels) { return static_cast<u32>(at * pixels / kSize); };
    u64& best = best_[part(y, kPlotHeight) * kColumns + part(x, kPlotWidth)];
    if (best == kEmpty || is_better(index, best)) best = index;
  }
  // In rising order.
  [[nodiscard]] std::vector<u64> kept() const {
    if (offered_ <= kFewPoints) return few_;
    std::vector<u64> indices;
    for (const u64 index : best_)
      if (index != kEmpty) indices.push_back(index);
    std::ranges::sort(indices);
    return indices;
  }

 private:
  static constexpr u32 kColumns = static_cast<u32>(kPlotWidth) / kSize + 1;
  static constexpr u32 kRows = static_cast<u32>(kPlotHeight) / kSize + 1;
  static constexpr u64 kEmpty = ~u64{0};
  u64 offered_ = 0;
  std::vector<u64> few_;
  std::vector<u64> best_ = std::vector<u64>(u64{kColumns} * kRows, kEmpty);
};

}  // namespace komuz::services
