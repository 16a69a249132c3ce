// SPDX-License-Identifier: Apache-2.0
// How one variant of a sketch becomes another: what methods of search that breed have in common. Not part of the engine's door.
#pragma once
#include <vector>

#include "base/random.h"
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
// expressions grow where that helps. Of all variants of a space nearly all nest as deep as they may. A workspace for one thread.
class Variation {
 public:
  explicit Variation(const VariantPlan& plan) : plan_(plan) {}

  Random random{0};  // what all that is drawn comes from

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
};

}  // namespace komuz::engine
