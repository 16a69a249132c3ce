// SPDX-License-Identifier: Apache-2.0
#include "neural/router/router.h"

#include <algorithm>
#include <cmath>

namespace komuz::neural {
namespace {

// What is estimated: of each way that does something its chance, its share and its cost.
enum class Estimate : u8 {
  RulesChance,
  ModelChance,
  RulesShare,
  ModelShare,
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

// Nothing is expected to save more of the time, or less: what runs for long enough is looked at in any case.
constexpr f32 kLeastShare = 0.002f, kMostShare = 0.95f;
// Whatever the features: a cost is of this order, in logarithms of nanoseconds.
constexpr f32 kLeastLogCost = 6, kMostLogCost = 25;

f32 logistic(f32 x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

Route route(const RouterFeatures& features, f64 work_ns, bool has_model) {
  if (work_ns < kLeastWorkNs) return {};
  f32 sums[kEstimates];
  for (u32 e = 0; e < kEstimates; ++e) sums[e] = kWeights.constant[e];
  for (u32 k = 0; k < kFeatures; ++k)
    for (u32 e = 0; e < kEstimates; ++e) sums[e] += features.values[k] * kWeights.of[k][e];
  const auto sum = [&](Estimate estimate) { return sums[static_cast<u32>(estimate)]; };

  Route out;
  const f64 limit_ns = kMostLoss * work_ns;
  const auto expect = [&](Way way, Estimate chance, Estimate share, Estimate cost) {
    const u32 number = static_cast<u32>(way);
    Expectation& expected = out.expected[number];
    expected.chance = logistic(sum(chance));
    expected.share = std::clamp(sum(share), kLeastShare, kMostShare);
    // Together they save no more than there is.
    expected.gain_ns = std::min(
        out.expected[number - 1].gain_ns + f64{expected.chance} * f64{expected.share} * work_ns,
        f64{kMostShare} * work_ns);
    expected.cost_ns = std::exp(f64{std::clamp(sum(cost), kLeastLogCost, kMostLogCost)});
    if (expected.cost_ns > limit_ns) return;
    const f64 net = expected.gain_ns - expected.cost_ns;
    if (net > out.chosen().gain_ns - out.chosen().cost_ns) out.way = way;
  };
  expect(Way::Rules, Estimate::RulesChance, Estimate::RulesShare, Estimate::RulesCost);
  if (has_model)
    expect(Way::Neural, Estimate::ModelChance, Estimate::ModelShare, Estimate::NeuralCost);
  if (out.way != Way::Traditional) out.limit_ns = limit_ns;
  return out;
}

}  // namespace komuz::neural
