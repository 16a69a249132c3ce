// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/sketch/sketch_oracle.h"

#include <set>

namespace komuz::engine::test {

namespace {

bool lies_in(SketchSpan inner, SketchSpan outer) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

// Walks the sketch as a reader would, and asks for each decision when it is met. What is asked for the first time takes
// the first way; the list is then counted up from its end, as an odometer is.
class Walk {
 public:
  explicit Walk(const Sketch& sketch) : sketch_(sketch) {}

  // False: a space nests deeper than it may.
  bool program() {
    at_ = 0;
    return scope(kNoSpace, {0, ~0u}, 0);
  }
  bool advance() {
    taken_.resize(at_);
    ways_.resize(at_);
    while (!taken_.empty()) {
      if (++taken_.back() < ways_.back()) return true;
      taken_.pop_back();
      ways_.pop_back();
    }
    return false;
  }
  [[nodiscard]] Decisions decisions() const {
    return Decisions(taken_.data(), taken_.data() + at_);
  }

 private:
  u32 choose(u64 ways) {
    if (at_ == taken_.size()) {
      taken_.push_back(0);
      ways_.push_back(static_cast<u32>(ways));
    }
    return taken_[at_++];
  }
  [[nodiscard]] static bool has_name(const Hole& hole) {
    return !hole.name.empty() && (hole.form == HoleForm::Choice || hole.form == HoleForm::Grid);
  }
  [[nodiscard]] bool is_of(const Hole& hole, u32 space, SketchSpan span) const {
    return hole.form != HoleForm::Free && hole.within == space && lies_in(hole.span, span);
  }
  // True if another choice that starts behind `begin` has this hole in one of its alternatives.
  [[nodiscard]] bool is_in_choice(const Hole& hole, u32 begin, u32 space, SketchSpan span) const {
    for (const Hole& other : sketch_.holes) {
      if (&other == &hole || !is_of(other, space, span) || other.span.begin < begin) continue;
      for (const Alternative& alternative : other.alternatives)
        if (lies_in(hole.span, alternative.span)) return true;
    }
    return false;
  }
  // Where one name is one decision: the program, or one alternative of a space.
  bool scope(u32 space, SketchSpan span, u32 depth) {
    std::set<std::pair<HoleForm, std::string>> met;
    for (const Hole& hole : sketch_.holes) {
      if (!is_of(hole, space, span)) continue;
      const bool is_decided_here = has_name(hole) ? met.emplace(hole.form, hole.name).second
                                                  : !is_in_choice(hole, span.begin, space, span);
      if (is_decided_here && !decide(hole, space, span, depth)) return false;
    }
    return true;
  }
  bool decide(const Hole& hole, u32 space, SketchSpan span, u32 depth) {
    switch (hole.form) {
      case HoleForm::Free: return true;
      case HoleForm::Grid: choose(hole.grid.points); return true;
      case HoleForm::Expansion: return expand(hole.expands, sketch_.spaces[hole.expands].depth);
      case HoleForm::Nested: return depth > 0 && expand(hole.expands, depth - 1);
      case HoleForm::Choice: break;
    }
    const u32 way = choose(hole.alternatives.size());
    const auto is_place = [&](const Hole& other) {
      return &other == &hole || (has_name(hole) && other.form == hole.form &&
                                 other.name == hole.name && is_of(other, space, span));
    };
    for (const Hole& inside : sketch_.holes) {
      if (has_name(inside)) continue;
      for (const Hole& place : sketch_.holes) {
        if (!is_place(place)) continue;
        const SketchSpan taken = place.alternatives[way].span;
        if (is_of(inside, space, taken) && !is_in_choice(inside, taken.begin, space, taken) &&
            !decide(inside, space, span, depth))
          return false;
      }
    }
    return true;
  }
  bool expand(u32 space, u32 depth) {
    const auto& alternatives = sketch_.spaces[space].alternatives;
    return scope(space, alternatives[choose(alternatives.size())].span, depth);
  }

  const Sketch& sketch_;
  std::vector<u32> taken_, ways_;
  size_t at_ = 0;
};

}  // namespace

std::vector<Decisions> tried_variants(const Sketch& sketch, size_t most) {
  std::vector<Decisions> found;
  Walk walk(sketch);
  do {
    if (walk.program()) found.push_back(walk.decisions());
  } while (found.size() < most && walk.advance());
  return found;
}

}  // namespace komuz::engine::test
