// SPDX-License-Identifier: Apache-2.0
#include "engine/search/lexicase_search.h"

#include <algorithm>
#include <unordered_set>

namespace komuz::engine {

void LexicaseSearch::propose(size_t count, std::vector<Decisions>& out) {
  places_ = std::max(places_, static_cast<u32>(count));
  retries_.assign(count, {});
  breeding_.propose(count, out, [this](const Breeding::Turn& turn, Decisions& child) {
    return select_proposal(turn, !population_.empty(), retries_[turn.number], child, [&] {
      const u32 parent = selection_.select(turn.worker, turn.variation.random);
      return std::span<const u32>(population_[parent].decisions);
    });
  });
}

void LexicaseSearch::learn(std::span<const Decisions> proposed, std::span<const Found> found,
                           std::span<const Learnt> tuned) {
  ++generation_;
  for (size_t k = 0; k < proposed.size(); ++k)
    if (!found[k].case_losses.empty()) population_.push_back({proposed[k], found[k]});
  for (const Learnt& one : tuned)
    if (!one.found.case_losses.empty()) population_.push_back({one.decisions, one.found});
  if (population_.empty()) return;
  std::ranges::stable_sort(population_, [](const Individual& a, const Individual& b) {
    return a.found.fitness < b.found.fitness;
  });
  keep_one_of_each();
  if (population_.size() > places_) survive();
  if (staleness_.learn(population_.front().found.fitness)) population_.resize(1);
  look_at_losses();
}

// Keeps the best of the individuals that have the same losses on every case.
void LexicaseSearch::keep_one_of_each() {
  std::unordered_set<u64> seen;
  std::erase_if(population_, [&](const Individual& individual) {
    const std::vector<f64>& losses = individual.found.case_losses;
    return !seen.insert(hash_of_losses(losses.data(), static_cast<u32>(losses.size()))).second;
  });
}

void LexicaseSearch::survive() {
  look_at_losses();
  const std::vector<bool> stays = selection_.survivors(places_, seed_, generation_);
  size_t at = 0;
  std::erase_if(population_, [&](const Individual&) { return !stays[at++]; });
}

void LexicaseSearch::look_at_losses() {
  std::vector<std::span<const f64>> losses;
  for (const Individual& individual : population_)
    losses.emplace_back(individual.found.case_losses);
  selection_.look_at(losses);
}

}  // namespace komuz::engine
