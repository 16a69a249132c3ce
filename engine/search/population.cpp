// SPDX-License-Identifier: Apache-2.0
#include "engine/search/population.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "engine/search/sort_unless_stopped.h"

namespace komuz::engine {

void Population::move_older(u64 generation, Population& to) {
  const auto first = std::ranges::stable_partition(
      individuals_, [&](const Individual& one) { return one.born >= generation; });
  std::ranges::move(first, std::back_inserter(to.individuals_));
  individuals_.erase(first.begin(), individuals_.end());
}

// What gives the same on each case; and of the same ticks and bytes what has nearly the same loss.
void Population::keep_one_of_each(const std::stop_token& stop) {
  std::unordered_set<u64> behaviours, costs;
  std::erase_if(individuals_, [&](const Individual& individual) {
    if (stop.stop_requested()) return false;
    return !behaviours.insert(individual.behaviour).second ||
           !costs.insert(cost_hash(individual.fitness)).second;
  });
}

// Of those that are as good the earlier one comes first.
void Population::sort_by_fitness(const std::stop_token& stop) {
  struct Row {
    Fitness fitness;
    u32 at = 0;
  };
  std::vector<Row> order;
  for (u32 at = 0; at < individuals_.size(); ++at) order.push_back({individuals_[at].fitness, at});
  const auto comes_first = [](const Row& a, const Row& b) {
    return a.fitness < b.fitness || (!(b.fitness < a.fitness) && a.at < b.at);
  };
  sort_unless_stopped(order, comes_first, stop);
  if (stop.stop_requested()) return;
  std::vector<Individual> sorted;
  sorted.reserve(order.size());
  for (const Row& row : order) sorted.push_back(std::move(individuals_[row.at]));
  individuals_ = std::move(sorted);
}

void Population::select(size_t places, const std::stop_token& stop) {
  sort_by_fitness(stop);
  keep_one_of_each(stop);
  if (individuals_.size() <= places || stop.stop_requested()) return;
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
