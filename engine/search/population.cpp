// SPDX-License-Identifier: Apache-2.0
#include "engine/search/population.h"

#include <algorithm>
#include <unordered_map>

#include "engine/search/sort_unless_stopped.h"
#include "engine/support/hash_slots.h"

namespace komuz::engine {

void Population::keep(size_t count, const std::stop_token& stop) {
  while (individuals_.size() > count && !stop.stop_requested()) individuals_.pop_back();
}

void Population::move_older(u64 generation, Population& to, const std::stop_token& stop) {
  size_t kept = 0;
  for (Individual& one : individuals_) {
    if (stop.stop_requested()) return;
    if (one.born < generation)
      to.add(std::move(one));
    else if (Individual& place = individuals_[kept++]; &place != &one)
      place = std::move(one);
  }
  keep(kept, stop);
}

// Removes variants with equal results on each case, and variants with nearly the same loss and equal ticks and bytes.
void Population::keep_one_of_each(const std::stop_token& stop) {
  HashSet behaviours, costs;
  size_t kept = 0;
  for (Individual& one : individuals_) {
    if (stop.stop_requested()) return;
    if (!behaviours.add(one.behaviour) || !costs.add(cost_hash(one.fitness))) continue;
    if (Individual& place = individuals_[kept++]; &place != &one) place = std::move(one);
  }
  keep(kept, stop);
}

// The earlier of equally good variants comes first.
void Population::sort_by_fitness(const std::stop_token& stop) {
  struct Row {
    Fitness fitness;
    u32 at = 0;
  };
  std::vector<Row> order;
  order.reserve(individuals_.size());
  for (u32 at = 0; at < individuals_.size(); ++at) order.push_back({individuals_[at].fitness, at});
  const auto comes_first = [](const Row& a, const Row& b) {
    return a.fitness < b.fitness || (!(b.fitness < a.fitness) && a.at < b.at);
  };
  sort_unless_stopped(order, comes_first, stop);
  // Permutes in cycles: each element moves to its place, and the element found there moves on, until the cycle
  // closes.
  for (u32 first = 0; first < order.size(); ++first) {
    if (stop.stop_requested()) return;
    if (order[first].at == first) continue;
    Individual moved = std::move(individuals_[first]);
    u32 free = first;
    for (u32 from = order[free].at; from != first; from = order[free].at) {
      individuals_[free] = std::move(individuals_[from]);
      order[free].at = free;
      free = from;
    }
    individuals_[free] = std::move(moved);
    order[free].at = free;
  }
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
  for (u32 k = 0; k < places && !stop.stop_requested(); ++k)
    if (order[k].at != k) individuals_[k] = std::move(individuals_[order[k].at]);
  keep(places, stop);
}

}  // namespace komuz::engine
