// SPDX-License-Identifier: Apache-2.0
// The methods of search. Each keeps to what search.h says of one: all chance comes from its seed.
#include <algorithm>

#include "engine/search/lexicase_search.h"
#include "engine/search/population.h"
#include "engine/search/search.h"
#include "engine/search/tuned_search.h"
#include "engine/search/variation.h"

namespace komuz::engine {

namespace {

class RandomSearch final : public SearchMethod {
 public:
  RandomSearch(const VariantPlan& plan, u64 seed) : plan_(plan), random_(seed) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    out.resize(count);
    for (Decisions& decisions : out) draw_variant(plan_, DrawKind::Variants, random_, decisions);
  }
  void learn(std::span<const Decisions>, std::span<const Found>) override {}

 private:
  const VariantPlan& plan_;
  Random random_;
};

// The best of each generation and its offspring compete for as many places as the largest generation has.
class Evolution final : public SearchMethod {
 public:
  Evolution(const VariantPlan& plan, u64 seed) : breeder_(plan, seed) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    places_ = std::max(places_, count);
    out.resize(count);
    for (Decisions& child : out)
      breeder_.breed(child, !population_.is_empty(),
                     [this]() -> const Decisions& { return winner().decisions; });
  }
  void learn(std::span<const Decisions> proposed, std::span<const Found> found) override {
    const bool had_best = !population_.is_empty();
    const Fitness best = had_best ? population_[0].fitness : Fitness{};
    population_.add(proposed, found);
    population_.select(places_);
    stale_ = had_best && !(population_[0].fitness < best) ? stale_ + 1 : 0;
    if (stale_ < kPatience) return;
    population_.keep_best();
    stale_ = 0;
  }

 private:
  static constexpr u32 kTournament = 4, kPatience = 25;

  // Of a few drawn ones the best: the population is sorted.
  [[nodiscard]] const Individual& winner() {
    u32 best = breeder_.random().below(population_.size());
    for (u32 k = 1; k < kTournament; ++k)
      best = std::min(best, breeder_.random().below(population_.size()));
    return population_[best];
  }

  Breeder breeder_;
  size_t places_ = 0;
  Population population_;
  u32 stale_ = 0;  // generations without a better one
};

class LocalSearch final : public SearchMethod {
 public:
  LocalSearch(const VariantPlan& plan, u64 seed) : variation_(plan, seed) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    out.resize(count);
    climbers_.resize(count);
    for (size_t k = 0; k < count; ++k) {
      if (climbers_[k].failures == kStart) {
        variation_.draw(out[k]);
        continue;
      }
      out[k] = climbers_[k].at.decisions;
      variation_.mutate(out[k]);
    }
  }
  void learn(std::span<const Decisions> proposed, std::span<const Found> found) override {
    for (size_t k = 0; k < proposed.size(); ++k) {
      Climber& climber = climbers_[k];
      const bool starts = climber.failures == kStart;
      const Fitness& fitness = found[k].fitness;
      if (starts || fitness < climber.at.fitness) {
        climber.at = {proposed[k], fitness, 0};
        climber.failures = 0;
      } else if (++climber.failures == kPatience) {
        climber.failures = kStart;
      }
    }
  }

 private:
  static constexpr u32 kPatience = 60, kStart = ~0u;
  struct Climber {
    Individual at;
    u32 failures = kStart;  // since it last got better; kStart: it starts anew
  };

  Variation variation_;
  std::vector<Climber> climbers_;
};

}  // namespace

std::unique_ptr<SearchMethod> make_search(const SearchOptions& options, const VariantPlan& plan) {
  const u64 seed = options.seed;
  const auto tuned = [&](std::unique_ptr<SearchMethod> method) -> std::unique_ptr<SearchMethod> {
    if (!options.tunes_constants || !has_grids(plan)) return method;
    return std::make_unique<TunedSearch>(plan, std::move(method));
  };
  switch (options.kind) {
    case SearchKind::Evolve: return tuned(std::make_unique<Evolution>(plan, seed));
    case SearchKind::Local: return std::make_unique<LocalSearch>(plan, seed);
    case SearchKind::Lexicase: return tuned(std::make_unique<LexicaseSearch>(plan, seed));
    case SearchKind::Random: break;
  }
  return std::make_unique<RandomSearch>(plan, seed);
}

}  // namespace komuz::engine
