// SPDX-License-Identifier: Apache-2.0
#include "neural/proposals/numeric_cases.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace komuz::neural {
namespace {

using Column = std::vector<f64>;

// The logarithm to base 2 of the magnitude, but linear between powers of two.
f64 logarithm(f64 number) {
  int exponent = 0;
  const f64 mantissa = std::frexp(std::max(std::fabs(number), 1e-30), &exponent);
  return static_cast<f64>(exponent) + 2 * mantissa - 2;
}
f64 mean_of(const Column& numbers) {
  f64 sum = 0;
  for (const f64 number : numbers) sum += number;
  return sum / static_cast<f64>(numbers.size());
}
// The standard deviation; 1 if it is zero. That of equal numbers is, however their mean is rounded.
f64 spread_of(const Column& numbers, f64 mean) {
  const auto [least, most] = std::ranges::minmax(numbers);
  if (least == most) return 1;
  f64 sum = 0;
  for (const f64 number : numbers) sum += (number - mean) * (number - mean);
  const f64 spread = std::sqrt(sum / static_cast<f64>(numbers.size()));
  return spread > 0 ? spread : 1;
}

// A column less its mean, over its spread.
struct Standard {
  Column numbers;
  f64 spread;
};
Standard standard(Column numbers) {
  const f64 mean = mean_of(numbers), spread = spread_of(numbers, mean);
  for (f64& number : numbers) number = (number - mean) / spread;
  return {std::move(numbers), spread};
}
Column limited(Column numbers) {
  for (f64& number : numbers) number = std::clamp(number, -4.0, 4.0);
  return numbers;
}
Column column_of(std::span<const f32> numbers, bool is_logarithm) {
  Column out(numbers.begin(), numbers.end());
  if (is_logarithm) std::ranges::transform(out, out.begin(), logarithm);
  return out;
}

// Solves a symmetric system, whose diagonal is positive, in place: n rows of n, and the right side, which becomes the
// solution.
void solve(Column& rows, Column& right) {
  const size_t n = right.size();
  for (size_t k = 0; k < n; ++k)
    for (size_t r = k + 1; r < n; ++r) {
      const f64 factor = rows[r * n + k] / rows[k * n + k];
      for (size_t c = k; c < n; ++c) rows[r * n + c] -= factor * rows[k * n + c];
      right[r] -= factor * right[k];
    }
  for (size_t r = n; r-- > 0;) {
    for (size_t c = r + 1; c < n; ++c) right[r] -= rows[r * n + c] * right[c];
    right[r] /= rows[r * n + r];
  }
}

f64 mean_product(const Column& a, const Column& b) {
  f64 sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum / static_cast<f64>(a.size());
}

// Whether a fit is over the logarithms of the variables, and of what is expected.
constexpr struct {
  bool variables, expected;
} kKinds[kFits] = {{false, false}, {true, true}, {true, false}, {false, true}};

}  // namespace

std::vector<f32> scalar_features(std::span<const f32> numbers) {
  const size_t n = numbers.size();
  const Column logs = column_of(numbers, true);
  const Column z = limited(standard(column_of(numbers, false)).numbers);
  const Column zlog = limited(standard(logs).numbers);
  std::vector<u32> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](u32 k) { return numbers[k]; });
  std::vector<f32> out(n * kScalarFeatures);
  for (size_t place = 0; place < n; ++place) {
    const u32 k = order[place];
    const f64 rank = static_cast<f64>(place) / static_cast<f64>(n - 1) - 0.5;
    const f64 number = numbers[k];
    const f64 features[kScalarFeatures] = {z[k],
                                           zlog[k],
                                           rank,
                                           std::fabs(rank),
                                           z[k] * z[k] / 2,
                                           std::clamp(number / 4, -3.0, 3.0),
                                           std::clamp(logs[k] / 8, -3.0, 3.0),
                                           static_cast<f64>((number > 0) - (number < 0))};
    for (u32 f = 0; f < kScalarFeatures; ++f)
      out[k * kScalarFeatures + f] = static_cast<f32>(features[f]);
  }
  return out;
}

FitFeatures fit_features(const NumericCases& cases) {
  const size_t n = cases.variables.size();
  FitFeatures out{.slopes = std::vector<f32>(n * 2 * kFits), .rests = {}};
  for (u32 fit = 0; fit < kFits; ++fit) {
    std::vector<Standard> inputs;
    for (const std::vector<f32>& variable : cases.variables)
      inputs.push_back(standard(column_of(variable, kKinds[fit].variables)));
    const Standard outputs = standard(column_of(cases.expected, kKinds[fit].expected));
    Column rest = limited(outputs.numbers);
    Column rows(n * n), slopes(n);
    for (size_t r = 0; r < n; ++r) {
      for (size_t c = 0; c < n; ++c)
        rows[r * n + c] = mean_product(inputs[r].numbers, inputs[c].numbers) + (r == c ? 1e-4 : 0);
      slopes[r] = mean_product(inputs[r].numbers, rest);
    }
    solve(rows, slopes);
    for (size_t r = 0; r < n; ++r) {
      for (size_t k = 0; k < rest.size(); ++k) rest[k] -= slopes[r] * inputs[r].numbers[k];
      f32* const own = &out.slopes[r * 2 * kFits + 2 * fit];
      own[0] = static_cast<f32>(std::clamp(slopes[r], -4.0, 4.0));
      own[1] =
          static_cast<f32>(std::clamp(slopes[r] * outputs.spread / inputs[r].spread, -4.0, 4.0));
    }
    const f64 left = mean_product(rest, rest);
    out.rests[2 * fit] = static_cast<f32>(left);
    out.rests[2 * fit + 1] = static_cast<f32>(logarithm(std::max(left, 1e-6)) / 8);
  }
  return out;
}

}  // namespace komuz::neural
