// SPDX-License-Identifier: Apache-2.0
// Walks over the decisions of a variant (variant_tables.h) for searches: they find stretches, check whether one fits
// in the place of another, and draw. Devices use them, too, so nothing is recursive: `frames` has room for the
// nesting.
#pragma once
#include "base/hash.h"
#include "engine/sketch/variant_tables.h"

namespace komuz::engine {

// A decision of a variant with all decisions below it: elements [begin, end) of its list.
struct DecisionStretch {
  u32 decision = 0;
  u32 step = 0;  // of the tables
  u32 begin = 0, end = 0;
};

// How a variant is drawn. Variants: all with the same probability, so that variants of a space nearly all nest as
// deep as they may. Ways: each decision by itself, with equal probability for all ways that have variants, so that
// small expressions are as likely as large ones. If spaces name themselves often, most of these are too large, too.
// Narrow: like Ways up to kWide decisions, then the ways that end soonest.
enum class DrawKind : u8 { Variants, Ways, Narrow };
inline constexpr size_t kWide = 1024;

// Steps still to be taken: those of a stage that has been entered, or a single one.
struct StepFrame {
  u32 step, end;
  u32 owner;  // number of the stretch above the stage; none for the program
};

// Visits the steps of what has been entered, and of all stages below, in the order of the decisions.
class DecisionWalk {
 public:
  static constexpr u32 kNoOwner = ~u32{0};

  HD DecisionWalk(const VariantTables& tables, Rows<StepFrame>& frames)
      : tables_(tables), frames_(frames) {
    frames_.clear();
  }
  HD void enter_program() { enter_stage(tables_.program, kNoOwner); }
  HD void enter_step(u32 step) { frames_.push_back({step, step + 1, kNoOwner}); }

  // take(step, below, owner) takes a way of the step, and sets the stage that it leads to and the argument for
  // on_end, which is called once all below is decided. If it returns anything but Done, the walk ends with that.
  template <class Take, class OnEnd>
  HD_CALL Walked run(const Take& take, const OnEnd& on_end) {
    while (!frames_.empty()) {
      StepFrame& frame = frames_.back();
      if (frame.step == frame.end) {
        const u32 owner = frame.owner;
        frames_.pop_back();
        if (owner != kNoOwner) on_end(owner);
        continue;
      }
      const u32 step = frame.step++;
      u32 below = VariantTables::kNoStage, owner = kNoOwner;
      const Walked taken = take(step, below, owner);
      if (taken != Walked::Done) return taken;
      if (below != VariantTables::kNoStage)
        enter_stage(below, owner);
      else if (owner != kNoOwner)
        on_end(owner);
    }
    return Walked::Done;
  }

 private:
  HD void enter_stage(u32 stage, u32 owner) {
    frames_.push_back({tables_.stages[stage].begin, tables_.stages[stage].end, owner});
  }

  const VariantTables& tables_;
  Rows<StepFrame>& frames_;
};

// All stretches of a variant, in the order in which they begin. None if these are no decisions of the sketch.
template <class List>
HD_CALL Walked list_stretches(const VariantTables& tables, std::span<const u32> decisions,
                              Rows<StepFrame>& frames, List& out) {
  out.clear();
  u32 at = 0;
  DecisionWalk walk(tables, frames);
  walk.enter_program();
  const Walked walked = walk.run(
      [&](u32 number, u32& below, u32& owner) {
        const VariantTables::Step& step = tables.steps[number];
        if (at >= decisions.size() || !take_way(tables, step, decisions[at], below))
          return Walked::None;
        if (!has_room(out, 1)) return Walked::NoRoom;
        owner = static_cast<u32>(out.size());
        out.push_back({step.decision, number, at, at});
        ++at;
        return Walked::Done;
      },
      [&](u32 owner) { out[owner].end = at; });
  if (walked != Walked::Done) return walked;
  return at == decisions.size() ? Walked::Done : Walked::None;
}

// True if the content of a stretch of these decisions may stand in another stretch, which may belong to other
// decisions. The content must not nest deeper than the other stretch allows.
inline HD_CALL bool fits(const VariantTables& tables, std::span<const u32> decisions,
                         const DecisionStretch& what, const DecisionStretch& where,
                         Rows<StepFrame>& frames) {
  const u32 own = tables.decisions[what.decision].space,
            other = tables.decisions[where.decision].space;
  if (own == kNoSpace ? what.decision != where.decision : own != other) return false;
  u32 at = what.begin;
  DecisionWalk walk(tables, frames);
  walk.enter_step(where.step);
  const Walked walked = walk.run(
      [&](u32 number, u32& below, u32&) {
        if (at >= decisions.size() || !take_way(tables, tables.steps[number], decisions[at], below))
          return Walked::None;
        ++at;
        return Walked::Done;
      },
      [](u32) {});
  return walked == Walked::Done && at == what.end;
}

// True if this is known without a look at the content, which is of a variant: what may nest deeper takes all that may nest less deep.
HD bool surely_fits(const VariantTables& tables, const DecisionStretch& what,
                    const DecisionStretch& where) {
  if (what.step == where.step) return true;
  const VariantTables::DecisionHoles& own = tables.decisions[what.decision];
  const VariantTables::DecisionHoles& other = tables.decisions[where.decision];
  return own.is_nested && other.is_nested && own.space == other.space &&
         tables.steps[what.step].depth <= tables.steps[where.step].depth;
}

// The way for a number below 1. The width of a way is its number of variants.
HD u32 way_at(const VariantTables& tables, const VariantTables::Step& step, f64 fraction) {
  if (step.is_real) return real_point_at(fraction);
  if (step.first_way == VariantTables::kNoWays)
    return static_cast<u32>(fraction * static_cast<f64>(step.ways));
  u32 last = 0;
  for (u32 way = 0; way < step.ways; ++way) {
    const VariantTables::Way& own = tables.ways[step.first_way + way];
    if (own.count == 0) continue;
    last = way;
    fraction -= own.share;
    if (fraction < 0) return way;
  }
  return last;
}
// The same, but all ways with variants have equal width.
HD u32 any_way_at(const VariantTables& tables, const VariantTables::Step& step, f64 fraction) {
  const auto nth = [fraction](u32 all) {
    return static_cast<u32>(fraction * static_cast<f64>(all));
  };
  if (step.is_real) return real_point_at(fraction);
  if (step.first_way == VariantTables::kNoWays) return nth(step.ways);
  const auto has_variants = [&](u32 way) { return tables.ways[step.first_way + way].count != 0; };
  u32 all = 0;
  for (u32 way = 0; way < step.ways; ++way) all += has_variants(way);
  u32 left = nth(all), way = 0;
  while (way + 1 < step.ways && (!has_variants(way) || left-- != 0)) ++way;
  return way;
}

// The way with the fewest decisions; of several the first behind the place of the number below 1.
HD u32 shortest_way_at(const VariantTables& tables, const VariantTables::Step& step, f64 fraction) {
  if (step.is_real) return real_point_at(fraction);
  const u32 first = static_cast<u32>(fraction * static_cast<f64>(step.ways));
  if (step.first_way == VariantTables::kNoWays) return first;
  u32 best = first, least = ~u32{0};
  bool is_found = false;
  for (u32 k = 0; k < step.ways; ++k) {
    const u32 way = first + k < step.ways ? first + k : first + k - step.ways;
    const VariantTables::Way& own = tables.ways[step.first_way + way];
    if (own.count == 0) continue;
    const u32 decisions = own.stage == VariantTables::kNoStage ? 0 : tables.stages[own.stage].least;
    if (is_found && decisions >= least) continue;
    is_found = true;
    best = way;
    least = decisions;
  }
  return best;
}

// Appends decisions of what has been entered to `out`. `random`: uniform numbers of 64 bits.
template <class Random, class List>
HD_CALL Walked draw_entered(const VariantTables& tables, DecisionWalk& walk, DrawKind kind,
                            Random&& random, List& out) {
  return walk.run(
      [&](u32 number, u32& below, u32&) {
        if (out.size() == kMostDecisions) return Walked::None;
        if (!has_room(out, 1)) return Walked::NoRoom;
        const VariantTables::Step& step = tables.steps[number];
        const f64 fraction = static_cast<f64>(random() >> 11) * 0x1p-53;
        const bool is_wide = kind == DrawKind::Narrow && out.size() >= kWide;
        const u32 way = kind == DrawKind::Variants ? way_at(tables, step, fraction)
                        : is_wide                  ? shortest_way_at(tables, step, fraction)
                                                   : any_way_at(tables, step, fraction);
        out.push_back(way);
        if (step.first_way != VariantTables::kNoWays)
          below = tables.ways[step.first_way + way].stage;
        return Walked::Done;
      },
      [](u32) {});
}
template <class Random, class List>
HD_CALL Walked draw_program(const VariantTables& tables, DrawKind kind, Random&& random,
                            Rows<StepFrame>& frames, List& out) {
  out.clear();
  DecisionWalk walk(tables, frames);
  walk.enter_program();
  return draw_entered(tables, walk, kind, random, out);
}
// Draws another list for a stretch.
template <class Random, class List>
HD_CALL Walked draw_stretch(const VariantTables& tables, DrawKind kind, const DecisionStretch& at,
                            Random&& random, Rows<StepFrame>& frames, List& out) {
  out.clear();
  DecisionWalk walk(tables, frames);
  walk.enter_step(at.step);
  return draw_entered(tables, walk, kind, random, out);
}
// Maps 64 random bits to a number below `all`: the high half of a product of 128 bits, which is uniform up to 2^-64.
HD u64 number_below(u64 random, u64 all) { return multiply_wide(random, all).high; }

}  // namespace komuz::engine
