// SPDX-License-Identifier: Apache-2.0
// A quadratic function, given by its values at an origin, a step down and up each axis, and a step up each pair of
// axes.
#pragma once
#include <array>
#include <cmath>
#include <optional>

#include "base/ints.h"

namespace komuz::engine {

struct QuadraticModel {
  static constexpr u32 kMostAxes = 4;

  u32 axes = 0;
  f64 origin = 0;
  std::array<f64, kMostAxes> down{}, up{};
  std::array<std::array<f64, kMostAxes>, kMostAxes> both{};  // [i][j] with i < j

  // The place of its minimum, in steps from the origin; none if it has none or a number is not finite. Uses a
  // Cholesky decomposition of the second derivatives.
  [[nodiscard]] std::optional<std::array<f64, kMostAxes>> minimum() const {
    std::array<std::array<f64, kMostAxes>, kMostAxes> factor{};  // the lower triangle
    std::array<f64, kMostAxes> way{};
    for (u32 i = 0; i < axes; ++i) {
      for (u32 j = 0; j <= i; ++j) {
        f64 rest = i == j ? down[i] - 2 * origin + up[i] : both[j][i] - up[i] - up[j] + origin;
        for (u32 k = 0; k < j; ++k) rest -= factor[i][k] * factor[j][k];
        if (i == j && !(rest > 0)) return {};
        factor[i][j] = i == j ? std::sqrt(rest) : rest / factor[j][j];
      }
      way[i] = (down[i] - up[i]) / 2;
      for (u32 k = 0; k < i; ++k) way[i] -= factor[i][k] * way[k];
      way[i] /= factor[i][i];
    }
    for (u32 i = axes; i-- > 0;) {
      for (u32 k = i + 1; k < axes; ++k) way[i] -= factor[k][i] * way[k];
      way[i] /= factor[i][i];
      if (!std::isfinite(way[i])) return {};
    }
    return way;
  }
};

}  // namespace komuz::engine
