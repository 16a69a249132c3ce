// SPDX-License-Identifier: Apache-2.0
// The variants of a sketch: how many there are, and which decisions number n makes.
//
// A variant is a list of decisions, each the number of an alternative or of a point of a grid, in this order: the
// decisions of the program one after the other, each followed by those inside of the alternative that it takes. What is
// decided once, and in which order, says docs/sketches.md. Variants are numbered as these lists are ordered.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/ints.h"
#include "lang/sketch.h"

namespace komuz::engine {

// A number of variants: exact below 2^64.
struct VariantCount {
  u64 exact = 0;  // all ones where it does not fit
  f64 log2 = 0;   // minus infinity of none
  bool is_exact = true;

  [[nodiscard]] static VariantCount of(u64 number);
  bool operator==(const VariantCount&) const = default;
};
[[nodiscard]] VariantCount operator+(const VariantCount& a, const VariantCount& b);
[[nodiscard]] VariantCount operator*(const VariantCount& a, const VariantCount& b);
// "12", "18,446,744", "about 2^81.3"
[[nodiscard]] std::string count_text(const VariantCount& count);

using Decisions = std::vector<u32>;

// Spaces that nest deeply have variants that no memory holds, and draws find little else. Larger ones than this are refused.
inline constexpr size_t kMostDecisions = size_t{1} << 16;

// What is decided at once.
struct Decision {
  HoleForm form = HoleForm::Choice;  // Choice, Grid, Expansion or Nested
  std::vector<u32> holes;            // where it stands in the text: numbers in Sketch::holes
  u64 points = 0;                    // of a grid
  std::vector<u32> alternatives;     // of a choice: the product of each
  u32 space = kNoSpace;              // of Expansion and Nested
};
// Decisions that are made one after the other.
struct Product {
  std::vector<u32> decisions;
};

// A piece of the program with the decisions that hold in it: the program itself, or one expression from a space.
struct Instance {
  u32 space = kNoSpace;
  u32 alternative = 0;  // of the space
  u32 first_hole = 0;
  u32 first_decided = 0;  // of it, in DecodedVariant::decided
};
// What stands in each hole of a variant. The program is instance 0.
struct DecodedVariant {
  std::vector<Instance> instances;
  // Of each instance by hole: an alternative, a point, or the number of an instance.
  std::vector<u32> decided;

  [[nodiscard]] u32& in(u32 instance, u32 hole) {
    return decided[instances[instance].first_decided + hole - instances[instance].first_hole];
  }
  [[nodiscard]] u32 in(u32 instance, u32 hole) const {
    return decided[instances[instance].first_decided + hole - instances[instance].first_hole];
  }
};

// A decision of a variant with all that is decided below it: elements [begin, end) of its list.
struct DecisionStretch {
  u32 decision = 0;
  u32 step = 0;  // of the plan
  size_t begin = 0, end = 0;
};

// How a variant is drawn: all with the same probability, so that of a space nearly all nest as deep as they may; or each
// decision by itself, all ways that have variants alike, so that small expressions are as likely as large ones.
enum class DrawKind : u8 { Variants, Ways };

class VariantPlan {
 public:
  explicit VariantPlan(const Sketch& sketch);

  [[nodiscard]] const VariantCount& count() const { return count_; }
  // Of one decision of the program, and of a space.
  [[nodiscard]] const VariantCount& count_of(u32 decision) const { return counts_[decision]; }
  [[nodiscard]] const VariantCount& count_of_space(u32 space, u32 depth) const {
    return space_counts_[space][depth];
  }
  // The decisions of the program, in order; those inside of alternatives apart.
  [[nodiscard]] const Product& program() const { return products_[0]; }
  [[nodiscard]] const Decision& decision(u32 number) const { return decisions_[number]; }
  [[nodiscard]] const Product& product(u32 number) const { return products_[number]; }
  [[nodiscard]] const Sketch& sketch() const { return sketch_; }

  // `number` is less than the count. False: the variant has more than kMostDecisions.
  [[nodiscard]] bool unrank(u64 number, Decisions& out) const;
  // `random`: numbers of 64 bits, uniform. False: as above.
  template <class Random>
  [[nodiscard]] bool draw(DrawKind kind, Random&& random, Decisions& out) const;
  // None where it is 2^64 or more, or these are no decisions of this sketch.
  [[nodiscard]] std::optional<u64> rank(const Decisions& decisions) const;
  // False: these are no decisions of this sketch.
  [[nodiscard]] bool decode(const Decisions& decisions, DecodedVariant& out) const;

  // All of a variant's; none where these are no decisions of this sketch.
  void list_stretches(const Decisions& decisions, std::vector<DecisionStretch>& out) const;
  // May what stands in a stretch of these decisions stand in another one, which need not be of them? It must not nest deeper
  // than what stands there may.
  [[nodiscard]] bool fits(const Decisions& decisions, const DecisionStretch& what,
                          const DecisionStretch& where) const;
  // Draws another list for a stretch. False: as of `draw`.
  template <class Random>
  [[nodiscard]] bool draw_stretch(DrawKind kind, const DecisionStretch& at, Random&& random,
                                  Decisions& out) const {
    out.clear();
    return draw_step(kind, steps_[at.step], random, out);
  }

 private:
  friend class PlanBuilder;
  static constexpr u32 kNoStage = ~0u, kNoWays = ~0u;
  static constexpr u64 kMany = ~u64{0};  // of a number of variants: it does not fit

  // What to do with a variant is laid out once, so that nothing is counted again. A *stage* is a product at a depth: how deep the
  // space that it is part of may nest below it, 0 in the program. A *step* is a decision in it.
  struct Stage {
    u32 begin = 0, end = 0;  // in steps_
  };
  struct Step {
    u32 decision = 0;
    u32 depth = 0;
    u32 ways = 0;
    u32 first_way = kNoWays;  // in ways_; kNoWays: each is one variant, as the points of a grid are
    u64 behind = 1;           // variants of the steps behind it in the stage
    VariantCount count;
  };
  struct Way {
    u64 before = 0;        // variants of the ways before it
    u64 count = 0;         // of its own
    f64 share = 0;         // of those of the decision
    u32 stage = kNoStage;  // none: nothing more is decided
  };
  [[nodiscard]] const Way* ways_of(const Step& step) const {
    return step.first_way == kNoWays ? nullptr : ways_.data() + step.first_way;
  }

  [[nodiscard]] bool unrank_stage(u32 stage, u64 number, Decisions& out) const;
  bool decode_stage(u32 stage, u32 instance, const Decisions& decisions, size_t& at,
                    DecodedVariant& out) const;
  bool rank_stage(u32 stage, const Decisions& decisions, size_t& at, u64& number) const;
  // `at` goes behind what is decided there. False: these are no decisions of it. `out`: where stretches are listed; null: nowhere.
  bool walk_step(u32 step, const Decisions& decisions, size_t& at,
                 std::vector<DecisionStretch>* out) const;
  bool walk_stage(u32 stage, const Decisions& decisions, size_t& at,
                  std::vector<DecisionStretch>* out) const;
  template <class Random>
  [[nodiscard]] bool draw_stage(DrawKind kind, u32 stage, Random& random, Decisions& out) const;
  template <class Random>
  [[nodiscard]] bool draw_step(DrawKind kind, const Step& step, Random& random,
                               Decisions& out) const;
  // Which way a number of the step's variants takes; it becomes one of those of the way.
  [[nodiscard]] u32 way_of(const Step& step, u64& number) const;
  // Which way a number below 1 takes, each as wide as it has variants.
  [[nodiscard]] u32 way_at(const Step& step, f64 fraction) const;
  // The same where all ways that have variants are as wide.
  [[nodiscard]] u32 any_way_at(const Step& step, f64 fraction) const;
  // Is it a way of the step that has variants? Where more is decided then, `stage` becomes that, else kNoStage.
  [[nodiscard]] bool take(const Step& step, u32 way, u32& stage) const;

  Sketch sketch_;
  std::vector<Decision> decisions_;
  std::vector<Product> products_;
  std::vector<VariantCount> counts_;                     // by decision
  std::vector<std::vector<VariantCount>> space_counts_;  // by depth
  std::vector<SketchSpan> space_holes_;  // numbers of the holes in each: [begin, end)
  std::vector<Stage> stages_;
  std::vector<Step> steps_;
  std::vector<Way> ways_;
  u32 program_ = kNoStage;  // the stage
  VariantCount count_;
};

template <class Random>
bool VariantPlan::draw(DrawKind kind, Random&& random, Decisions& out) const {
  out.clear();
  if (count_.is_exact && kind == DrawKind::Variants) {
    // Of 128 bits the high half: what is left of uniformity is 2^-64.
    const auto wide = static_cast<unsigned __int128>(random()) * count_.exact;
    return unrank(static_cast<u64>(wide >> 64), out);
  }
  return draw_stage(kind, program_, random, out);
}

template <class Random>
bool VariantPlan::draw_stage(DrawKind kind, u32 stage, Random& random, Decisions& out) const {
  for (u32 k = stages_[stage].begin; k < stages_[stage].end; ++k)
    if (!draw_step(kind, steps_[k], random, out)) return false;
  return true;
}

template <class Random>
bool VariantPlan::draw_step(DrawKind kind, const Step& step, Random& random, Decisions& out) const {
  if (out.size() == kMostDecisions) return false;
  const f64 fraction = static_cast<f64>(random() >> 11) * 0x1p-53;
  const u32 way = kind == DrawKind::Variants ? way_at(step, fraction) : any_way_at(step, fraction);
  out.push_back(way);
  const Way* const ways = ways_of(step);
  return ways == nullptr || ways[way].stage == kNoStage ||
         draw_stage(kind, ways[way].stage, random, out);
}

}  // namespace komuz::engine
