// SPDX-License-Identifier: Apache-2.0
#include "engine/search/migration.h"

#include <algorithm>

namespace komuz::engine {

void BestVariants::add(const Decisions& decisions, const Fitness& fitness, u64 behaviour) {
  if (fitness.is_unscored || decisions.empty()) return;
  if (kept_.size() == most_ && (most_ == 0 || !(fitness < kept_.back().fitness))) return;
  const u64 cost = cost_hash(fitness);
  const auto is_alike = [&](const Kept& one) {
    return one.behaviour == behaviour || cost_hash(one.fitness) == cost;
  };
  if (const auto alike = std::ranges::find_if(kept_, is_alike); alike != kept_.end()) {
    if (!(fitness < alike->fitness)) return;
    std::erase_if(kept_, is_alike);
  }
  const auto place =
      std::ranges::find_if(kept_, [&](const Kept& one) { return fitness < one.fitness; });
  kept_.insert(place, {decisions, fitness, behaviour});
  if (kept_.size() > most_) kept_.pop_back();
}

std::vector<Decisions> BestVariants::list() const {
  std::vector<Decisions> out;
  for (const Kept& one : kept_) out.push_back(one.decisions);
  return out;
}

}  // namespace komuz::engine
