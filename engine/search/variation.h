// SPDX-License-Identifier: Apache-2.0
// How one variant of a sketch becomes another: what methods of search that breed have in common. Not part of the engine's door.
#pragma once
#include <algorithm>

#include "base/hash.h"
#include "base/random.h"
#include "engine/hash_slots.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

// Where a sketch has variants of too many decisions, one of others is drawn; none where all draws are such.
inline void draw_variant(const VariantPlan& plan, DrawKind kind, Random& random, Decisions& out) {
  constexpr u32 kTries = 100;
  for (u32 k = 0; k < kTries; ++k)
    if (plan.draw(
            kind, [&] { return random.next(); }, out))
      return;
  out.clear();
}

// Changes that keep a list one of the sketch.
class Variation {
 public:
  Variation(const VariantPlan& plan, u64 seed) : plan_(plan), random(seed) {}

  void draw(Decisions& out) { draw_variant(plan_, any_kind(), random, out); }
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
            any_kind(), at, [&] { return random.next(); }, part_))
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
  // Large expressions and small ones: what is looked for may be either.
  [[nodiscard]] DrawKind any_kind() {
    return random.one_in(2) ? DrawKind::Variants : DrawKind::Ways;
  }
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

// Children of a population, that have not been proposed before where that is to be had.
class Breeder {
 public:
  Breeder(const VariantPlan& plan, u64 seed) : variation_(plan, seed) {}

  [[nodiscard]] Random& random() { return variation_.random; }
  // `pick` gives the decisions of a parent; without any, and now and then, a variant is drawn.
  template <class Pick>
  void breed(Decisions& child, bool has_parents, Pick pick) {
    if (!has_parents || variation_.random.one_in(kImmigrantOdds)) {
      variation_.draw(child);
      return;
    }
    child = pick();
    if (!variation_.random.one_in(3)) variation_.cross(child, pick());
    for (u32 k = variation_.random.below(3); k > 0; --k) variation_.mutate(child);
    // What has been looked at says nothing new. Few variants may be left that have not been.
    for (u32 k = 0; k < kTries && !is_new(child); ++k) variation_.mutate(child);
  }

 private:
  static constexpr u32 kImmigrantOdds = 20, kTries = 10;

  // Has it not been proposed before?
  [[nodiscard]] bool is_new(const Decisions& decisions) {
    Hash128 hash;
    for (const u32 way : decisions) hash.add(way);
    return seen_.add(hash.low ^ hash.high);
  }

  Variation variation_;
  HashSet seen_;  // hashes of children
};

}  // namespace komuz::engine
