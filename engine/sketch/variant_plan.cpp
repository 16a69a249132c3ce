// SPDX-License-Identifier: Apache-2.0
// Makes the plan of a sketch: its decisions, and tables with the number of variants for each way of each decision.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/sketch/variants.h"

namespace komuz::engine {

// Groups holes into decisions, and decisions into products, then lays out the tables.
class PlanBuilder {
 public:
  explicit PlanBuilder(VariantPlan& plan) : plan_(plan), sketch_(plan.sketch_) {}

  void build() {
    decision_of_.resize(sketch_.holes.size());
    add_scope(kNoSpace, 0);
    space_products_.resize(sketch_.spaces.size());
    plan_.space_holes_.resize(sketch_.spaces.size());
    for (u32 s = 0; s < sketch_.spaces.size(); ++s) {
      find_holes(s);
      for (u32 k = 0; k < sketch_.spaces[s].alternatives.size(); ++k)
        space_products_[s].push_back(add_scope(s, k));
    }
    counted_.resize(plan_.products_.size());
    plan_.counts_.resize(plan_.decisions_.size());
    plan_.space_counts_.resize(sketch_.spaces.size());
    for (u32 s = 0; s < sketch_.spaces.size(); ++s) count_space(s);
    plan_.count_ = count_product(0, 0).count;
    plan_.program_ = counted_[0][0].stage;
    list_holes();
    measure_stages();
  }

 private:
  void find_holes(u32 space) {
    SketchSpan& range = plan_.space_holes_[space];
    range.begin = range.end = static_cast<u32>(sketch_.holes.size());
    for (u32 h = 0; h < sketch_.holes.size(); ++h) {
      if (sketch_.holes[h].within != space) continue;
      range.begin = std::min(range.begin, h);
      range.end = h + 1;
    }
  }
  void list_holes() {
    for (const Decision& decision : plan_.decisions_) {
      const auto begin = static_cast<u32>(plan_.holes_.size());
      plan_.holes_.insert(plan_.holes_.end(), decision.holes.begin(), decision.holes.end());
      plan_.decision_holes_.push_back({decision.space, begin, static_cast<u32>(plan_.holes_.size()),
                                       decision.form == HoleForm::Grid, decision.is_real,
                                       decision.form == HoleForm::Nested});
    }
  }
  // How deep stages nest, and how many decisions a variant has: at most, at least, and the mean over all variants. A
  // stage is added behind those that it leads to.
  struct Measure {
    u32 nesting = 1;
    u64 most = 0, least = 0;  // all ones: the number does not fit
    f64 mean = 0;
  };
  void measure_stages() {
    std::vector<Measure> measures(plan_.stages_.size());
    for (size_t stage = 0; stage < measures.size(); ++stage) {
      Measure& own = measures[stage];
      VariantTables::Stage& row = plan_.stages_[stage];
      for (u32 s = row.begin; s < row.end; ++s) {
        const Measure step = measure_step(plan_.steps_[s], measures);
        own.nesting = std::max(own.nesting, step.nesting);
        own.most = sum_of(own.most, step.most);
        own.least = sum_of(own.least, step.least);
        own.mean += step.mean;
      }
      row.least = static_cast<u32>(std::min<u64>(own.least, ~u32{0}));
    }
    const Measure& program = measures[plan_.program_];
    plan_.nesting_ = program.nesting;
    plan_.most_decisions_ = program.most;
    plan_.mean_decisions_ = program.mean;
  }
  // A decision with all below it.
  [[nodiscard]] Measure measure_step(const VariantPlan::Step& step,
                                     const std::vector<Measure>& measures) const {
    Measure out{.most = 1, .least = 1, .mean = 1};
    if (step.first_way == VariantPlan::kNoWays) return out;
    u64 least = ~u64{0};  // below it
    for (u32 way = 0; way < step.ways; ++way) {
      const VariantPlan::Way& own = plan_.ways_[step.first_way + way];
      const Measure below =
          own.stage == VariantPlan::kNoStage ? Measure{.nesting = 0} : measures[own.stage];
      out.nesting = std::max(out.nesting, below.nesting + 1);
      out.most = std::max(out.most, sum_of(below.most, 1));
      if (own.count == 0) continue;
      least = std::min(least, below.least);
      if (own.share > 0) out.mean += own.share * below.mean;
    }
    out.least = sum_of(least, 1);
    return out;
  }
  static u64 sum_of(u64 a, u64 b) { return a > ~u64{0} - b ? ~u64{0} : a + b; }
  u32 add_product() {
    plan_.products_.emplace_back();
    return static_cast<u32>(plan_.products_.size() - 1);
  }
  // Adds the program, or an alternative of a space. A name is one decision within it. Returns its product.
  u32 add_scope(u32 space, u32 alternative) {
    const u32 scope = add_product();
    choices_around_.clear();
    std::map<std::pair<HoleForm, std::string>, u32> named;
    for (u32 h = 0; h < sketch_.holes.size(); ++h) {
      const Hole& hole = sketch_.holes[h];
      if (hole.form == HoleForm::Free || hole.within != space) continue;
      if (space != kNoSpace &&
          !contains(sketch_.spaces[space].alternatives[alternative].span, hole.span))
        continue;
      const u32 around = product_around(h, scope);
      const bool has_name =
          (hole.form == HoleForm::Choice || hole.form == HoleForm::Grid) && !hole.name.empty();
      if (!has_name) {
        add_decision(around, h);
      } else if (const auto found = named.find({hole.form, hole.name}); found != named.end()) {
        plan_.decisions_[found->second].holes.push_back(h);
        decision_of_[h] = found->second;
      } else {
        named.emplace(std::pair(hole.form, hole.name), plan_.decisions_.size());
        add_decision(scope, h);
      }
      if (hole.form == HoleForm::Choice) choices_around_.push_back(h);
    }
    return scope;
  }
  void add_decision(u32 product, u32 h) {
    const Hole& hole = sketch_.holes[h];
    const u32 number = static_cast<u32>(plan_.decisions_.size());
    Decision decision{hole.form, {h}, hole.grid.points, hole.grid.is_real, {}, hole.expands};
    plan_.has_reals_ = plan_.has_reals_ || decision.is_real;
    for (size_t k = 0; k < hole.alternatives.size(); ++k)
      decision.alternatives.push_back(add_product());
    plan_.products_[product].decisions.push_back(number);
    plan_.decisions_.push_back(std::move(decision));
    decision_of_[h] = number;
  }
  // A hole without a name belongs to the alternative in which it stands.
  [[nodiscard]] u32 product_around(u32 h, u32 scope) {
    const SketchSpan span = sketch_.holes[h].span;
    while (!choices_around_.empty() && sketch_.holes[choices_around_.back()].span.end <= span.begin)
      choices_around_.pop_back();
    if (choices_around_.empty()) return scope;
    const u32 around = choices_around_.back();
    const auto& alternatives = sketch_.holes[around].alternatives;
    const auto behind = std::ranges::upper_bound(alternatives, span.begin, {},
                                                 [](const Alternative& a) { return a.span.begin; });
    const auto own = static_cast<size_t>(behind - alternatives.begin()) - 1;
    return plan_.decisions_[decision_of_[around]].alternatives[own];
  }

  // A product at a depth, and its stage.
  struct Counted {
    VariantCount count;
    u32 stage = VariantPlan::kNoStage;
  };

  // From depth 0 up, so that nested stages have been counted.
  void count_space(u32 s) {
    std::vector<VariantCount>& counts = plan_.space_counts_[s];
    if (!counts.empty()) return;
    for (u32 depth = 0; depth <= sketch_.spaces[s].depth; ++depth) {
      VariantCount sum = VariantCount::of(0);
      for (const u32 product : space_products_[s]) sum = sum + count_product(product, depth).count;
      counts.push_back(sum);
    }
  }
  // At all depths up to this one.
  const Counted& count_product(u32 product, u32 depth) {
    while (counted_[product].size() <= depth) {
      const u32 next = static_cast<u32>(counted_[product].size());
      std::vector<VariantPlan::Step> steps;
      for (const u32 d : plan_.products_[product].decisions) steps.push_back(make_step(d, next));
      VariantCount count = VariantCount::of(1);
      for (size_t k = steps.size(); k-- > 0;) {
        steps[k].behind = count.exact;
        count = count * steps[k].count;
      }
      counted_[product].push_back({count, add_stage(steps)});
    }
    return counted_[product][depth];
  }
  u32 add_stage(const std::vector<VariantPlan::Step>& steps) {
    const u32 begin = static_cast<u32>(plan_.steps_.size());
    plan_.steps_.insert(plan_.steps_.end(), steps.begin(), steps.end());
    plan_.stages_.push_back({begin, static_cast<u32>(plan_.steps_.size())});
    return static_cast<u32>(plan_.stages_.size() - 1);
  }
  VariantPlan::Step make_step(u32 decision, u32 depth) {
    const Decision& d = plan_.decisions_[decision];
    VariantPlan::Step step;
    step.decision = decision;
    step.depth = depth;
    switch (d.form) {
      case HoleForm::Free: break;
      case HoleForm::Grid:
        step.ways = static_cast<u32>(d.points);
        step.is_real = d.is_real;
        step.count = VariantCount::of(d.is_real ? 1 : d.points);
        break;
      case HoleForm::Choice: add_ways(step, d.alternatives, depth); break;
      case HoleForm::Expansion:
        count_space(d.space);
        add_ways(step, space_products_[d.space], sketch_.spaces[d.space].depth);
        break;
      case HoleForm::Nested:
        if (depth > 0) {
          add_ways(step, space_products_[d.space], depth - 1);
          break;
        }
        step.count = VariantCount::of(0);
        step.first_way = static_cast<u32>(plan_.ways_.size());
        step.ways = static_cast<u32>(space_products_[d.space].size());
        plan_.ways_.resize(plan_.ways_.size() + step.ways);
        break;
    }
    if (depth == 0) plan_.counts_[decision] = step.count;
    return step;
  }
  // `depth`: that of the stages below the decision.
  void add_ways(VariantPlan::Step& step, const std::vector<u32>& products, u32 depth) {
    std::vector<VariantPlan::Way> ways;
    std::vector<f64> logarithms;
    VariantCount sum = VariantCount::of(0);
    bool is_plain = true;
    for (const u32 product : products) {
      const Counted& below = count_product(product, depth);
      const bool is_leaf = plan_.products_[product].decisions.empty();
      ways.push_back(
          {sum.exact, below.count.exact, 0, is_leaf ? VariantPlan::kNoStage : below.stage});
      logarithms.push_back(below.count.log2);
      is_plain = is_plain && is_leaf;
      sum = sum + below.count;
    }
    step.count = sum;
    step.ways = static_cast<u32>(ways.size());
    if (is_plain) return;
    for (size_t k = 0; k < ways.size(); ++k) ways[k].share = std::exp2(logarithms[k] - sum.log2);
    step.first_way = static_cast<u32>(plan_.ways_.size());
    plan_.ways_.insert(plan_.ways_.end(), ways.begin(), ways.end());
  }

  VariantPlan& plan_;
  const Sketch& sketch_;
  std::vector<u32> decision_of_;                  // by hole
  std::vector<u32> choices_around_;               // of the present hole, the outermost first
  std::vector<std::vector<u32>> space_products_;  // by alternative
  std::vector<std::vector<Counted>> counted_;     // products, by depth
};

VariantPlan::VariantPlan(const Sketch& sketch) : sketch_(sketch) { PlanBuilder(*this).build(); }

}  // namespace komuz::engine
