// SPDX-License-Identifier: Apache-2.0
// A variant of a sketch as tables: the walks from its number to its decisions, and from its decisions to the contents
// of each hole. Written over a Storage (base/rows.h), so that a device takes the same steps as VariantPlan
// (variants.h), which lays out the tables.
//
// A *stage* is a product of decisions at a depth. The depth says how deep the surrounding space may nest below it; it
// is 0 in the program. A *step* is a decision in a stage. Each *way* that a decision may take leads to a stage of its
// own, or to no further decision.
#pragma once
#include <span>

#include "base/rows.h"
#include "engine/sketch/grid/real_points.h"
#include "lang/sketch.h"

namespace komuz::engine {

// A number of variants: exact below 2^64.
struct VariantCount {
  u64 exact = 0;  // all ones if it does not fit
  f64 log2 = 0;   // minus infinity if there are none
  bool is_exact = true;

  [[nodiscard]] static VariantCount of(u64 number);
  bool operator==(const VariantCount&) const = default;
};

// Spaces that nest deeply have variants that no memory holds, and draws find little else. Variants larger than this
// are refused.
inline constexpr size_t kMostDecisions = size_t{1} << 16;

// A piece of the program with its decisions: the program itself, or one expression from a space.
struct Instance {
  u32 space = kNoSpace;
  u32 alternative = 0;  // of the space
  u32 first_hole = 0;
  u32 first_decided = 0;  // its first element in DecodedRows::decided
};
// The contents of each hole of a variant. The program is instance 0.
template <class Storage>
struct DecodedRows {
  typename Storage::template List<Instance> instances;
  // For each instance by hole: an alternative, a point, or the number of an instance.
  typename Storage::template List<u32> decided;

  [[nodiscard]] HD u32& in(u32 instance, u32 hole) {
    return decided[instances[instance].first_decided + hole - instances[instance].first_hole];
  }
  [[nodiscard]] HD u32 in(u32 instance, u32 hole) const {
    return decided[instances[instance].first_decided + hole - instances[instance].first_hole];
  }
};

// Pointers are into memory of the host or of a device.
struct VariantTables {
  static constexpr u32 kNoStage = ~0u, kNoWays = ~0u;
  static constexpr u64 kMany = ~u64{0};  // a number of variants that does not fit

  struct Stage {
    u32 begin = 0, end = 0;  // in steps
    u32 least = 0;           // decisions of a variant, at least; all ones: that many, or more
  };
  struct Step {
    u32 decision = 0;
    u32 depth = 0;
    u32 ways = 0;
    u32 first_way = kNoWays;  // kNoWays: each way is one variant, like the points of a grid
    bool is_real = false;     // … any number: all ways together count as one variant
    u64 behind = 1;           // variants of the steps behind it in the stage
    VariantCount count;
  };
  struct Way {
    u64 before = 0;        // variants of the ways before it
    u64 count = 0;         // of its own
    f64 share = 0;         // of the decision's variants
    u32 stage = kNoStage;  // none: nothing more is decided
  };
  // The places of a decision in the text: `holes` in [begin, end). `space`: for Expansion and Nested.
  struct DecisionHoles {
    u32 space = kNoSpace;
    u32 begin = 0, end = 0;
    bool is_grid = false, is_real = false;
    bool is_nested = false;  // an expression from the space that it stands in
  };

  std::span<const Stage> stages;
  std::span<const Step> steps;
  std::span<const Way> ways;
  std::span<const DecisionHoles> decisions;
  std::span<const u32> holes;
  std::span<const SketchSpan> space_holes;  // numbers of the holes in each: [begin, end)
  u32 hole_count;
  u32 program;  // the stage
  u32 nesting;  // of stages, at most
  u64 count;    // of variants; kMany: it does not fit
  // Variants that are drawn with equal probability would nearly all have too many decisions.
  bool is_mostly_too_large;

  // Calls visit(span&) for each table.
  template <class Visit>
  void for_each(Visit visit) {
    visit(stages), visit(steps), visit(ways), visit(decisions), visit(holes), visit(space_holes);
  }
};

// A stage that has been entered in a walk over a number.
struct NumberFrame {
  u32 step, end;
  u64 number;  // of its variants
};
// The same in a walk over decisions.
struct DecisionFrame {
  u32 step, end, instance;
};

enum class Walked : u8 {
  Done,
  None,    // there is no such variant, or its decisions are too many
  NoRoom,  // some list is too short
};

// The way that a number of the step's variants takes. The number becomes one of the way's variants.
HD u32 way_of(const VariantTables& tables, const VariantTables::Step& step, u64& number) {
  const VariantTables::Way* const ways = tables.ways.data() + step.first_way;
  // No number comes behind a way with too many variants to count.
  const u64 looked_for = number < VariantTables::kMany ? number : VariantTables::kMany - 1;
  u32 way = 0, behind = step.ways;  // it is in [way, behind)
  while (behind - way > 1) {
    const u32 middle = way + (behind - way) / 2;
    (ways[middle].before <= looked_for ? way : behind) = middle;
  }
  number -= ways[way].before;
  return way;
}

// True if it is a way of the step that has variants. `stage` becomes the stage that it leads to, or kNoStage.
HD bool take_way(const VariantTables& tables, const VariantTables::Step& step, u32 way,
                 u32& stage) {
  stage = VariantTables::kNoStage;
  if (way >= step.ways) return false;
  if (step.first_way == VariantTables::kNoWays) return true;
  const VariantTables::Way& taken = tables.ways[step.first_way + way];
  stage = taken.stage;
  return taken.count != 0;
}

// The decisions of a number, which is less than the count. `frames` has room for the nesting.
template <class Decisions>
HD_CALL Walked unrank(const VariantTables& tables, u64 number, Rows<NumberFrame>& frames,
                      Decisions& out) {
  out.clear();
  frames.clear();
  const auto enter = [&](u32 stage, u64 of_stage) {
    frames.push_back({tables.stages[stage].begin, tables.stages[stage].end, of_stage});
  };
  enter(tables.program, number);
  while (!frames.empty()) {
    NumberFrame& frame = frames.back();
    if (frame.step == frame.end) {
      frames.pop_back();
      continue;
    }
    if (out.size() == kMostDecisions) return Walked::None;
    if (!has_room(out, 1)) return Walked::NoRoom;
    const VariantTables::Step& step = tables.steps[frame.step++];
    u64 own = 0;  // so many variants follow that the number is wholly theirs
    if (step.behind != VariantTables::kMany) {
      own = frame.number / step.behind;
      frame.number -= own * step.behind;
    }
    if (step.first_way == VariantTables::kNoWays) {
      out.push_back(step.is_real ? kRealOne : static_cast<u32>(own));
      continue;
    }
    const u32 way = way_of(tables, step, own);
    out.push_back(way);
    const u32 below = tables.ways[step.first_way + way].stage;
    if (below != VariantTables::kNoStage) enter(below, own);
  }
  return Walked::Done;
}

// The contents of each hole. `frames` has room for the nesting.
template <class Storage>
HD_CALL Walked decode(const VariantTables& tables, std::span<const u32> decisions,
                      Rows<DecisionFrame>& frames, DecodedRows<Storage>& out) {
  out.decided.clear();
  if (!has_room(out.decided, tables.hole_count)) return Walked::NoRoom;
  out.instances.assign(1, {});
  out.decided.assign(tables.hole_count, 0);
  frames.clear();
  const auto enter = [&](u32 stage, u32 instance) {
    frames.push_back({tables.stages[stage].begin, tables.stages[stage].end, instance});
  };
  enter(tables.program, 0);
  size_t at = 0;
  while (!frames.empty()) {
    DecisionFrame& frame = frames.back();
    if (frame.step == frame.end) {
      frames.pop_back();
      continue;
    }
    const VariantTables::Step& step = tables.steps[frame.step++];
    u32 below = VariantTables::kNoStage;
    if (at >= decisions.size() || !take_way(tables, step, decisions[at], below))
      return Walked::None;
    const u32 way = decisions[at++];
    const u32 instance = frame.instance;
    const VariantTables::DecisionHoles& d = tables.decisions[step.decision];
    u32 inside_of = instance, decided = way;
    if (d.space != kNoSpace) {
      const SketchSpan holes = tables.space_holes[d.space];
      if (!has_room(out.instances, 1) || !has_room(out.decided, holes.end - holes.begin))
        return Walked::NoRoom;
      inside_of = decided = static_cast<u32>(out.instances.size());
      const auto first_decided = static_cast<u32>(out.decided.size());
      out.instances.push_back({d.space, way, holes.begin, first_decided});
      out.decided.resize(first_decided + holes.end - holes.begin);
    }
    for (u32 k = d.begin; k < d.end; ++k) out.in(instance, tables.holes[k]) = decided;
    if (below != VariantTables::kNoStage) enter(below, inside_of);
  }
  return at == decisions.size() ? Walked::Done : Walked::None;
}

}  // namespace komuz::engine
