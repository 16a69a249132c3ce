// SPDX-License-Identifier: Apache-2.0
// The straight line a · value + b that comes nearest to what is expected, by least squares, from sums over the cases. Values are
// taken relative to one of them, so that a large mean does not cancel what they vary by. Sums are made as those of score.h.
//
// Squares that leave the range of an f64 would make a line of nothing. So where the sum of squares is not well inside of it, sums are
// made once more of values times a power of two, which follows from the largest of all values: products with it are exact.
//
// Values that vary by no more than rounding have no line. Of n values v, a sum has up to m = ⌈n / 64⌉ + 5 additions behind one
// another, so their mean is off by up to (m + 1) · u · Σ|v| / n, where u = 2⁻⁵³ and the division is one more; and so is each of the
// n deviations from it, beside u · |v| of its own value's last rounding. Together that is a vector which is no longer than
// (m + 2) · u · √Σv²: deviations that are no longer themselves may be nothing else. Where the first value lies has no part in it.
#pragma once
#include <span>

#include "engine/scores/score_cells.h"

namespace komuz::engine {

struct ScoreLoops;

// Over the cases that count: how many, and of their values, less the origin, the sum, that of squares, and that of products with
// the deviations. Values have been multiplied by the factor, and so has the origin.
struct LineSums {
  f64 counts = 0, values = 0, squares = 0, with_expected = 0;
  f64 origin = 0, factor = 1;
};
// Of each sum the partials (score.h).
struct LinePartials {
  f64 counts[64] = {}, values[64] = {}, squares[64] = {}, with_expected[64] = {};
};

// What a line is fitted to: of what is expected, less its mean, in units of ScoreScale, the sum, which rounding leaves, and that of
// squares.
struct LineBasis {
  f64 deviations = 0, total_squares = 0;
  f64 noise = 0;  // the share of the sum of squares that rounding can make up
};

// Of so many cases: ((m + 2) · u)².
[[nodiscard]] HD f64 rounding_share(u32 cases) {
  const f64 share = (static_cast<f64>((u64{cases} + 63) / 64) + 7) * 0x1p-53;
  return share * share;
}

// Do sums of these values have to be made with another factor, if the largest value has one?
[[nodiscard]] HD bool leaves_range(const LineSums& sums) {
  return !(sums.squares >= 0x1p-800 && sums.squares <= 0x1p700);
}
// The factor for the largest magnitude of all values; 0: there is none, as it is 0 or not finite.
[[nodiscard]] HD f64 factor_of(f64 largest) {
  return largest > 0 && largest <= kLargestFinite ? power_of_two(-exponent_of(largest)) : 0.0;
}

struct Line {
  f64 slope = 0;
  f64 middle = 0;  // where it meets the mean of what is expected
  f64 r2 = 0;      // of the line: the square of the correlation
  f64 factor = 1;  // of values, before all else

  // What is expected, less the mean, is missed by that.
  [[nodiscard]] HD f64 miss(f64 value, f64 deviation) const {
    return slope * (value * factor - middle) - deviation;
  }
  // What a case brings, of which the error of the value is known: a NaN where it is bad, which it stays, and so does the error of what is
  // no number.
  [[nodiscard]] HD f64 case_error(f64 value, f64 deviation, f64 of_value) const {
    const f64 error = slope == 0 ? deviation : miss(value, deviation);
    return value == value && of_value == of_value ? error * error : of_value;
  }
};
// Level where values do not vary, or are not finite.
[[nodiscard]] HD Line fit_line(const LineSums& sums, const LineBasis& basis) {
  const f64 mean = sums.values / sums.counts;
  const f64 spread = sums.squares - sums.values * mean;
  // Σv², from the sums of what is left without the origin.
  const f64 size = sums.squares + sums.origin * (2 * sums.values + sums.counts * sums.origin);
  const f64 with_expected = sums.with_expected - mean * basis.deviations;
  const f64 slope = with_expected / spread;
  const f64 r2 = slope * with_expected / basis.total_squares;
  const bool is_finite = r2 - r2 == 0;
  if (!(spread > basis.noise * size) || !is_finite) return {0, sums.origin, 0, sums.factor};
  return {slope, sums.origin + mean, r2 < 1 ? r2 : 1.0, sums.factor};
}

class LineFit {
 public:
  void begin() { *this = {}; }
  // Cases in order, of which each part but the last has a multiple of 64. A value that is a NaN does not count. `deviations`:
  // what is expected, less its mean over all cases that count.
  void add(const ScoreLoops& loops, std::span<const f64> values, std::span<const f64> deviations);
  // `values`, `deviations`: all that were added.
  [[nodiscard]] LineSums sums(const ScoreLoops& loops, std::span<const f64> values,
                              std::span<const f64> deviations) const;

 private:
  [[nodiscard]] LineSums sums() const;

  LinePartials partials_;
  f64 origin_ = 0, factor_ = 1;
  bool has_origin_ = false;
};

}  // namespace komuz::engine
