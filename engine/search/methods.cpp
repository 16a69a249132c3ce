// SPDX-License-Identifier: Apache-2.0
// The methods of search. Each keeps to what search.h says of one: all chance comes from its seed.
#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "engine/search/search.h"

namespace komuz::engine {

namespace {

// Where a sketch has variants of too many decisions, one of others is drawn; none where all draws are such.
void draw_variant(const VariantPlan& plan, Random& random, Decisions& out) {
  constexpr u32 kTries = 100;
  for (u32 k = 0; k < kTries; ++k)
    if (plan.draw([&] { return random.next(); }, out)) return;
  out.clear();
}

class RandomSearch final : public SearchMethod {
 public:
  RandomSearch(const VariantPlan& plan, u64 seed) : plan_(plan), random_(seed) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    out.resize(count);
    for (Decisions& decisions : out) draw_variant(plan_, random_, decisions);
  }
  void learn(std::span<const Decisions>, std::span<const Fitness>) override {}

 private:
  const VariantPlan& plan_;
  Random random_;
};

// Changes that keep a list one of the sketch.
class Variation {
 public:
  Variation(const VariantPlan& plan, u64 seed) : plan_(plan), random(seed) {}

  void draw(Decisions& out) { draw_variant(plan_, random, out); }
  // One decision anew, with all below it; a point of a grid mostly moves to one near by.
  void mutate(Decisions& decisions) {
    plan_.list_stretches(decisions, own_);
    if (own_.empty()) return;
    const DecisionStretch at = own_[random.below(own_.size())];
    const Decision& decision = plan_.decision(at.decision);
    if (decision.form == HoleForm::Grid && !random.one_in(4)) {
      u32& point = decisions[at.begin];
      const u64 reach = std::max<u64>(1, decision.points >> (1 + random.below(6)));
      const u64 by = 1 + (random.next() >> 32) % reach;
      const bool down = random.below(2) != 0;
      if (down)
        point = static_cast<u32>(point > by ? point - by : 0);
      else
        point = static_cast<u32>(std::min<u64>(point + by, decision.points - 1));
      return;
    }
    if (plan_.draw_stretch(
            at, [&] { return random.next(); }, part_))
      replace(decisions, at, part_);
  }
  // A part of `from` takes the place of one that it fits into.
  void cross(Decisions& decisions, const Decisions& from) {
    plan_.list_stretches(decisions, own_);
    plan_.list_stretches(from, others_);
    if (own_.empty()) return;
    const DecisionStretch at = own_[random.below(own_.size())];
    fitting_.clear();
    for (const DecisionStretch& other : others_)
      if (plan_.fits(other, at)) fitting_.push_back(other);
    if (fitting_.empty()) return;
    const DecisionStretch& other = fitting_[random.below(fitting_.size())];
    part_.assign(from.begin() + static_cast<std::ptrdiff_t>(other.begin),
                 from.begin() + static_cast<std::ptrdiff_t>(other.end));
    replace(decisions, at, part_);
  }

 private:
  static void replace(Decisions& decisions, const DecisionStretch& at, const Decisions& part) {
    if (decisions.size() - (at.end - at.begin) + part.size() > kMostDecisions) return;
    const auto begin = decisions.begin() + static_cast<std::ptrdiff_t>(at.begin);
    const auto behind =
        decisions.erase(begin, begin + static_cast<std::ptrdiff_t>(at.end - at.begin));
    decisions.insert(behind, part.begin(), part.end());
  }

  const VariantPlan& plan_;
  std::vector<DecisionStretch> own_, others_, fitting_;
  Decisions part_;

 public:
  Random random;
};

struct Individual {
  Decisions decisions;
  Fitness fitness;
};

// The best of each generation and its offspring compete for as many places as a generation has.
class Evolution final : public SearchMethod {
 public:
  Evolution(const VariantPlan& plan, u64 seed) : variation_(plan, seed) {}

  void propose(size_t count, std::vector<Decisions>& out) override {
    out.resize(count);
    for (Decisions& child : out) {
      if (population_.empty() || variation_.random.one_in(kImmigrantOdds)) {
        variation_.draw(child);
        continue;
      }
      child = winner().decisions;
      if (!variation_.random.one_in(3)) variation_.cross(child, winner().decisions);
      for (u32 k = variation_.random.below(3); k > 0; --k) variation_.mutate(child);
      // What has been looked at says nothing new. Few variants may be left that have not been.
      for (u32 k = 0; k < kTries && !is_new(child); ++k) variation_.mutate(child);
    }
  }
  void learn(std::span<const Decisions> proposed, std::span<const Fitness> found) override {
    const bool had_best = !population_.empty();
    const Fitness best = had_best ? population_.front().fitness : Fitness{};
    for (size_t k = 0; k < proposed.size(); ++k) population_.push_back({proposed[k], found[k]});
    // What does the same takes one place: else the population would soon be one individual many times.
    const auto better = [](const Individual& a, const Individual& b) {
      return a.fitness < b.fitness;
    };
    const auto same = [&](const Individual& a, const Individual& b) {
      return !better(a, b) && !better(b, a);
    };
    std::ranges::stable_sort(population_, better);
    population_.erase(std::unique(population_.begin(), population_.end(), same), population_.end());
    if (population_.size() > proposed.size()) population_.resize(proposed.size());
    stale_ = had_best && !(population_.front().fitness < best) ? stale_ + 1 : 0;
    if (stale_ < kPatience) return;
    population_.resize(1);  // the best one stays
    stale_ = 0;
  }

 private:
  static constexpr u32 kTournament = 4, kImmigrantOdds = 20, kPatience = 25, kTries = 10;

  // Has it not been proposed before?
  [[nodiscard]] bool is_new(const Decisions& decisions) {
    Hash128 hash;
    for (const u32 way : decisions) hash.add(way);
    return seen_.insert(hash.low ^ hash.high).second;
  }

  // Of a few drawn ones the best: the population is sorted.
  [[nodiscard]] const Individual& winner() {
    u32 best = variation_.random.below(population_.size());
    for (u32 k = 1; k < kTournament; ++k)
      best = std::min(best, variation_.random.below(population_.size()));
    return population_[best];
  }

  Variation variation_;
  std::vector<Individual> population_;  // the best first
  std::unordered_set<u64> seen_;        // hashes of children
  u32 stale_ = 0;                       // generations without a better one
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
  void learn(std::span<const Decisions> proposed, std::span<const Fitness> found) override {
    for (size_t k = 0; k < proposed.size(); ++k) {
      Climber& climber = climbers_[k];
      const bool starts = climber.failures == kStart;
      if (starts || found[k] < climber.at.fitness) {
        climber.at = {proposed[k], found[k]};
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

std::unique_ptr<SearchMethod> make_search(SearchKind kind, const VariantPlan& plan, u64 seed) {
  switch (kind) {
    case SearchKind::Evolve: return std::make_unique<Evolution>(plan, seed);
    case SearchKind::Local: return std::make_unique<LocalSearch>(plan, seed);
    case SearchKind::Random: break;
  }
  return std::make_unique<RandomSearch>(plan, seed);
}

}  // namespace komuz::engine
