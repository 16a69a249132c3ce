// SPDX-License-Identifier: Apache-2.0
// How often a search draws each way of a decision, where not all are alike. Whoever knows more than the sketch says
// makes them (SearchOptions::weights). Nothing becomes impossible: no weight is zero.
#pragma once
#include <vector>

#include "base/hash.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

struct WayWeights {
  // By the plan's decisions and their ways. Empty: all ways of the decision are alike. No weight is zero, and those of
  // a decision add up to less than 2^63.
  std::vector<std::vector<u32>> of_decisions;
};

// Equal for equal weights: for the log of a run, which others must not go on with.
[[nodiscard]] Hash128 hash_of(const WayWeights& weights);
// By the ways of the tables, for VariationOf::way_weights.
[[nodiscard]] std::vector<u32> weights_of_ways(const VariantPlan& plan, const WayWeights& weights);

}  // namespace komuz::engine
