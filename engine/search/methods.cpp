// SPDX-License-Identifier: Apache-2.0
// The methods of search. Each follows the contract of search.h: all its chance comes from its seed.
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
  RandomSearch(const VariantPlan& plan, const SearchOptions& options) : breeding_(plan, options) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    breeding_.propose(count, out, [](const Breeding::Turn& turn, Decisions& decisions) {
      return draw_proposal(turn, decisions);
    });
  }
  void learn(std::span<const Decisions>, std::span<const Found>, std::span<const Learnt>) override {
  }

 private:
  Breeding breeding_;
};

class LocalSearch final : public SearchMethod {
 public:
  LocalSearch(const VariantPlan& plan, const SearchOptions& options) : breeding_(plan, options) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    places_.resize(count);
    breeding_.propose(count, out, [this](const Breeding::Turn& turn, Decisions& next) {
      Place& place = places_[turn.number];
      return place.climber.propose(turn, place.at, next);
    });
  }
  void learn(std::span<const Decisions> proposed, std::span<const Found> found,
             std::span<const Learnt>) override {
    for (size_t k = 0; k < proposed.size(); ++k) {
      Place& place = places_[k];
      if (!place.climber.learn(found[k].fitness < place.fitness)) continue;
      place.at = proposed[k];
      place.fitness = found[k].fitness;
    }
  }

 private:
  struct Place {
    Climber climber;
    Decisions at;
    Fitness fitness;
  };

  Breeding breeding_;
  std::vector<Place> places_;
};

}  // namespace

std::unique_ptr<SearchMethod> make_search(const SearchOptions& options, const VariantPlan& plan) {
  const auto tuned = [&](std::unique_ptr<SearchMethod> method) -> std::unique_ptr<SearchMethod> {
    if (!tunes_constants(options, plan)) return method;
    return std::make_unique<TunedSearch>(plan, std::move(method), options);
  };
  switch (options.kind) {
    case SearchKind::Evolve: return tuned(std::make_unique<Evolution>(plan, options));
    case SearchKind::Local: return std::make_unique<LocalSearch>(plan, options);
    case SearchKind::Lexicase: return tuned(std::make_unique<LexicaseSearch>(plan, options));
    case SearchKind::Random: break;
  }
  return std::make_unique<RandomSearch>(plan, options);
}

}  // namespace komuz::engine
