// SPDX-License-Identifier: Apache-2.0
#include "engine/search/evolution.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "engine/search/number_fits.h"

namespace komuz::engine {
namespace {

// The layers, in the form that a proposal looks at.
struct Parents {
  const Population* layers;

  [[nodiscard]] u32 size(u32 layer) const { return static_cast<u32>(layers[layer].size()); }
  [[nodiscard]] std::span<const u32> decisions(u32 layer, u32 rank) const {
    return layers[layer][rank].decisions;
  }
  [[nodiscard]] u64 born(u32 layer, u32 rank) const { return layers[layer][rank].born; }
};

}  // namespace

void Evolution::propose(size_t count, std::vector<Decisions>& out) {
  places_ = std::max(places_, count);
  origins_.assign(count, {});
  constexpr size_t kClimbing = 4;  // one of so many
  climbers_.clear();
  if (fits_ && fits_->can_fit()) find_climbers();
  breeding_.propose(count, out, [this](const Breeding::Turn& turn, Decisions& decisions) {
    if (!climbers_.empty() && turn.number % kClimbing == kClimbing - 1)
      return climb(turn, decisions);
    return evolve_proposal(turn, Parents{layers_}, generation_, origins_[turn.number], decisions);
  });
}

void Evolution::find_climbers() {
  constexpr size_t kBest = 4, kMostKinds = 32;
  std::vector<Place> all;
  for (u32 layer = 0; layer < AgeLayers::in_use(generation_); ++layer)
    for (u32 rank = 0; rank < layers_[layer].size(); ++rank) all.push_back({layer, rank});
  const auto at = [this](const Place& place) -> const Individual& {
    return layers_[place.layer][place.rank];
  };
  std::ranges::stable_sort(
      all, [&](const Place& a, const Place& b) { return at(a).fitness < at(b).fitness; });
  std::unordered_map<u32, size_t> kinds;
  for (const Place& place : all) {
    if (at(place).decisions.empty()) continue;
    // Where there are many, as points of a grid are, the last one is of all that are left.
    const size_t next = std::min(kinds.size(), kMostKinds - 1);
    const size_t kind = kinds.try_emplace(at(place).decisions.front(), next).first->second;
    if (kind == climbers_.size()) climbers_.emplace_back();
    if (climbers_[kind].size() < kBest) climbers_[kind].push_back(place);
  }
}

bool Evolution::climb(const Breeding::Turn& turn, Decisions& decisions) {
  EvolvedOrigin& origin = origins_[turn.number];
  Random& random = turn.variation.random;
  const bool goes_on = origin.retries.make(turn, true, decisions, [&] {
    const auto& kind = climbers_[random.below(static_cast<u32>(climbers_.size()))];
    const Place place = kind[random.below(static_cast<u32>(kind.size()))];
    const Individual& parent = layers_[place.layer][place.rank];
    origin.layer = place.layer;
    origin.born = parent.born;
    turn.variation.copy(decisions, parent.decisions);
    turn.variation.mutate(decisions);
  });
  if (origin.retries.is_drawn_instead()) origin = {0, generation_, origin.retries};
  return goes_on;
}

void Evolution::learn(std::span<const Decisions> proposed, std::span<const Found> found,
                      std::span<const Learnt> tuned) {
  std::array<size_t, AgeLayers::kLayers> added{};
  for (size_t k = 0; k < proposed.size(); ++k) ++added[origins_[k].layer];
  for (u32 layer = 0; layer < AgeLayers::kLayers; ++layer) layers_[layer].make_room(added[layer]);
  for (size_t k = 0; k < proposed.size(); ++k) {
    if (stop_.stop_requested()) return;
    const EvolvedOrigin& origin = origins_[k];
    layers_[origin.layer].add({proposed[k], found[k].fitness, found[k].behaviour, origin.born});
  }
  // Tuned variants are made from variants that were found to be good, and count as the oldest.
  Population& last = layers_[AgeLayers::in_use(generation_) - 1];
  for (const Learnt& one : tuned)
    last.add({one.decisions, one.found.fitness, one.found.behaviour, 0});
  ++generation_;
  const u32 layers = AgeLayers::in_use(generation_);
  const size_t places = std::max<size_t>(1, places_ / layers);
  for (u32 layer = 0; layer < layers && !stop_.stop_requested(); ++layer) {
    const u64 greatest_age = AgeLayers::greatest_age(layer);
    if (generation_ > greatest_age)
      layers_[layer].move_older(generation_ - greatest_age, layers_[layer + 1], stop_);
    layers_[layer].select(places, stop_);
  }
}

}  // namespace komuz::engine
