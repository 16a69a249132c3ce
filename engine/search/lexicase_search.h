// SPDX-License-Identifier: Apache-2.0
// Evolution by lexicase selection: of a generation and its offspring those survive that it selects, and of these the parents.
#pragma once
#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_set>

#include "base/hash.h"
#include "engine/search/breeding.h"
#include "engine/search/lexicase.h"
#include "engine/search/search.h"

namespace komuz::engine {

class LexicaseSearch final : public SearchMethod {
 public:
  LexicaseSearch(const VariantPlan& plan, u64 seed, u32 threads)
      : breeding_(plan, seed, threads), random_(seed), scratch_(breeding_.workers()) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    places_ = std::max(places_, count);
    retries_.assign(count, {});
    breeding_.propose(count, out, [this](const Breeding::Turn& turn, Decisions& child) {
      Random& random = turn.variation.random;
      const bool has_parents =
          turn.attempt == 0 && !population_.empty() && !draws_immigrant(random);
      return retries_[turn.number].make(turn, has_parents, child, [&] {
        breed(turn.variation, child, [&]() -> const Decisions& {
          return population_[selection_->select(random, scratch_[turn.worker])].decisions;
        });
      });
    });
  }
  void learn(std::span<const Decisions> proposed, std::span<const Found> found) override {
    for (size_t k = 0; k < proposed.size(); ++k)
      if (!found[k].case_losses.empty()) population_.push_back({proposed[k], found[k]});
    if (population_.empty()) return;
    std::ranges::stable_sort(population_, [](const Individual& a, const Individual& b) {
      return a.found.fitness < b.found.fitness;
    });
    keep_one_of_each();
    if (population_.size() > places_) survive(places_);
    const Fitness& best = population_.front().found.fitness;
    stale_ = best_ && !(best < *best_) ? stale_ + 1 : 0;
    best_ = best;
    if (stale_ == kPatience) {
      population_.resize(1);  // the best one stays
      stale_ = 0;
    }
    selection_.emplace(losses());
  }

 private:
  static constexpr u32 kPatience = 25;  // generations without a better one
  struct Individual {
    Decisions decisions;
    Found found;
  };

  [[nodiscard]] std::vector<std::span<const f64>> losses() const {
    std::vector<std::span<const f64>> out;
    for (const Individual& individual : population_) out.emplace_back(individual.found.case_losses);
    return out;
  }
  // Of those that lose the same on every case the best one.
  void keep_one_of_each() {
    std::unordered_set<u64> seen;
    std::erase_if(population_, [&](const Individual& individual) {
      Hash128 hash;
      for (const f64 loss : individual.found.case_losses) hash.add(std::bit_cast<u64>(loss));
      return !seen.insert(hash.low ^ hash.high).second;
    });
  }
  // The best one, and whom lexicase selects; the order stays.
  void survive(size_t count) {
    Lexicase selection(losses());
    std::vector<bool> stays(population_.size());
    for (u32 next = 0; count > 0; --count) {
      stays[next] = true;
      selection.remove(next);
      if (count > 1) next = selection.select(random_, scratch_[0]);
    }
    size_t at = 0;
    std::erase_if(population_, [&](const Individual&) { return !stays[at++]; });
  }

  Breeding breeding_;
  Random random_;                           // of who survives
  std::vector<Lexicase::Scratch> scratch_;  // one a worker
  std::vector<Retries> retries_;            // of the generation
  size_t places_ = 0;                       // of the population
  std::vector<Individual> population_;      // the best first
  std::optional<Lexicase> selection_;       // of it
  std::optional<Fitness> best_;
  u32 stale_ = 0;  // generations without a better one
};

}  // namespace komuz::engine
