// SPDX-License-Identifier: Apache-2.0
// How a method of search makes one proposal, and what it learns from its result, written for the host and for
// devices. A Turn has the proposal's variation, its number in the generation, and the attempt: in attempt 0 it is
// made from nothing, in later ones its last form had been proposed before.
#pragma once
#include "base/hash.h"
#include "engine/search/row_fitness.h"
#include "engine/search/variation.h"

namespace komuz::engine {

// Tells proposals apart.
[[nodiscard]] HD u64 hash_of_decisions(std::span<const u32> decisions) {
  Hash128 hash;
  for (size_t k = 0; k < decisions.size(); ++k) hash.add(decisions[k]);
  return hash.low ^ hash.high;
}
// The chance of a proposal, wherever it is made.
[[nodiscard]] HD Random chance_of(u64 seed, u64 generation, u64 number) {
  Hash128 hash;
  hash.add(seed);
  hash.add(generation);
  hash.add(number);
  return Random(hash.low ^ hash.high);
}

// Further attempts at a proposal that had been proposed before. A child of parents is changed a few times, then a
// variant is drawn instead, and then that one is changed. Small variants are drawn often and are soon known, so
// larger ones are made from them.
class Retries {
 public:
  // `child()` makes the proposal from parents; without parents it is drawn at once. False: it stays as it is.
  template <class Turn, class List, class Child>
  [[nodiscard]] HD_CALL bool make(const Turn& turn, bool is_child, List& decisions,
                                  const Child& child) {
    if (turn.attempt == 0 && is_child) {
      child();
      return true;
    }
    const bool is_drawn = drawn_at_ != kNever;
    if (!is_drawn && (turn.attempt == 0 || turn.attempt > kTries)) drawn_at_ = turn.attempt;
    const u32 since = turn.attempt - drawn_at_;
    if (drawn_at_ != kNever && since > 2 * kTries) return false;
    if (drawn_at_ != kNever && since <= kTries)
      turn.variation.draw(decisions);
    else
      turn.variation.mutate(decisions);
    return true;
  }
  // True if it was drawn because no new child was found.
  [[nodiscard]] HD bool is_drawn_instead() const { return drawn_at_ != kNever && drawn_at_ != 0; }

  static constexpr u32 kTries = 10;

 private:
  static constexpr u32 kNever = ~0u;
  u32 drawn_at_ = kNever;
};

// A child of two parents, or of one. `pick` gives the decisions of a parent.
template <class Variation, class List, class Pick>
HD_CALL void breed(Variation& variation, List& child, const Pick& pick) {
  variation.copy(child, pick());
  if (!variation.random.one_in(3)) variation.cross(child, pick());
  for (u32 k = variation.random.below(3); k > 0; --k) variation.mutate(child);
}
// Now and then a variant is drawn although there are parents.
[[nodiscard]] HD bool draws_immigrant(Random& random) { return random.one_in(20); }

// A proposal of evolution by selection. select() gives the decisions of a parent.
template <class Turn, class List, class Select>
[[nodiscard]] HD_CALL bool select_proposal(const Turn& turn, bool has_individuals, Retries& retries,
                                           List& out, const Select& select) {
  const bool has_parents =
      turn.attempt == 0 && has_individuals && !draws_immigrant(turn.variation.random);
  return retries.make(turn, has_parents, out, [&] { breed(turn.variation, out, select); });
}

// Counts the generations in which the best of a population did not improve.
class Staleness {
 public:
  // True if all but the best should start anew.
  [[nodiscard]] HD bool learn(const Fitness& best) {
    generations_ = !has_best_ || best < best_ ? 0 : generations_ + 1;
    has_best_ = true;
    best_ = best;
    if (generations_ < kPatience) return false;
    generations_ = 0;
    return true;
  }

 private:
  static constexpr u32 kPatience = 25;
  bool has_best_ = false;
  Fitness best_;
  u32 generations_ = 0;
};

// A proposal of the baseline, which draws all variants with equal probability.
template <class Turn, class List>
[[nodiscard]] HD_CALL bool draw_proposal(const Turn& turn, List& decisions) {
  if (turn.attempt > Retries::kTries) return false;
  turn.variation.draw(decisions, DrawKind::Variants);
  return true;
}

// One of many climbers. A climber moves to a change that makes it better, and starts anew if no change does.
class Climber {
 public:
  // `at`: its present variant.
  template <class Turn, class List>
  [[nodiscard]] HD_CALL bool propose(const Turn& turn, std::span<const u32> at, List& next) {
    if (turn.attempt == 0) drawn_at_ = 0;
    // The climber starts anew once its whole neighbourhood has been looked at.
    if (failures_ != kStart && turn.attempt > Retries::kTries) {
      failures_ = kStart;
      drawn_at_ = turn.attempt;
    }
    if (failures_ != kStart) {
      turn.variation.copy(next, at);
      turn.variation.mutate(next);
      return true;
    }
    if (turn.attempt - drawn_at_ > Retries::kTries) return false;
    turn.variation.draw(next);
    return true;
  }
  // True if it moves to its proposal.
  [[nodiscard]] HD bool learn(bool is_better) {
    if (failures_ == kStart || is_better) {
      failures_ = 0;
      return true;
    }
    if (++failures_ == kPatience) failures_ = kStart;
    return false;
  }

 private:
  static constexpr u32 kPatience = 60, kStart = ~0u;
  u32 failures_ = kStart;  // since the last improvement; kStart: it starts anew
  u32 drawn_at_ = 0;       // the attempt
};

// Evolution in layers of age (the age-layered population structure; Hornby, 2006). The age of a variant is that of
// its oldest ancestor, in generations. The variants of a layer do not exceed its age, which is twice that of the
// layer below; the last layer has no limit. Variants that get too old move up and compete there. The first layer
// starts anew again and again. If the parents give no new child, a variant is drawn in its place; it belongs to the
// first layer and has age 0. So variants that were bred for long do not displace new ones before these have had time
// to become good, and a search that has stopped improving always has other starting points.
struct AgeLayers {
  static constexpr u32 kLayers = 6;
  // Generations until the first layer starts anew, and also its greatest age.
  static constexpr u64 kAgeGap = 10;

  HD static u64 greatest_age(u32 layer) {
    return layer + 1 == kLayers ? ~u64{0} : kAgeGap << layer;
  }
  // The number of layers that may have variants by a generation.
  HD static u32 in_use(u64 generation) {
    u32 layers = 1;
    while (layers < kLayers && generation > greatest_age(layers - 1)) ++layers;
    return layers;
  }
};
// The layer of a proposal of evolution.
struct EvolvedOrigin {
  u32 layer = 0;
  u64 born = 0;  // generation in which its oldest ancestor was drawn
  Retries retries;
};

// A proposal of evolution from parents in layers: layers.size(layer), .decisions(layer, rank) and .born(layer, rank),
// the best first.
template <class Turn, class Layers, class List>
[[nodiscard]] HD_CALL bool evolve_proposal(const Turn& turn, const Layers& layers, u64 generation,
                                           EvolvedOrigin& origin, List& out) {
  constexpr u32 kFromBelow = 4, kTournament = 4;
  Random& random = turn.variation.random;
  bool has_parents = false;
  u32 parents = 0;  // their layer: mostly the child's, else the one below
  if (turn.attempt == 0) {
    const auto layer = static_cast<u32>(turn.number % AgeLayers::in_use(generation));
    const bool starts_anew = generation % AgeLayers::kAgeGap == 0;
    origin.layer = layer;
    origin.born = generation;
    const bool has_below = layer != 0 && layers.size(layer - 1) != 0;
    const bool takes_below = has_below && (layers.size(layer) == 0 || random.one_in(kFromBelow));
    parents = takes_below ? layer - 1 : layer;
    has_parents =
        layers.size(parents) != 0 && !(layer == 0 && (starts_anew || draws_immigrant(random)));
  }
  const bool goes_on = origin.retries.make(turn, has_parents, out, [&] {
    breed(turn.variation, out, [&] {
      // A tournament: the best of a few drawn variants.
      const u32 size = layers.size(parents);
      u32 best = random.below(size);
      for (u32 k = 1; k < kTournament; ++k) {
        const u32 other = random.below(size);
        best = other < best ? other : best;
      }
      const u64 born = layers.born(parents, best);
      origin.born = born < origin.born ? born : origin.born;
      return layers.decisions(parents, best);
    });
  });
  if (origin.retries.is_drawn_instead()) {
    origin.layer = 0;
    origin.born = generation;
  }
  return goes_on;
}

}  // namespace komuz::engine
