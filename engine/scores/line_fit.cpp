// SPDX-License-Identifier: Apache-2.0
#include "engine/scores/line_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/scores/score_loops.h"

namespace komuz::engine {

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
  return {sum_of_partials(partials_.counts),
          sum_of_partials(partials_.values),
          sum_of_partials(partials_.squares),
          sum_of_partials(partials_.with_expected),
          origin_,
          factor_};
}

LineSums LineFit::sums(const ScoreLoops& loops, std::span<const f64> values,
                       std::span<const f64> deviations) const {
  const LineSums plain = sums();
  if (!leaves_range(plain)) return plain;
  f64 largest = 0;
  for (const f64 value : values) {
    const f64 size = std::fabs(value);
    largest = size > largest ? size : largest;  // a NaN is not
  }
  LineFit scaled;
  scaled.factor_ = factor_of(largest);
  if (scaled.factor_ == 0 || scaled.factor_ == 1) return plain;
  std::vector<f64> of_values;
  for (const f64 value : values) of_values.push_back(value * scaled.factor_);
  scaled.add(loops, of_values, deviations);
  return scaled.sums();
}

}  // namespace komuz::engine
