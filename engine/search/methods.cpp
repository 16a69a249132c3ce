// SPDX-License-Identifier: Apache-2.0
// The methods of search. Each keeps to what search.h says of one: all chance comes from its seed.
#include <algorithm>

#include "engine/search/breeding.h"
#include "engine/search/evolution.h"
#include "engine/search/lexicase_search.h"
#include "engine/search/search.h"
#include "engine/search/tuned_search.h"

namespace komuz::engine {

namespace {

class RandomSearch final : public SearchMethod {
 public:
  RandomSearch(const VariantPlan& plan, u64 seed, u32 threads)
      : plan_(plan), breeding_(plan, seed, threads) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    breeding_.propose(count, out, [this](const Breeding::Turn& turn, Decisions& decisions) {
      if (turn.attempt > Retries::kTries) return false;
      draw_variant(plan_, DrawKind::Variants, turn.variation.random, decisions);
      return true;
    });
  }
  void learn(std::span<const Decisions>, std::span<const Found>) override {}

 private:
  const VariantPlan& plan_;
  Breeding breeding_;
};

class LocalSearch final : public SearchMethod {
 public:
  LocalSearch(const VariantPlan& plan, u64 seed, u32 threads) : breeding_(plan, seed, threads) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    climbers_.resize(count);
    breeding_.propose(count, out, [this](const Breeding::Turn& turn, Decisions& next) {
      Climber& climber = climbers_[turn.number];
      if (turn.attempt == 0) climber.drawn_at = 0;
      // Where all that is near has been looked at, the climber starts anew.
      if (climber.failures != kStart && turn.attempt > Retries::kTries) {
        climber.failures = kStart;
        climber.drawn_at = turn.attempt;
      }
      if (climber.failures != kStart) {
        next = climber.at.decisions;
        turn.variation.mutate(next);
        return true;
      }
      if (turn.attempt - climber.drawn_at > Retries::kTries) return false;
      turn.variation.draw(next);
      return true;
    });
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
    u32 drawn_at = 0;       // in which attempt
  };

  Breeding breeding_;
  std::vector<Climber> climbers_;
};

}  // namespace

std::unique_ptr<SearchMethod> make_search(const SearchOptions& options, const VariantPlan& plan) {
  const u64 seed = options.seed;
  const u32 threads = options.threads;
  const auto tuned = [&](std::unique_ptr<SearchMethod> method) -> std::unique_ptr<SearchMethod> {
    if (!options.tunes_constants || !has_grids(plan)) return method;
    return std::make_unique<TunedSearch>(plan, std::move(method), options.tunes_distances);
  };
  switch (options.kind) {
    case SearchKind::Evolve: return tuned(std::make_unique<Evolution>(plan, seed, threads));
    case SearchKind::Local: return std::make_unique<LocalSearch>(plan, seed, threads);
    case SearchKind::Lexicase: return tuned(std::make_unique<LexicaseSearch>(plan, seed, threads));
    case SearchKind::Random: break;
  }
  return std::make_unique<RandomSearch>(plan, seed, threads);
}

}  // namespace komuz::engine
