// SPDX-License-Identifier: Apache-2.0
#include "engine/search/population.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace komuz::engine {

void Population::move_older(u64 generation, Population& to) {
  const auto first = std::ranges::stable_partition(
      individuals_, [&](const Individual& one) { return one.born >= generation; });
  std::ranges::move(first, std::back_inserter(to.individuals_));
  individuals_.erase(first.begin(), individuals_.end());
}

// What gives the same on each case; and of the same ticks and bytes what has nearly the same loss.
void Population::keep_one_of_each() {
  std::unordered_set<u64> behaviours, costs;
  std::erase_if(individuals_, [&](const Individual& individual) {
    return !behaviours.insert(individual.behaviour).second ||
           !costs.insert(cost_hash(individual.fitness)).second;
  });
}

void Population::select(size_t places) {
  std::ranges::stable_sort(
      individuals_, [](const Individual& a, const Individual& b) { return a.fitness < b.fitness; });
  keep_one_of_each();
  if (individuals_.size() <= places) return;
  struct Place {
    u32 rank_in_size, at;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> order;
  std::unordered_map<size_t, u32> ranks;
  for (u32 at = 0; at < individuals_.size(); ++at)
    order.push_back({ranks[individuals_[at].decisions.size()]++, at});
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(places));
  order.resize(places);
  std::ranges::sort(order, {}, &Place::at);
  for (u32 k = 0; k < places; ++k)
    if (order[k].at != k) individuals_[k] = std::move(individuals_[order[k].at]);
  individuals_.resize(places);
}

}  // namespace komuz::engine
