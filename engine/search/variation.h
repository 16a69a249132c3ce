// SPDX-License-Identifier: Apache-2.0
// Turns one variant of a sketch into another: the common part of methods that breed. Written over a Storage
// (base/rows.h), so that devices breed in the same way. Not part of the engine's door.
#pragma once
#include "base/random.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

// Changes to a list of decisions, after which it is still one of the sketch. All ways of a decision are drawn with
// equal probability, so most draws are small, and expressions grow from there if that helps. Drawing all variants
// with equal probability would give ones that nearly all nest as deep as they may. A workspace for one thread.
template <class Storage>
class VariationOf {
 public:
  using List = typename Storage::template List<u32>;
  using Stretches = typename Storage::template List<DecisionStretch>;
  // Its memory. Frames have room for the nesting, the lists for a variant.
  struct Memory {
    Rows<StepFrame> frames;
    Rows<NumberFrame> number_frames;
    Stretches own, others, fitting;
    List part, whole;
  };

  HD VariationOf(const VariantTables& tables, const Memory& memory)
      : tables_(tables), memory_(memory) {}

  Random random{0};  // source of all draws
  // The weight of each way of the tables, wherever ways are drawn (way_weights.h); empty: all are alike. Devices have
  // none.
  std::span<const u32> way_weights;

  // True if some list was too short: nothing made since then counts. A vector never is too short.
  [[nodiscard]] HD bool ran_out() const { return ran_out_; }

  // A list with too many decisions is drawn again with fewer, as SketchCandidates does: running one such variant
  // takes as long as thousands of others. None if all variants are too large.
  HD_CALL void draw(List& out, DrawKind kind = DrawKind::Ways) {
    if (kind == DrawKind::Variants && (tables_.is_mostly_too_large || !way_weights.empty()))
      kind = DrawKind::Ways;
    for (;;) {
      const Walked drawn = draw_once(out, kind);
      if (drawn == Walked::Done) return;
      if (drawn == Walked::NoRoom) ran_out_ = true;
      if (ran_out_ || kind == DrawKind::Narrow) break;
      kind = kind == DrawKind::Variants ? DrawKind::Ways : DrawKind::Narrow;
    }
    out.clear();
  }
  // Changes one decision. A point of a grid mostly moves to a near one. Otherwise the decision is made anew with all
  // below it; or takes another way, keeping what is below; or moves below a new decision that fits around it
  // (insertion); or is replaced by a part of itself (hoist).
  HD_CALL void mutate(List& decisions) {
    if (!list_own(decisions)) return;
    const DecisionStretch at = memory_.own[random.below(memory_.own.size())];
    const bool is_grid = tables_.decisions[at.decision].is_grid;
    const bool is_real = tables_.decisions[at.decision].is_real;
    if (is_real && !random.one_in(4)) return move_number(decisions[at.begin]);
    if (is_grid && !is_real && !random.one_in(4))
      return move_point(decisions[at.begin], tables_.steps[at.step].ways);
    switch (random.below(4)) {
      case 0:
        if (!is_grid && go_another_way(decisions, at)) return;
        break;
      case 1:
        if (insert_above(decisions, at)) return;
        break;
      case 2:
        if (hoist(decisions, at)) return;
        break;
      default: break;
    }
    if (draw_part(at)) replace(decisions, at, span_of(memory_.part));
  }
  // Replaces a part by a part of `from` that fits there.
  HD_CALL void cross(List& decisions, std::span<const u32> from) {
    const bool has_own = list_own(decisions);
    list(from, memory_.others);
    if (!has_own) return;
    const DecisionStretch at = memory_.own[random.below(memory_.own.size())];
    memory_.fitting.clear();
    for (size_t k = 0; k < memory_.others.size(); ++k)
      if (may_stand(from, memory_.others[k], at)) memory_.fitting.push_back(memory_.others[k]);
    replace_by_fitting(decisions, at, from);
  }
  HD_CALL void copy(List& to, std::span<const u32> from) {
    if (!make_long(to, from.size())) {
      ran_out_ = true;
      return;
    }
    for (size_t k = 0; k < from.size(); ++k) to[k] = from[k];
  }

 private:
  HD static std::span<const u32> span_of(const List& list) { return {list.data(), list.size()}; }

  HD_CALL Walked draw_once(List& out, DrawKind kind) {
    const auto next = [this] { return random.next(); };
    if (kind == DrawKind::Variants && tables_.count != VariantTables::kMany)
      return unrank(tables_, number_below(next(), tables_.count), memory_.number_frames, out);
    if (kind == DrawKind::Ways && !way_weights.empty()) {
      out.clear();
      DecisionWalk walk(tables_, memory_.frames);
      walk.enter_program();
      return draw_weighted(walk, out);
    }
    return draw_program(tables_, kind, next, memory_.frames, out);
  }
  // A way that has variants.
  HD u32 weighted_way(const VariantTables::Step& step) {
    if (way_weights.empty() || step.first_way == VariantTables::kNoWays)
      return any_way_at(tables_, step, static_cast<f64>(random.next() >> 11) * 0x1p-53);
    u64 sum = 0;
    for (u32 way = 0; way < step.ways; ++way)
      if (tables_.ways[step.first_way + way].count != 0) sum += way_weights[step.first_way + way];
    u64 left = multiply_wide(random.next(), sum).high;
    for (u32 way = 0; way < step.ways; ++way) {
      if (tables_.ways[step.first_way + way].count == 0) continue;
      const u32 own = way_weights[step.first_way + way];
      if (left < own) return way;
      left -= own;
    }
    return 0;
  }
  // Appends decisions of what has been entered to `out`.
  HD_CALL Walked draw_weighted(DecisionWalk& walk, List& out) {
    return walk.run(
        [&](u32 number, u32& below, u32&) {
          if (out.size() == kMostDecisions) return Walked::None;
          if (!has_room(out, 1)) return Walked::NoRoom;
          const VariantTables::Step& step = tables_.steps[number];
          const u32 way = weighted_way(step);
          out.push_back(way);
          if (step.first_way != VariantTables::kNoWays)
            below = tables_.ways[step.first_way + way].stage;
          return Walked::Done;
        },
        [](u32) {});
  }
  HD bool list_own(const List& decisions) {
    list(span_of(decisions), memory_.own);
    return !memory_.own.empty();
  }
  // None if they are no decisions of the sketch.
  HD_CALL void list(std::span<const u32> decisions, Stretches& out) {
    const Walked listed = list_stretches(tables_, decisions, memory_.frames, out);
    if (listed == Walked::NoRoom) ran_out_ = true;
    if (listed != Walked::Done) out.clear();
  }

  HD void move_point(u32& point, u64 points) {
    const u64 part = points >> (1 + random.below(6));
    const u64 by = 1 + (random.next() >> 32) % (part > 1 ? part : 1);
    const bool down = random.below(2) != 0;
    const u64 up = point + by < points ? point + by : points - 1;
    point = static_cast<u32>(!down ? up : point > by ? point - by : 0);
  }
  // By a factor of up to 16, mostly by a small one; one number in eight changes its sign. Chance alone makes no number larger than
  // 2^17: of large summands a score could follow the rounding, where it fits a line.
  HD void move_number(u32& point) {
    constexpr u32 kMostDoublings = 4, kLargest = (127 + 17) * kRealDouble;
    const auto size = [](u32 of) { return of < kRealZero ? kRealZero - of : of - kRealZero; };
    const u32 before = point;
    const u64 most = u64{kRealDouble * kMostDoublings} >> (2 * random.below(8));
    const u64 by = 1 + (random.next() >> 32) % most, last = kRealPoints - 1;
    const bool down = random.below(2) != 0;
    const u64 up = point + by < last ? point + by : last;
    point = static_cast<u32>(!down ? up : point > by ? point - by : 0);
    if (size(point) > kLargest && size(point) > size(before)) point = before;
    if (random.one_in(8)) point = static_cast<u32>(last) - point;
  }
  HD bool draw_part(const DecisionStretch& at) {
    if (!way_weights.empty()) {
      memory_.part.clear();
      DecisionWalk walk(tables_, memory_.frames);
      walk.enter_step(at.step);
      const Walked drawn = draw_weighted(walk, memory_.part);
      if (drawn == Walked::NoRoom) ran_out_ = true;
      return drawn == Walked::Done;
    }
    const Walked drawn = draw_stretch(
        tables_, DrawKind::Ways, at, [this] { return random.next(); }, memory_.frames,
        memory_.part);
    if (drawn == Walked::NoRoom) ran_out_ = true;
    return drawn == Walked::Done;
  }
  // Replaces a stretch by elements of `part`, unless that makes the list too long.
  HD_CALL void replace(List& decisions, const DecisionStretch& at, std::span<const u32> part) {
    const size_t size = decisions.size(), behind = size - at.end;
    const size_t changed = at.begin + part.size() + behind, to = at.begin + part.size();
    if (changed > kMostDecisions) return;
    if (changed > size) {
      if (!make_long(decisions, changed)) {
        ran_out_ = true;
        return;
      }
      for (size_t k = behind; k-- > 0;) decisions[to + k] = decisions[at.end + k];
    } else {
      for (size_t k = 0; k < behind; ++k) decisions[to + k] = decisions[at.end + k];
      decisions.resize(changed);
    }
    for (size_t k = 0; k < part.size(); ++k) decisions[at.begin + k] = part[k];
  }

  // True if a stretch of a variant may stand in the place of another one.
  HD bool may_stand(std::span<const u32> decisions, const DecisionStretch& what,
                    const DecisionStretch& where) {
    return surely_fits(tables_, what, where) ||
           fits(tables_, decisions, what, where, memory_.frames);
  }

  // False, here and below: there is nothing of the kind, and the list is unchanged.
  HD_CALL bool go_another_way(List& decisions, const DecisionStretch& at) {
    constexpr u32 kTries = 10;
    const u32 ways = tables_.steps[at.step].ways;
    if (ways < 2) return false;
    u32& way = decisions[at.begin];
    const u32 before = way;
    for (u32 k = 0; k < kTries; ++k) {
      way = way_weights.empty() ? random.below(ways) : weighted_way(tables_.steps[at.step]);
      if (way != before && fits(tables_, span_of(decisions), at, at, memory_.frames)) return true;
    }
    way = before;
    return false;
  }
  HD_CALL bool insert_above(List& decisions, const DecisionStretch& at) {
    constexpr u32 kTries = 4;  // many draws have nothing below
    for (u32 k = 0; k < kTries; ++k) {
      if (!draw_part(at) || memory_.part.size() < 2) continue;
      copy(memory_.whole, span_of(decisions));
      replace(memory_.whole, at, span_of(memory_.part));
      list(span_of(memory_.whole), memory_.others);
      if (ran_out_) return true;
      const size_t end = at.begin + memory_.part.size();
      memory_.fitting.clear();
      for (size_t j = 0; j < memory_.others.size(); ++j) {
        const DecisionStretch& other = memory_.others[j];
        if (other.begin > at.begin && other.end <= end && may_stand(span_of(decisions), at, other))
          memory_.fitting.push_back(other);
      }
      if (memory_.fitting.empty()) continue;
      const DecisionStretch& below = memory_.fitting[random.below(memory_.fitting.size())];
      replace(memory_.whole, below, span_of(decisions).subspan(at.begin, at.end - at.begin));
      copy(decisions, span_of(memory_.whole));
      return true;
    }
    return false;
  }
  HD_CALL bool hoist(List& decisions, const DecisionStretch& at) {
    memory_.fitting.clear();
    for (size_t k = 0; k < memory_.own.size(); ++k) {
      const DecisionStretch& other = memory_.own[k];
      if (other.begin > at.begin && other.end <= at.end && may_stand(span_of(decisions), other, at))
        memory_.fitting.push_back(other);
    }
    return replace_by_fitting(decisions, at, span_of(decisions));
  }
  // One of the fitting stretches of `from`.
  HD_CALL bool replace_by_fitting(List& decisions, const DecisionStretch& at,
                                  std::span<const u32> from) {
    if (memory_.fitting.empty()) return false;
    const DecisionStretch& part = memory_.fitting[random.below(memory_.fitting.size())];
    copy(memory_.part, from.subspan(part.begin, part.end - part.begin));
    replace(decisions, at, span_of(memory_.part));
    return true;
  }

  const VariantTables tables_;
  Memory memory_;
  bool ran_out_ = false;
};

// The host's. `plan` outlives it.
class Variation final : public VariationOf<Growing> {
 public:
  explicit Variation(const VariantPlan& plan) : Variation(plan, plan.tables().nesting) {}
  Variation(const Variation&) = delete;
  Variation& operator=(const Variation&) = delete;

 private:
  Variation(const VariantPlan& plan, u32 nesting) : Variation(plan, Frames(nesting)) {}
  struct Frames {
    explicit Frames(u32 nesting) : steps(nesting), numbers(nesting) {}
    std::vector<StepFrame> steps;
    std::vector<NumberFrame> numbers;
  };
  // The frames stay in place when the vectors move.
  Variation(const VariantPlan& plan, Frames frames)
      : VariationOf(
            plan.tables(),
            {.frames = {frames.steps.data(), static_cast<u32>(frames.steps.size())},
             .number_frames = {frames.numbers.data(), static_cast<u32>(frames.numbers.size())},
             .own = {},
             .others = {},
             .fitting = {},
             .part = {},
             .whole = {}}),
        frames_(std::move(frames)) {}

  Frames frames_;
};

}  // namespace komuz::engine
