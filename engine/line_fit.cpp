// SPDX-License-Identifier: Apache-2.0
#include "engine/line_fit.h"

#include <algorithm>
#include <cmath>

#include "engine/score_loops.h"

namespace komuz::engine {

Line fit_line(const LineSums& sums, f64 total_squares) {
  // Of the squares; less is what rounding leaves of values that are equal.
  constexpr f64 kNoise = 1e-13;
  const f64 mean = sums.values / sums.counts;
  const f64 spread = sums.squares - sums.values * mean;
  const f64 r2 = sums.with_expected / spread * sums.with_expected / total_squares;
  if (!(spread > kNoise * sums.squares) || !std::isfinite(r2)) return {0, sums.origin, 0};
  return {sums.with_expected / spread, sums.origin + mean, std::fmin(r2, 1.0)};
}

void LineFit::add(const ScoreLoops& loops, std::span<const f64> values,
                  std::span<const f64> deviations) {
  if (!has_origin_) {
    const auto first = std::ranges::find_if(values, [](f64 value) { return value == value; });
    has_origin_ = first != values.end();
    if (has_origin_) origin_ = *first;
  }
  loops.add_to_line(values.data(), deviations.data(), static_cast<u32>(values.size()), origin_,
                    partials_);
}

LineSums LineFit::sums() const {
  return {sum_of_partials(partials_.counts), sum_of_partials(partials_.values),
          sum_of_partials(partials_.squares), sum_of_partials(partials_.with_expected), origin_};
}

}  // namespace komuz::engine
