// SPDX-License-Identifier: Apache-2.0
#include "engine/scores/line_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/scores/score_loops.h"

namespace komuz::engine {

namespace {

// The decimal with so few digits that it may be off by `slack`. Powers of ten up to the 22nd are exact, so the quotient is the f64
// nearest to the decimal. Other numbers stay as they are.
f64 in_few_digits(f64 number, f64 slack) {
  constexpr f64 kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  for (const f64 power : kPowers) {
    if (!(2 * slack * power >= 1)) continue;
    const f64 digits = number * power;
    return std::fabs(digits) < 0x1p53 ? std::rint(digits) / power : number;
  }
  return number;
}

bool counts(std::span<const f64> values, std::span<const f64> weights, size_t i) {
  return values[i] == values[i] && (weights.empty() || weights[i] != 0);
}

}  // namespace

// Factor and unit are powers of two, so to multiply by them is exact.
ScoreLine plain_line(const Line& line, f64 mean, f64 unit) {
  // Sums over a few hundred cases can be off by so much (line_fit.h).
  constexpr f64 kSlack = 0x1p-49;
  const f64 slope = line.slope == 0 ? 0 : line.slope * (line.factor * unit);
  const f64 drop = line.slope == 0 ? 0 : line.slope * line.middle;
  const f64 intercept = (mean - drop) * unit;
  const f64 size = (std::fabs(mean) + std::fabs(drop)) * unit;
  return {in_few_digits(slope, kSlack * std::fabs(slope)) + 0.0,
          in_few_digits(intercept, kSlack * size) + 0.0};
}

void LineFit::add(const ScoreLoops& loops, std::span<const f64> values,
                  std::span<const f64> deviations, std::span<const f64> weights) {
  if (!has_origin_) {
    size_t first = 0;
    while (first < values.size() && !counts(values, weights, first)) ++first;
    has_origin_ = first != values.size();
    if (has_origin_) origin_ = values[first];
  }
  const auto count = static_cast<u32>(values.size());
  if (weights.empty())
    loops.add_to_line(values.data(), deviations.data(), count, origin_, partials_);
  else
    loops.add_to_weighted_line(values.data(), deviations.data(), weights.data(), count, origin_,
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
                       std::span<const f64> deviations, std::span<const f64> weights) const {
  const LineSums plain = sums();
  if (!leaves_range(plain)) return plain;
  f64 largest = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const f64 size = counts(values, weights, i) ? std::fabs(values[i]) : 0;
    largest = size > largest ? size : largest;
  }
  LineFit scaled;
  scaled.factor_ = factor_of(largest);
  if (scaled.factor_ == 0 || scaled.factor_ == 1) return plain;
  std::vector<f64> of_values;
  for (const f64 value : values) of_values.push_back(value * scaled.factor_);
  scaled.add(loops, of_values, deviations, weights);
  return scaled.sums();
}

}  // namespace komuz::engine
