// SPDX-License-Identifier: Apache-2.0
#include "neural/router/router.h"

#include <algorithm>
#include <cmath>

namespace komuz::neural {
namespace {

// What is estimated: two ways, three figures of each.
enum class Estimate : u8 {
  RulesChance,
  NeuralChance,
  RulesShare,
  NeuralShare,
  RulesCost,
  NeuralCost
};
constexpr u32 kEstimates = 6;

struct Weights {
  f32 constant[kEstimates];
  f32 of[kFeatures][kEstimates];
};
constexpr Weights kWeights = {
#define CONSTANT(...) {__VA_ARGS__},
#define WEIGHT(...)
#include "neural/router/weights.def"
    {
#define CONSTANT(...)
#define WEIGHT(Name, ...) {__VA_ARGS__},
#include "neural/router/weights.def"
    }};

// The rows stand in the order of the features.
constexpr Feature kRows[] = {
#define CONSTANT(...)
#define WEIGHT(Name, ...) Feature::Name,
#include "neural/router/weights.def"
};
constexpr bool is_in_order() {
  for (u32 k = 0; k < std::size(kRows); ++k)
    if (static_cast<u32>(kRows[k]) != k) return false;
  return std::size(kRows) == kFeatures;
}
static_assert(is_in_order());

// Nothing is expected to save more of the time, or less.
constexpr f32 kMostShare = 0.95f;
// Whatever the features: a cost is of this order, in logarithms of nanoseconds.
constexpr f32 kLeastLogCost = 6, kMostLogCost = 25;

f32 logistic(f32 x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

Route route(const RouterFeatures& features, f64 work_ns, bool has_model) {
  f32 sums[kEstimates];
  for (u32 e = 0; e < kEstimates; ++e) sums[e] = kWeights.constant[e];
  for (u32 k = 0; k < kFeatures; ++k)
    for (u32 e = 0; e < kEstimates; ++e) sums[e] += features.values[k] * kWeights.of[k][e];
  const auto sum = [&](Estimate estimate) { return sums[static_cast<u32>(estimate)]; };

  Route out;
  const auto expect = [&](Way way, Estimate chance, Estimate share, Estimate cost) {
    Expectation& expected = out.expected[static_cast<u32>(way)];
    expected.chance = logistic(sum(chance));
    expected.share = std::clamp(sum(share), 0.0f, kMostShare);
    expected.gain_ns = f64{expected.chance} * f64{expected.share} * work_ns;
    expected.cost_ns = std::exp(f64{std::clamp(sum(cost), kLeastLogCost, kMostLogCost)});
    const f64 net = expected.gain_ns - expected.cost_ns;
    if (net > out.chosen().gain_ns - out.chosen().cost_ns) out.way = way;
  };
  expect(Way::Rules, Estimate::RulesChance, Estimate::RulesShare, Estimate::RulesCost);
  if (has_model)
    expect(Way::Neural, Estimate::NeuralChance, Estimate::NeuralShare, Estimate::NeuralCost);
  out.limit_ns = out.chosen().gain_ns;
  return out;
}

}  // namespace komuz::neural
