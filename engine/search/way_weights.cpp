// SPDX-License-Identifier: Apache-2.0
#include "engine/search/way_weights.h"

#include <algorithm>

namespace komuz::engine {

Hash128 hash_of(const WayWeights& weights) {
  Hash128 hash;
  for (const std::vector<u32>& decision : weights.of_decisions) {
    hash.add(decision.size());
    for (const u32 weight : decision) hash.add(weight);
  }
  return hash;
}

std::vector<u32> weights_of_ways(const VariantPlan& plan, const WayWeights& weights) {
  const VariantTables tables = plan.tables();
  std::vector<u32> out(tables.ways.size(), 1);
  for (const VariantTables::Step& step : tables.steps) {
    if (step.first_way == VariantTables::kNoWays) continue;
    const std::vector<u32>& own = weights.of_decisions[step.decision];
    std::copy_n(own.begin(), std::min<size_t>(own.size(), step.ways), out.begin() + step.first_way);
  }
  return out;
}

}  // namespace komuz::engine
