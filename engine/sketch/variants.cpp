// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/variants.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <utility>

namespace komuz::engine {

namespace {

constexpr u64 kMany = std::numeric_limits<u64>::max();

bool contains(SketchSpan outer, SketchSpan inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

}  // namespace

VariantCount VariantCount::of(u64 number) {
  return {number, std::log2(static_cast<f64>(number)), true};
}
VariantCount operator+(const VariantCount& a, const VariantCount& b) {
  u64 sum = 0;
  const bool fits = !__builtin_add_overflow(a.exact, b.exact, &sum) && sum != kMany;
  if (a.is_exact && b.is_exact && fits) return VariantCount::of(sum);
  const f64 large = std::max(a.log2, b.log2), small = std::min(a.log2, b.log2);
  return {kMany, large + std::log2(1 + std::exp2(small - large)), false};
}
VariantCount operator*(const VariantCount& a, const VariantCount& b) {
  if (a.exact == 0 || b.exact == 0) return VariantCount::of(0);
  u64 product = 0;
  const bool fits = !__builtin_mul_overflow(a.exact, b.exact, &product) && product != kMany;
  if (a.is_exact && b.is_exact && fits) return VariantCount::of(product);
  return {kMany, a.log2 + b.log2, false};
}

std::string count_text(const VariantCount& count) {
  if (!count.is_exact) {
    char text[32];
    std::snprintf(text, sizeof text, "about 2^%.1f", count.log2);
    return text;
  }
  std::string text = std::to_string(count.exact);
  for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

// Sorts holes into decisions, and decisions into the products that they are made in.
class PlanBuilder {
 public:
  explicit PlanBuilder(VariantPlan& plan) : plan_(plan), sketch_(plan.sketch_) {}

  void build() {
    decision_of_.resize(sketch_.holes.size());
    add_scope(kNoSpace, 0);
    plan_.space_products_.resize(sketch_.spaces.size());
    plan_.space_holes_.resize(sketch_.spaces.size());
    for (u32 s = 0; s < sketch_.spaces.size(); ++s) {
      find_holes(s);
      for (u32 k = 0; k < sketch_.spaces[s].alternatives.size(); ++k)
        plan_.space_products_[s].push_back(add_scope(s, k));
    }
    plan_.product_counts_.resize(plan_.products_.size());
    plan_.space_counts_.resize(sketch_.spaces.size());
    for (u32 s = 0; s < sketch_.spaces.size(); ++s) count_space(s);
    for (u32 p = 0; p < plan_.products_.size(); ++p)
      if (space_of_[p] == kNoSpace) count_product(p, 0);
    plan_.count_ = plan_.product_counts_[0][0];
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
  u32 add_product(u32 space) {
    plan_.products_.emplace_back();
    space_of_.push_back(space);
    return static_cast<u32>(plan_.products_.size() - 1);
  }
  // The program, or an alternative of a space: one name is one decision in it. Returns its product.
  u32 add_scope(u32 space, u32 alternative) {
    const u32 scope = add_product(space);
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
        add_decision(around, h, space);
      } else if (const auto found = named.find({hole.form, hole.name}); found != named.end()) {
        plan_.decisions_[found->second].holes.push_back(h);
        decision_of_[h] = found->second;
      } else {
        named.emplace(std::pair(hole.form, hole.name), plan_.decisions_.size());
        add_decision(scope, h, space);
      }
      if (hole.form == HoleForm::Choice) choices_around_.push_back(h);
    }
    return scope;
  }
  void add_decision(u32 product, u32 h, u32 space) {
    const Hole& hole = sketch_.holes[h];
    const u32 number = static_cast<u32>(plan_.decisions_.size());
    Decision decision{hole.form, {h}, hole.grid.points, {}, hole.expands};
    for (size_t k = 0; k < hole.alternatives.size(); ++k)
      decision.alternatives.push_back(add_product(space));
    plan_.products_[product].decisions.push_back(number);
    plan_.decisions_.push_back(std::move(decision));
    decision_of_[h] = number;
  }
  // A hole without a name belongs to the alternative that it stands in.
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

  void count_space(u32 s) {
    std::vector<VariantCount>& counts = plan_.space_counts_[s];
    if (!counts.empty()) return;
    for (u32 depth = 0; depth <= sketch_.spaces[s].depth; ++depth) {
      VariantCount sum = VariantCount::of(0);
      for (const u32 product : plan_.space_products_[s]) sum = sum + count_product(product, depth);
      counts.push_back(sum);
    }
  }
  // Of all depths up to this one.
  const VariantCount& count_product(u32 product, u32 depth) {
    while (plan_.product_counts_[product].size() <= depth) {
      const u32 next = static_cast<u32>(plan_.product_counts_[product].size());
      VariantCount count = VariantCount::of(1);
      for (const u32 d : plan_.products_[product].decisions) {
        for (const u32 inside : plan_.decisions_[d].alternatives) count_product(inside, next);
        if (plan_.decisions_[d].form == HoleForm::Expansion) count_space(plan_.decisions_[d].space);
        count = count * plan_.count_decision(d, next);
      }
      plan_.product_counts_[product].push_back(count);
    }
    return plan_.product_counts_[product][depth];
  }

  VariantPlan& plan_;
  const Sketch& sketch_;
  std::vector<u32> decision_of_;     // by hole
  std::vector<u32> space_of_;        // by product
  std::vector<u32> choices_around_;  // the hole that is looked at, the outermost first
};

VariantPlan::VariantPlan(const Sketch& sketch) : sketch_(sketch) { PlanBuilder(*this).build(); }

VariantCount VariantPlan::count_decision(u32 decision, u32 depth) const {
  const Decision& d = decisions_[decision];
  switch (d.form) {
    case HoleForm::Grid: return VariantCount::of(d.points);
    case HoleForm::Expansion: return space_counts_[d.space].back();
    case HoleForm::Nested:
      return depth == 0 ? VariantCount::of(0) : space_counts_[d.space][depth - 1];
    case HoleForm::Choice:
    case HoleForm::Free: break;
  }
  VariantCount sum = VariantCount::of(0);
  for (const u32 product : d.alternatives) sum = sum + count_product(product, depth);
  return sum;
}

u32 VariantPlan::ways(u32 decision) const {
  const Decision& d = decisions_[decision];
  switch (d.form) {
    case HoleForm::Grid: return static_cast<u32>(d.points);
    case HoleForm::Expansion:
    case HoleForm::Nested: return static_cast<u32>(space_products_[d.space].size());
    case HoleForm::Choice:
    case HoleForm::Free: break;
  }
  return static_cast<u32>(d.alternatives.size());
}

VariantPlan::Below VariantPlan::below(u32 decision, u32 way, u32 depth) const {
  const Decision& d = decisions_[decision];
  switch (d.form) {
    case HoleForm::Grid: return {VariantCount::of(1)};
    case HoleForm::Expansion: depth = sketch_.spaces[d.space].depth; break;
    case HoleForm::Nested:
      if (depth == 0) return {VariantCount::of(0)};
      --depth;
      break;
    case HoleForm::Choice:
    case HoleForm::Free:
      return {count_product(d.alternatives[way], depth), d.alternatives[way], depth};
  }
  const u32 product = space_products_[d.space][way];
  return {count_product(product, depth), product, depth};
}

bool VariantPlan::unrank(u64 number, Decisions& out) const {
  out.clear();
  return unrank_product(0, 0, number, out);
}
bool VariantPlan::unrank_product(u32 product, u32 depth, u64 number, Decisions& out) const {
  const std::vector<u32>& decisions = products_[product].decisions;
  // How many variants those behind each one have: the last one is the fastest.
  std::vector<VariantCount> behind(decisions.size() + 1, VariantCount::of(1));
  for (size_t k = decisions.size(); k-- > 0;)
    behind[k] = behind[k + 1] * count_decision(decisions[k], depth);
  for (size_t k = 0; k < decisions.size(); ++k) {
    if (out.size() == kMostDecisions) return false;
    const VariantCount& rest = behind[k + 1];
    u64 own = rest.is_exact ? number / rest.exact : 0;
    if (rest.is_exact) number %= rest.exact;
    const Decision& d = decisions_[decisions[k]];
    if (d.form == HoleForm::Grid) {
      out.push_back(static_cast<u32>(own));
      continue;
    }
    u32 way = 0;
    Below inside = below(decisions[k], way, depth);
    for (; inside.count.is_exact && own >= inside.count.exact;
         inside = below(decisions[k], ++way, depth))
      own -= inside.count.exact;
    out.push_back(way);
    if (!unrank_product(inside.product, inside.depth, own, out)) return false;
  }
  return true;
}

u32 VariantPlan::way_of(u32 decision, u32 depth, f64 fraction) const {
  if (decisions_[decision].form == HoleForm::Grid)
    return static_cast<u32>(fraction * static_cast<f64>(decisions_[decision].points));
  const VariantCount all = count_decision(decision, depth);
  u32 last = 0;
  for (u32 way = 0; way < ways(decision); ++way) {
    const VariantCount own = below(decision, way, depth).count;
    if (own.exact == 0) continue;
    last = way;
    fraction -= std::exp2(own.log2 - all.log2);
    if (fraction < 0) return way;
  }
  return last;
}

std::optional<u64> VariantPlan::rank(const Decisions& decisions) const {
  u64 number = 0;
  size_t at = 0;
  const bool fits = rank_product(0, 0, decisions, at, number);
  return fits && at == decisions.size() ? std::optional(number) : std::nullopt;
}
bool VariantPlan::rank_product(u32 product, u32 depth, const Decisions& decisions, size_t& at,
                               u64& number) const {
  number = 0;
  for (const u32 decision : products_[product].decisions) {
    if (at >= decisions.size() || decisions[at] >= ways(decision)) return false;
    const u32 way = decisions[at++];
    VariantCount before = VariantCount::of(0);
    if (decisions_[decision].form == HoleForm::Grid)
      before = VariantCount::of(way);
    else
      for (u32 k = 0; k < way; ++k) before = before + below(decision, k, depth).count;
    const Below inside = below(decision, way, depth);
    if (inside.count.exact == 0) return false;
    u64 own = 0;
    if (inside.product != kNoProduct &&
        !rank_product(inside.product, inside.depth, decisions, at, own))
      return false;
    const VariantCount sum =
        VariantCount::of(number) * count_decision(decision, depth) + before + VariantCount::of(own);
    if (!sum.is_exact) return false;
    number = sum.exact;
  }
  return true;
}

bool VariantPlan::decode(const Decisions& decisions, std::vector<Instance>& out) const {
  out.clear();
  out.push_back({kNoSpace, 0, 0, std::vector<u32>(sketch_.holes.size())});
  size_t at = 0;
  return decode_product(0, 0, 0, decisions, at, out) && at == decisions.size();
}
bool VariantPlan::decode_product(u32 product, u32 depth, u32 instance, const Decisions& decisions,
                                 size_t& at, std::vector<Instance>& out) const {
  for (const u32 decision : products_[product].decisions) {
    const Decision& d = decisions_[decision];
    if (at >= decisions.size() || decisions[at] >= ways(decision)) return false;
    const u32 way = decisions[at++];
    const Below inside = below(decision, way, depth);
    if (inside.count.exact == 0) return false;
    u32 inside_of = instance, decided = way;
    if (d.form == HoleForm::Expansion || d.form == HoleForm::Nested) {
      const SketchSpan holes = space_holes_[d.space];
      inside_of = decided = static_cast<u32>(out.size());
      out.push_back({d.space, way, holes.begin, std::vector<u32>(holes.end - holes.begin)});
    }
    for (const u32 hole : d.holes) out[instance].decided[hole - out[instance].first_hole] = decided;
    if (inside.product != kNoProduct &&
        !decode_product(inside.product, inside.depth, inside_of, decisions, at, out))
      return false;
  }
  return true;
}

void VariantPlan::list_stretches(const Decisions& decisions,
                                 std::vector<DecisionStretch>& out) const {
  out.clear();
  size_t at = 0;
  if (!list_product(0, 0, decisions, at, out) || at != decisions.size()) out.clear();
}
bool VariantPlan::list_product(u32 product, u32 depth, const Decisions& decisions, size_t& at,
                               std::vector<DecisionStretch>& out) const {
  for (const u32 decision : products_[product].decisions) {
    if (at >= decisions.size() || decisions[at] >= ways(decision)) return false;
    const size_t number = out.size();
    out.push_back({decision, depth, at, at});
    const Below inside = below(decision, decisions[at++], depth);
    if (inside.product != kNoProduct &&
        !list_product(inside.product, inside.depth, decisions, at, out))
      return false;
    out[number].end = at;
  }
  return true;
}

bool VariantPlan::fits(const DecisionStretch& what, const DecisionStretch& where) const {
  const Decision &own = decisions_[what.decision], &other = decisions_[where.decision];
  if (own.space == kNoSpace) return what.decision == where.decision && what.depth <= where.depth;
  const auto depth_below = [&](const Decision& d, u32 depth) {
    return d.form == HoleForm::Nested ? depth - 1 : sketch_.spaces[d.space].depth;
  };
  return own.space == other.space &&
         depth_below(own, what.depth) <= depth_below(other, where.depth);
}

}  // namespace komuz::engine
