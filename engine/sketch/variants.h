// SPDX-License-Identifier: Apache-2.0
// The variants of a sketch: how many there are, and the decisions of variant n.
//
// A variant is a list of decisions. A decision is the number of an alternative or of a point of a grid. The list
// holds the decisions of the program one after the other, each followed by the decisions inside of the alternative
// that it takes. docs/sketches.md says what is decided once, and in which order. Variants are numbered in the order
// of these lists.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/sketch/variant_walks.h"

namespace komuz::engine {

[[nodiscard]] VariantCount operator+(const VariantCount& a, const VariantCount& b);
[[nodiscard]] VariantCount operator*(const VariantCount& a, const VariantCount& b);
// "12", "18,446,744", "about 2^81.3"
[[nodiscard]] std::string count_text(const VariantCount& count);

using Decisions = std::vector<u32>;

// A set of holes that are decided together.
struct Decision {
  HoleForm form = HoleForm::Choice;  // Choice, Grid, Expansion or Nested
  std::vector<u32> holes;            // its places in the text: numbers in Sketch::holes
  u64 points = 0;                    // of a grid
  bool is_real = false;              // … which is any number
  std::vector<u32> alternatives;     // of a choice: the product of each
  u32 space = kNoSpace;              // of Expansion and Nested
};
// Decisions that are made one after the other.
struct Product {
  std::vector<u32> decisions;
};

using DecodedVariant = DecodedRows<Growing>;

// Where a list stops being one of decisions of a sketch: at an element that its decision does not have, at its end,
// if another decision is needed, or behind the last decision.
struct ListFault {
  size_t at = 0;
  u32 decision = 0;
  u32 ways = 0;  // of the decision; 0: nothing more is to be decided
};

// Frames of a walk on the host. Few sketches nest so deeply that frames are allocated.
template <class Frame>
class WalkFrames {
 public:
  explicit WalkFrames(u32 nesting) {
    if (nesting > kFew) many_.resize(nesting);
    rows = {many_.empty() ? few_ : many_.data(), std::max(nesting, kFew)};
  }
  WalkFrames(const WalkFrames&) = delete;
  WalkFrames& operator=(const WalkFrames&) = delete;
  Rows<Frame> rows;

 private:
  static constexpr u32 kFew = 24;
  Frame few_[kFew];
  std::vector<Frame> many_;
};

class VariantPlan {
 public:
  explicit VariantPlan(const Sketch& sketch);

  // Any number counts as one way.
  [[nodiscard]] const VariantCount& count() const { return count_; }
  // True if some decision is any number. Numbers of variants do not tell such ones apart.
  [[nodiscard]] bool has_reals() const { return has_reals_; }
  // For one decision of the program, and for a space.
  [[nodiscard]] const VariantCount& count_of(u32 decision) const { return counts_[decision]; }
  [[nodiscard]] const VariantCount& count_of_space(u32 space, u32 depth) const {
    return space_counts_[space][depth];
  }
  // The decisions of the program, in order, without those inside of alternatives.
  [[nodiscard]] const Product& program() const { return products_[0]; }
  [[nodiscard]] const Decision& decision(u32 number) const { return decisions_[number]; }
  // Those of the program and of spaces.
  [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }
  [[nodiscard]] const Product& product(u32 number) const { return products_[number]; }
  [[nodiscard]] const Sketch& sketch() const { return sketch_; }

  // What is common to all variants, in a form for devices as well. Valid as long as the plan.
  [[nodiscard]] VariantTables tables() const;

  // The most decisions that a variant has; all ones if the number does not fit.
  [[nodiscard]] u64 most_decisions() const { return most_decisions_; }
  // True if every variant has more than kMostDecisions.
  [[nodiscard]] bool is_too_large() const {
    return program_ != kNoStage && stages_[program_].least > kMostDecisions;
  }

  // `number` is less than the count. False: the variant has more than kMostDecisions.
  [[nodiscard]] bool unrank(u64 number, Decisions& out) const;
  // `random`: uniform numbers of 64 bits. False: as above.
  template <class Random>
  [[nodiscard]] bool draw(DrawKind kind, Random&& random, Decisions& out) const;
  // None if the number is 2^64 or more, if some decision is any number, or if these are no decisions of this sketch.
  [[nodiscard]] std::optional<u64> rank(const Decisions& decisions) const;
  // False: these are no decisions of this sketch.
  [[nodiscard]] bool decode(const Decisions& decisions, DecodedVariant& out) const;

  // None: these are decisions of this sketch.
  [[nodiscard]] std::optional<ListFault> find_fault(const Decisions& decisions) const;

  // All stretches of a variant; none if these are no decisions of this sketch.
  void list_stretches(const Decisions& decisions, std::vector<DecisionStretch>& out) const;
  // True if the content of a stretch of these decisions may stand in another stretch, which may belong to other
  // decisions. The content must not nest deeper than the other stretch allows.
  [[nodiscard]] bool fits(const Decisions& decisions, const DecisionStretch& what,
                          const DecisionStretch& where) const;
  // Draws another list for a stretch. False: as for `draw`.
  template <class Random>
  [[nodiscard]] bool draw_stretch(DrawKind kind, const DecisionStretch& at, Random&& random,
                                  Decisions& out) const {
    WalkFrames<StepFrame> frames(nesting_);
    return engine::draw_stretch(tables(), kind, at, random, frames.rows, out) == Walked::Done;
  }

 private:
  friend class PlanBuilder;
  using Stage = VariantTables::Stage;
  using Step = VariantTables::Step;
  using Way = VariantTables::Way;
  static constexpr u32 kNoStage = VariantTables::kNoStage, kNoWays = VariantTables::kNoWays;

  bool rank_stage(const VariantTables& tables, u32 stage, const Decisions& decisions, size_t& at,
                  u64& number) const;
  Sketch sketch_;
  std::vector<Decision> decisions_;
  std::vector<Product> products_;
  std::vector<VariantCount> counts_;                     // by decision
  std::vector<std::vector<VariantCount>> space_counts_;  // by depth
  std::vector<SketchSpan> space_holes_;  // numbers of the holes in each: [begin, end)
  std::vector<VariantTables::DecisionHoles> decision_holes_;
  std::vector<u32> holes_;
  u32 nesting_ = 0;  // of stages, at most
  u64 most_decisions_ = 0;
  f64 mean_decisions_ = 0;
  std::vector<Stage> stages_;
  std::vector<Step> steps_;
  std::vector<Way> ways_;
  u32 program_ = kNoStage;  // the stage
  bool has_reals_ = false;
  VariantCount count_;
};

template <class Random>
bool VariantPlan::draw(DrawKind kind, Random&& random, Decisions& out) const {
  if (count_.is_exact && kind == DrawKind::Variants)
    return unrank(number_below(random(), count_.exact), out);
  WalkFrames<StepFrame> frames(nesting_);
  return draw_program(tables(), kind, random, frames.rows, out) == Walked::Done;
}

}  // namespace komuz::engine
