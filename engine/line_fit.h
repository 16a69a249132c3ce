// SPDX-License-Identifier: Apache-2.0
// The straight line a · value + b that comes nearest to what is expected, by least squares, from sums over the cases. Values are
// taken relative to one of them, so that a large mean does not cancel what they vary by. Sums are made as those of score.h.
#pragma once
#include <span>

#include "base/ints.h"

namespace komuz::engine {

struct ScoreLoops;

// Over the cases that count: how many, and of their values, less the origin, the sum, that of squares, and that of products with
// the deviations.
struct LineSums {
  f64 counts = 0, values = 0, squares = 0, with_expected = 0;
  f64 origin = 0;
};
// Of each sum the partials (score.h).
struct LinePartials {
  f64 counts[64] = {}, values[64] = {}, squares[64] = {}, with_expected[64] = {};
};

struct Line {
  f64 slope = 0;
  f64 middle = 0;  // where it meets the mean of what is expected
  f64 r2 = 0;      // of the line: the square of the correlation

  // What a case brings, of which the error of the value is known: a NaN where it is bad, which it stays, and so does the error of what is
  // no number.
  [[nodiscard]] HD f64 case_error(f64 value, f64 deviation, f64 of_value) const {
    const f64 error = slope * (value - middle) - deviation;
    return value == value && of_value == of_value ? error * error : of_value;
  }
};
// Level where values do not vary, or too far. `total_squares`: the sum of squared deviations.
[[nodiscard]] HD Line fit_line(const LineSums& sums, f64 total_squares) {
  // Of the squares; less is what rounding leaves of values that are equal.
  constexpr f64 kNoise = 1e-13;
  const f64 mean = sums.values / sums.counts;
  const f64 spread = sums.squares - sums.values * mean;
  const f64 r2 = sums.with_expected / spread * sums.with_expected / total_squares;
  const bool is_finite = r2 - r2 == 0;
  if (!(spread > kNoise * sums.squares) || !is_finite) return {0, sums.origin, 0};
  return {sums.with_expected / spread, sums.origin + mean, r2 < 1 ? r2 : 1.0};
}

class LineFit {
 public:
  void begin() { *this = {}; }
  // Cases in order, of which each part but the last has a multiple of 64. A value that is a NaN does not count. `deviations`:
  // what is expected, less its mean over all cases that count.
  void add(const ScoreLoops& loops, std::span<const f64> values, std::span<const f64> deviations);
  [[nodiscard]] LineSums sums() const;

 private:
  LinePartials partials_;
  f64 origin_ = 0;
  bool has_origin_ = false;
};

}  // namespace komuz::engine
