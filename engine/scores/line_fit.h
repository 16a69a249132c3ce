// SPDX-License-Identifier: Apache-2.0
// Fits the straight line a · value + b that comes nearest to the expected numbers, by least squares, from sums over
// the cases. Values are taken relative to one of them, so that a large mean does not cancel their variation. Sums are
// made like those of score.h.
//
// Squares that leave the range of an f64 would make the line meaningless. So if the sum of squares is near the limits
// of that range, the sums are made again from values times a power of two, which follows from the largest value:
// products with it are exact.
//
// Values that vary by no more than rounding have no line. A sum of n values v has up to m = ⌈n / 64⌉ + 5 additions
// behind one another, so the mean is off by up to (m + 1) · u · Σ|v| / n, where u = 2⁻⁵³ and the division counts as
// one more. Each of the n deviations from the mean is off by as much, plus u · |v| for its own rounding. Together
// these errors are a vector no longer than (m + 2) · u · √Σv²: deviations that are no longer than this may be nothing
// but errors. The place of the first value does not matter for this.
#pragma once
#include <span>

#include "engine/scores/score_cells.h"

namespace komuz::engine {

struct ScoreLoops;

// Over the cases that count: their number and, of their values minus the origin, the sum, the sum of squares, and the
// sum of products with the deviations; with weights, their sum, and sums of weighted terms. Values and origin have been
// multiplied by the factor.
struct LineSums {
  f64 counts = 0, values = 0, squares = 0, with_expected = 0;
  f64 origin = 0, factor = 1;
};
// The partials of each sum (score.h).
struct LinePartials {
  f64 counts[64] = {}, values[64] = {}, squares[64] = {}, with_expected[64] = {};
};

// What a line is fitted to. Of the expected numbers minus their mean, in units of ScoreScale: the sum, which rounding
// leaves, and the sum of squares, both with the weights of cases.
struct LineBasis {
  f64 deviations = 0, total_squares = 0;
  f64 noise = 0;  // share of the sum of squares that rounding can cause
};

// For so many cases: ((m + 2) · u)².
[[nodiscard]] HD f64 rounding_share(u32 cases) {
  const f64 share = (static_cast<f64>((u64{cases} + 63) / 64) + 7) * 0x1p-53;
  return share * share;
}

// True if the sums have to be made again with another factor, if the largest value has one.
[[nodiscard]] HD bool leaves_range(const LineSums& sums) {
  return !(sums.squares >= 0x1p-800 && sums.squares <= 0x1p700);
}
// The factor for the largest magnitude of all values; 0 if there is none, since the magnitude is 0 or not finite.
[[nodiscard]] HD f64 factor_of(f64 largest) {
  return largest > 0 && largest <= kLargestFinite ? power_of_two(-exponent_of(largest)) : 0.0;
}

struct Line {
  f64 slope = 0;
  f64 middle = 0;  // where the line meets the mean of the expected numbers
  f64 r2 = 0;      // of the line: the square of the correlation
  f64 factor = 1;  // multiplies values first

  // The line's error for an expected number minus the mean.
  [[nodiscard]] HD f64 miss(f64 value, f64 deviation) const {
    return slope * (value * factor - middle) - deviation;
  }
  // The error of a case, given the error of its value: a NaN if the case is bad, and unchanged if the case expects no
  // number.
  [[nodiscard]] HD f64 case_error(f64 value, f64 deviation, f64 of_value) const {
    const f64 error = slope == 0 ? deviation : miss(value, deviation);
    return value == value && of_value == of_value ? error * error : of_value;
  }
};
// Level if values do not vary, or are not finite.
[[nodiscard]] HD Line fit_line(const LineSums& sums, const LineBasis& basis) {
  const f64 mean = sums.values / sums.counts;
  const f64 spread = sums.squares - sums.values * mean;
  // Σv², from the sums of values minus the origin.
  const f64 size = sums.squares + sums.origin * (2 * sums.values + sums.counts * sums.origin);
  const f64 with_expected = sums.with_expected - mean * basis.deviations;
  const f64 slope = with_expected / spread;
  const f64 r2 = slope * with_expected / basis.total_squares;
  const bool is_finite = r2 - r2 == 0;
  if (!(spread > basis.noise * size) || !is_finite) return {0, sums.origin, 0, sums.factor};
  return {slope, sums.origin + mean, r2 < 1 ? r2 : 1.0, sums.factor};
}

// The same line for whoever takes it along, in the units of the data: expected ≈ slope · value + intercept. Not finite if
// these numbers do not fit an f64.
struct ScoreLine {
  f64 slope = 0, intercept = 0;
  [[nodiscard]] bool is_finite() const { return slope - slope == 0 && intercept - intercept == 0; }
  bool operator==(const ScoreLine&) const = default;
};
// `mean`: of the expected numbers, in units. Both numbers become the decimals of fewest digits that rounding lets them be: where a
// formula fits 0.75, its intercept is seldom more than near 0.75.
[[nodiscard]] ScoreLine plain_line(const Line& line, f64 mean, f64 unit);

class LineFit {
 public:
  void begin() { *this = {}; }
  // Adds cases in order; each part but the last has a multiple of 64. A value that is a NaN does not count.
  // `deviations`: expected numbers minus their mean over all cases that count. `weights`: of the cases; empty: all are
  // 1.
  void add(const ScoreLoops& loops, std::span<const f64> values, std::span<const f64> deviations,
           std::span<const f64> weights = {});
  // `values`, `deviations`, `weights`: all that were added.
  [[nodiscard]] LineSums sums(const ScoreLoops& loops, std::span<const f64> values,
                              std::span<const f64> deviations,
                              std::span<const f64> weights = {}) const;

 private:
  [[nodiscard]] LineSums sums() const;

  LinePartials partials_;
  f64 origin_ = 0, factor_ = 1;
  bool has_origin_ = false;
};

}  // namespace komuz::engine
