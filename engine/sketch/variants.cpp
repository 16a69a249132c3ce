// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/variants.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

namespace komuz::engine {

namespace {

constexpr u64 kMany = VariantTables::kMany;

// Adds counts, which are exact or kMany, like VariantCount. False: the sum does not fit.
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

VariantTables VariantPlan::tables() const {
  return {.stages = stages_,
          .steps = steps_,
          .ways = ways_,
          .decisions = decision_holes_,
          .holes = holes_,
          .space_holes = space_holes_,
          .hole_count = static_cast<u32>(sketch_.holes.size()),
          .program = program_,
          .nesting = nesting_,
          .count = count_.exact,
          .is_mostly_too_large = mean_decisions_ > static_cast<f64>(kMostDecisions)};
}

bool VariantPlan::unrank(u64 number, Decisions& out) const {
  WalkFrames<NumberFrame> frames(nesting_);
  return engine::unrank(tables(), number, frames.rows, out) == Walked::Done;
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
    if (step.is_real || at >= decisions.size() || !take_way(tables, step, decisions[at], below))
      return false;
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
  const VariantTables all = tables();
  WalkFrames<StepFrame> frames(nesting_);
  DecisionWalk walk(all, frames.rows);
  walk.enter_program();
  size_t at = 0;
  ListFault fault;
  const Walked walked = walk.run(
      [&](u32 number, u32& below, u32&) {
        const Step& step = all.steps[number];
        fault = {at, step.decision, step.ways};
        if (at >= decisions.size() || !take_way(all, step, decisions[at], below))
          return Walked::None;
        ++at;
        return Walked::Done;
      },
      [](u32) {});
  if (walked != Walked::Done) return fault;
  if (at != decisions.size()) return ListFault{at, 0, 0};
  return std::nullopt;
}

void VariantPlan::list_stretches(const Decisions& decisions,
                                 std::vector<DecisionStretch>& out) const {
  WalkFrames<StepFrame> frames(nesting_);
  if (engine::list_stretches(tables(), decisions, frames.rows, out) != Walked::Done) out.clear();
}

bool VariantPlan::fits(const Decisions& decisions, const DecisionStretch& what,
                       const DecisionStretch& where) const {
  WalkFrames<StepFrame> frames(nesting_);
  return engine::fits(tables(), decisions, what, where, frames.rows);
}

}  // namespace komuz::engine
