// SPDX-License-Identifier: Apache-2.0
// The straight line a · value + b that comes nearest to what is expected, by least squares, from sums over the cases. Values are
// taken relative to one of them, so that a large mean does not cancel what they vary by. Sums are made as those of score.h.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/ints.h"

namespace komuz::engine {

// Over the cases that count: how many, and of their values, less the origin, the sum, that of squares, and that of products with
// the deviations.
struct LineSums {
  f64 counts = 0, values = 0, squares = 0, with_expected = 0;
  f64 origin = 0;
};

class LineFit {
 public:
  void begin() { *this = {}; }
  // Cases in order, of which each part but the last has a multiple of 64. A value that is a NaN does not count. `deviations`:
  // what is expected, less its mean over all cases that count.
  void add(std::span<const f64> values, std::span<const f64> deviations) {
    if (!has_origin_) {
      const auto first = std::ranges::find_if(values, [](f64 value) { return value == value; });
      has_origin_ = first != values.end();
      if (has_origin_) origin_ = *first;
    }
    const size_t whole = values.size() / kLanes * kLanes;
    for (size_t i = 0; i < whole; i += kLanes)
      for (size_t lane = 0; lane < kLanes; ++lane)
        add(lane, values[i + lane], deviations[i + lane]);
    for (size_t i = whole; i < values.size(); ++i) add(i - whole, values[i], deviations[i]);
  }

  struct Line {
    f64 slope = 0;
    f64 middle = 0;  // where it meets the mean of what is expected
    f64 r2 = 0;      // of the line: the square of the correlation

    [[nodiscard]] f64 squared_error(f64 value, f64 deviation) const {
      const f64 error = slope * (value - middle) - deviation;
      return error * error;
    }
  };
  // Level where values do not vary, or too far. `total_squares`: the sum of squared deviations.
  [[nodiscard]] static Line line(const LineSums& sums, f64 total_squares) {
    // Of the squares; less is what rounding leaves of values that are equal.
    constexpr f64 kNoise = 1e-13;
    const f64 mean = sums.values / sums.counts;
    const f64 spread = sums.squares - sums.values * mean;
    const f64 r2 = sums.with_expected / spread * sums.with_expected / total_squares;
    if (!(spread > kNoise * sums.squares) || !std::isfinite(r2)) return {0, sums.origin, 0};
    return {sums.with_expected / spread, sums.origin + mean, std::fmin(r2, 1.0)};
  }
  [[nodiscard]] LineSums sums() const {
    return {sum(counts_), sum(values_), sum(squares_), sum(with_expected_), origin_};
  }

 private:
  static constexpr size_t kLanes = 64;
  using Partials = std::array<f64, kLanes>;

  void add(size_t lane, f64 value, f64 deviation) {
    const bool counts = value == value;
    const f64 way = counts ? value - origin_ : 0.0;
    counts_[lane] += counts ? 1.0 : 0.0;
    values_[lane] += way;
    squares_[lane] += way * way;
    with_expected_[lane] += way * deviation;
  }
  static f64 sum(Partials partials) {
    for (size_t half = kLanes / 2; half > 0; half /= 2)
      for (size_t i = 0; i < half; ++i) partials[i] += partials[i + half];
    return partials[0];
  }

  Partials counts_{}, values_{}, squares_{}, with_expected_{};
  f64 origin_ = 0;
  bool has_origin_ = false;
};

}  // namespace komuz::engine
