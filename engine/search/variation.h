// SPDX-License-Identifier: Apache-2.0
// How one variant of a sketch becomes another: what methods of search that breed have in common. Not part of the engine's door.
#pragma once
#include <vector>

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

// Changes that keep a list one of the sketch. All ways of a decision are drawn alike, so most of what is drawn is small: from there
// expressions grow where that helps. Of all variants of a space nearly all nest as deep as they may.
class Variation {
 public:
  Variation(const VariantPlan& plan, u64 seed) : plan_(plan), random(seed) {}

  void draw(Decisions& out) { draw_variant(plan_, DrawKind::Ways, random, out); }
  // One decision: a point of a grid mostly moves to one near by. Else it is made anew with all below it; or goes another way, and
  // what is below stays; or comes below a new one that fits round it (insertion); or is replaced by a part of it (hoist).
  void mutate(Decisions& decisions);
  // A part of `from` takes the place of one that it fits into.
  void cross(Decisions& decisions, const Decisions& from);

 private:
  void move_point(u32& point, u64 points);
  void redraw(Decisions& decisions, const DecisionStretch& at);
  // False: there is nothing of the kind, and all stays.
  bool go_another_way(Decisions& decisions, const DecisionStretch& at);
  bool insert_above(Decisions& decisions, const DecisionStretch& at);
  bool hoist(Decisions& decisions, const DecisionStretch& at);
  bool draw_part(const DecisionStretch& at) {
    return plan_.draw_stretch(
        DrawKind::Ways, at, [&] { return random.next(); }, part_);
  }
  // One of fitting_, from these decisions, takes the place of a stretch; false: there is none.
  bool replace_by_fitting(Decisions& decisions, const DecisionStretch& at, const Decisions& from);

  const VariantPlan& plan_;
  std::vector<DecisionStretch> own_, others_, fitting_;
  Decisions part_, whole_;

 public:
  Random random;
};

// What has been proposed, but for points of grids that are tuned: to look at it again says nothing new.
class Proposals {
 public:
  // Calls change(decisions), for a while, until it was not asked about them before. False: it was.
  template <class Change>
  [[nodiscard]] bool make_new(Decisions& decisions, Change change) {
    constexpr u32 kTries = 10;
    for (u32 k = 0; !is_new(decisions); ++k) {
      if (k == kTries) return false;
      change(decisions);
    }
    return true;
  }
  // Calls draw(decisions), for a while, until they are new; else they are what came last.
  template <class Draw>
  bool draw_new(Decisions& decisions, Draw draw) {
    draw(decisions);
    return make_new(decisions, draw);
  }

 private:
  [[nodiscard]] bool is_new(const Decisions& decisions) {
    Hash128 hash;
    for (const u32 way : decisions) hash.add(way);
    return seen_.add(hash.low ^ hash.high);
  }

  HashSet seen_;
};

// Children of a population, that have not been proposed before where that is to be had.
class Breeder {
 public:
  Breeder(const VariantPlan& plan, u64 seed) : variation_(plan, seed) {}

  [[nodiscard]] Random& random() { return variation_.random; }
  // Small variants are drawn often, and are soon known: larger ones are made of them.
  void draw(Decisions& child) {
    if (proposals_.draw_new(child, [&](Decisions& d) { variation_.draw(d); })) return;
    static_cast<void>(proposals_.make_new(child, [&](Decisions& d) { variation_.mutate(d); }));
  }
  // Now and then a child is drawn, though there are parents.
  [[nodiscard]] bool draws_immigrant() { return variation_.random.one_in(kImmigrantOdds); }
  // `pick` gives the decisions of a parent. False: no new child of parents was to be had, and one was drawn, which has none.
  template <class Pick>
  bool breed(Decisions& child, Pick pick) {
    child = pick();
    if (!variation_.random.one_in(3)) variation_.cross(child, pick());
    for (u32 k = variation_.random.below(3); k > 0; --k) variation_.mutate(child);
    if (proposals_.make_new(child, [&](Decisions& d) { variation_.mutate(d); })) return true;
    draw(child);
    return false;
  }

 private:
  static constexpr u32 kImmigrantOdds = 20;

  Variation variation_;
  Proposals proposals_;
};

}  // namespace komuz::engine
