// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/variants.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

namespace komuz::engine {

namespace {

constexpr u64 kMany = VariantTables::kMany;

// Of counts, exact or kMany: the same arithmetic as that of VariantCount. False: it does not fit.
bool add_exactly(u64 a, u64 b, u64& sum) {
  return a != kMany && b != kMany && !__builtin_add_overflow(a, b, &sum) && sum != kMany;
}
bool multiply_exactly(u64 a, u64 b, u64& product) {
  product = 0;
  if (a == 0 || b == 0) return true;
  return a != kMany && b != kMany && !__builtin_mul_overflow(a, b, &product) && product != kMany;
}

}  // namespace

VariantCount VariantCount::of(u64 number) {
  return {number, std::log2(static_cast<f64>(number)), true};
}
VariantCount operator+(const VariantCount& a, const VariantCount& b) {
  u64 sum = 0;
  if (add_exactly(a.exact, b.exact, sum)) return VariantCount::of(sum);
  const f64 large = std::max(a.log2, b.log2), small = std::min(a.log2, b.log2);
  return {kMany, large + std::log2(1 + std::exp2(small - large)), false};
}
VariantCount operator*(const VariantCount& a, const VariantCount& b) {
  u64 product = 0;
  if (multiply_exactly(a.exact, b.exact, product)) return VariantCount::of(product);
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

namespace {

// Frames of a walk. Few sketches nest so deeply that there is anything to allocate.
template <class Frame>
class WalkFrames {
 public:
  explicit WalkFrames(u32 nesting) {
    if (nesting > kFew) many_.resize(nesting);
    rows = {many_.empty() ? few_ : many_.data(), std::max(nesting, kFew)};
  }
  Rows<Frame> rows;

 private:
  static constexpr u32 kFew = 24;
  Frame few_[kFew];
  std::vector<Frame> many_;
};

}  // namespace

VariantTables VariantPlan::tables() const {
  return {.stages = stages_,
          .steps = steps_,
          .ways = ways_,
          .decisions = decision_holes_,
          .holes = holes_,
          .space_holes = space_holes_,
          .hole_count = static_cast<u32>(sketch_.holes.size()),
          .program = program_,
          .nesting = nesting_};
}

bool VariantPlan::unrank(u64 number, Decisions& out) const {
  WalkFrames<NumberFrame> frames(nesting_);
  return engine::unrank(tables(), number, frames.rows, out) == Walked::Done;
}

u32 VariantPlan::way_at(const Step& step, f64 fraction) const {
  if (step.first_way == kNoWays) return static_cast<u32>(fraction * static_cast<f64>(step.ways));
  const Way* const ways = ways_of(step);
  u32 last = 0;
  for (u32 way = 0; way < step.ways; ++way) {
    if (ways[way].count == 0) continue;
    last = way;
    fraction -= ways[way].share;
    if (fraction < 0) return way;
  }
  return last;
}

u32 VariantPlan::any_way_at(const Step& step, f64 fraction) const {
  const Way* const ways = ways_of(step);
  const auto nth = [&](u64 all) { return static_cast<u32>(fraction * static_cast<f64>(all)); };
  if (ways == nullptr) return nth(step.ways);
  const std::span<const Way> all(ways, step.ways);
  const auto has_variants = [](const Way& way) { return way.count != 0; };
  u32 left = nth(static_cast<u64>(std::ranges::count_if(all, has_variants)));
  u32 way = 0;
  while (way + 1 < step.ways && (!has_variants(all[way]) || left-- != 0)) ++way;
  return way;
}

std::optional<u64> VariantPlan::rank(const Decisions& decisions) const {
  u64 number = 0;
  size_t at = 0;
  const bool fits = rank_stage(tables(), program_, decisions, at, number);
  return fits && at == decisions.size() ? std::optional(number) : std::nullopt;
}
bool VariantPlan::rank_stage(const VariantTables& tables, u32 stage, const Decisions& decisions,
                             size_t& at, u64& number) const {
  number = 0;
  for (u32 k = stages_[stage].begin; k < stages_[stage].end; ++k) {
    const Step& step = steps_[k];
    u32 below = kNoStage;
    if (at >= decisions.size() || !take_way(tables, step, decisions[at], below)) return false;
    const u32 way = decisions[at++];
    const u64 before = step.first_way == kNoWays ? way : ways_[step.first_way + way].before;
    u64 own = 0;
    if (below != kNoStage && !rank_stage(tables, below, decisions, at, own)) return false;
    if (!multiply_exactly(number, step.count.exact, number) ||
        !add_exactly(number, before, number) || !add_exactly(number, own, number))
      return false;
  }
  return true;
}

bool VariantPlan::decode(const Decisions& decisions, DecodedVariant& out) const {
  WalkFrames<DecisionFrame> frames(nesting_);
  return engine::decode(tables(), decisions, frames.rows, out) == Walked::Done;
}

std::optional<ListFault> VariantPlan::find_fault(const Decisions& decisions) const {
  Walk walk{tables(), decisions};
  if (!walk_stage(walk, program_)) {
    const Step& step = steps_[walk.step];
    return ListFault{walk.at, step.decision, step.ways};
  }
  if (walk.at != decisions.size()) return ListFault{walk.at, 0, 0};
  return std::nullopt;
}

void VariantPlan::list_stretches(const Decisions& decisions,
                                 std::vector<DecisionStretch>& out) const {
  out.clear();
  Walk walk{.tables = tables(), .decisions = decisions, .out = &out};
  if (!walk_stage(walk, program_) || walk.at != decisions.size()) out.clear();
}
bool VariantPlan::walk_stage(Walk& walk, u32 stage) {
  const Stage& steps = walk.tables.stages[stage];
  for (u32 k = steps.begin; k < steps.end; ++k)
    if (!walk_step(walk, k)) return false;
  return true;
}
bool VariantPlan::walk_step(Walk& walk, u32 step) {
  u32 below = kNoStage;
  walk.step = step;
  const Step& own = walk.tables.steps[step];
  if (walk.at >= walk.decisions.size() ||
      !take_way(walk.tables, own, walk.decisions[walk.at], below))
    return false;
  const size_t number = walk.out == nullptr ? 0 : walk.out->size();
  if (walk.out != nullptr) walk.out->push_back({own.decision, step, walk.at, walk.at});
  ++walk.at;
  if (below != kNoStage && !walk_stage(walk, below)) return false;
  if (walk.out != nullptr) (*walk.out)[number].end = walk.at;
  return true;
}

bool VariantPlan::fits(const Decisions& decisions, const DecisionStretch& what,
                       const DecisionStretch& where) const {
  const Decision &own = decisions_[what.decision], &other = decisions_[where.decision];
  if (own.space == kNoSpace ? what.decision != where.decision : own.space != other.space)
    return false;
  Walk walk{.tables = tables(), .decisions = decisions, .at = what.begin};
  return walk_step(walk, where.step) && walk.at == what.end;
}

}  // namespace komuz::engine
