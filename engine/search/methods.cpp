// SPDX-License-Identifier: Apache-2.0
// The methods of search. Each keeps to what search.h says of one: all chance comes from its seed.
#include <algorithm>

#include "engine/search/evolution.h"
#include "engine/search/lexicase_search.h"
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
    for (Decisions& decisions : out)
      proposals_.draw_new(
          decisions, [&](Decisions& d) { draw_variant(plan_, DrawKind::Variants, random_, d); });
  }
  void learn(std::span<const Decisions>, std::span<const Found>) override {}

 private:
  const VariantPlan& plan_;
  Random random_;
  Proposals proposals_;
};

class LocalSearch final : public SearchMethod {
 public:
  LocalSearch(const VariantPlan& plan, u64 seed) : variation_(plan, seed) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    out.resize(count);
    climbers_.resize(count);
    for (size_t k = 0; k < count; ++k) {
      // Where all that is near has been looked at, the climber starts anew.
      if (climbers_[k].failures != kStart) {
        const auto step = [&](Decisions& next) {
          next = climbers_[k].at.decisions;
          variation_.mutate(next);
        };
        if (proposals_.draw_new(out[k], step)) continue;
        climbers_[k].failures = kStart;
      }
      proposals_.draw_new(out[k], [&](Decisions& next) { variation_.draw(next); });
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
  Proposals proposals_;
  std::vector<Climber> climbers_;
};

}  // namespace

std::unique_ptr<SearchMethod> make_search(const SearchOptions& options, const VariantPlan& plan) {
  const u64 seed = options.seed;
  const auto tuned = [&](std::unique_ptr<SearchMethod> method) -> std::unique_ptr<SearchMethod> {
    if (!options.tunes_constants || !has_grids(plan)) return method;
    return std::make_unique<TunedSearch>(plan, std::move(method), options.tunes_distances);
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
