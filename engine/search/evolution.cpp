// SPDX-License-Identifier: Apache-2.0
#include "engine/search/evolution.h"

#include <algorithm>
#include <limits>

namespace komuz::engine {

u64 Evolution::greatest_age(u32 layer) {
  return layer + 1 == kLayers ? std::numeric_limits<u64>::max() : kAgeGap << layer;
}

u32 Evolution::layers_in_use() const {
  u32 layers = 1;
  while (layers < kLayers && generation_ > greatest_age(layers - 1)) ++layers;
  return layers;
}

void Evolution::propose(size_t count, std::vector<Decisions>& out) {
  places_ = std::max(places_, count);
  origins_.assign(count, {});
  breeding_.propose(count, out, [this](const Breeding::Turn& turn, Decisions& decisions) {
    return make(turn, decisions);
  });
}

bool Evolution::make(const Breeding::Turn& turn, Decisions& out) {
  Random& random = turn.variation.random;
  Origin& origin = origins_[turn.number];
  const Population* parents = nullptr;
  if (turn.attempt == 0) {
    const auto layer = static_cast<u32>(turn.number % layers_in_use());
    const bool starts_anew = generation_ % kAgeGap == 0;
    origin.layer = layer;
    origin.born = generation_;
    parents = &parents_for(layer, random);
    if (parents->is_empty() || (layer == 0 && (starts_anew || draws_immigrant(random))))
      parents = nullptr;
  }
  const bool goes_on = origin.retries.make(turn, parents != nullptr, out, [&] {
    breed(turn.variation, out, [&]() -> const Decisions& {
      const Individual& parent = select_by_tournament(*parents, random);
      origin.born = std::min(origin.born, parent.born);
      return parent.decisions;
    });
  });
  if (origin.retries.is_drawn_instead()) {
    origin.layer = 0;
    origin.born = generation_;
  }
  return goes_on;
}

const Population& Evolution::parents_for(u32 layer, Random& random) const {
  constexpr u32 kFromBelow = 4;
  const bool has_below = layer != 0 && !layers_[layer - 1].is_empty();
  const bool takes_below = has_below && (layers_[layer].is_empty() || random.one_in(kFromBelow));
  return layers_[takes_below ? layer - 1 : layer];
}

// Of a few drawn ones the best: a population is sorted.
const Individual& Evolution::select_by_tournament(const Population& population, Random& random) {
  u32 best = random.below(population.size());
  for (u32 k = 1; k < kTournament; ++k) best = std::min(best, random.below(population.size()));
  return population[best];
}

void Evolution::learn(std::span<const Decisions> proposed, std::span<const Found> found) {
  // What is learnt beside the proposals is made of what has been found to be good, and is as old as anything.
  const Origin of_others{layers_in_use() - 1, 0, {}};
  for (size_t k = 0; k < proposed.size(); ++k) {
    const Origin& origin = k < origins_.size() ? origins_[k] : of_others;
    layers_[origin.layer].add({proposed[k], found[k].fitness, found[k].behaviour, origin.born});
  }
  ++generation_;
  const u32 layers = layers_in_use();
  const size_t places = std::max<size_t>(1, places_ / layers);
  for (u32 layer = 0; layer < layers; ++layer) {
    if (generation_ > greatest_age(layer))
      layers_[layer].move_older(generation_ - greatest_age(layer), layers_[layer + 1]);
    layers_[layer].select(places);
  }
}

}  // namespace komuz::engine
