// SPDX-License-Identifier: Apache-2.0
// Lanes over elements. If there are few cases, most lanes of a tile would be idle. So a loop whose iterations have a
// part that does not depend on other iterations (element_parts.h) runs that part for as many iterations as there are
// lanes:
//
//   cases       lane 0  lane 1
//   elements    0 1 2 … 31  32 33 34 … 63       the next 32 iterations of either case
//
//   Loop; ForNext
//   Elements ──────────▶ the part, on elements ─▶ ElementsEnd ─┐   a new block, after all elements of the last one
//      │  └──────────────────── take the next element ◀────────┘
//      ▼  if there is none            │
//   the part, on cases                │
//   join ◀────────────────────────────┘
//   the rest of the body; LoopEnd
//
// An element reads its case's data: copies of variables, and cells of its case's lane if they are accessed by an
// offset. When the case reaches that iteration, it takes the values that the element left, and its ticks. An element
// that has trapped is never taken, nor one with more ticks than the case has left: the case then runs the part
// itself, and reaches the same trap in the same place with the same fuel. So only the time differs. Compiled once for
// each instruction set, in its namespace.
#pragma once
#include "vm/lane_control.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// The elements that lanes have run, or are running; stored in a cell of the frame.
struct ElementBlock {
  u32 taken, width;        // for each case: the elements that it has taken, and of how many
  u32 next_width;          // limit for the next block, since loops may end before their elements do
  u8 first[kLanesOfWord];  // by row: the lane of a case's first element
  u8 count[kLanesOfWord];  // by row: elements that the case has
  u64 usable,
      skipped;  // lanes: elements that may be taken, and those that ended in CONTINUE
};
static_assert(sizeof(ElementBlock) <= size_t{kLanesOfWord} * kCellBytes);

constexpr i64 kLargestNumber = 0x7FFF'FFFF'FFFF'FFFF;  // FOR_NEXT does not step past it
constexpr u32 kFirstWidth = 8;
constexpr u32 kLeastElements = 4;
// Ticks that an element may take, which limits wasted work.
constexpr u64 kMostElementTicks = 1u << 12;

inline const LoweredOp* run_elements_start(const LoweredOp* op, Tile& t) {
  auto& block = *reinterpret_cast<ElementBlock*>(t.frame + op->dst);
  block.taken = block.width = 0;
  block.next_width = kFirstWidth;
  return op + 1;
}

// Calls `visit(lane)` for each lane in a set.
template <class Visit>
HD void for_each_lane(u64 lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<u32>(__builtin_ctzll(lanes)));
}

// The value of lane `index` in a column of cells.
template <class T>
HD T& lane_value(char* column, u32 index) {
  return reinterpret_cast<T*>(column)[index];
}

template <class T>
HD void copy_value(char* frame, const CellCopy& copy, u32 from, u32 begin, u32 end) {
  const T value = lane_value<T>(frame + copy.from, from);
  for (u32 lane = begin; lane < end; ++lane) lane_value<T>(frame + copy.to, lane) = value;
}
// Copies a cell from one lane to lanes [begin, end).
HD void copy_cell(char* frame, const CellCopy& copy, u32 from, u32 begin, u32 end) {
  if (copy.bytes == sizeof(u64))
    copy_value<u64>(frame, copy, from, begin, end);
  else if (copy.bytes == sizeof(u32))
    copy_value<u32>(frame, copy, from, begin, end);
  else
    copy_value<u8>(frame, copy, from, begin, end);
}

// The three cells of FOR_NEXT, in one lane.
struct Counter {
  i64 &next, &bound, &variable;
};
HD Counter counter_of(const Tile& t, const ElementLoop& loop, u32 lane) {
  const i64 pitch = i64{t.program->tile_lanes} * kCellBytes;
  char* const cells = t.frame + loop.counter;
  return {lane_value<i64>(cells, lane), lane_value<i64>(cells + pitch, lane),
          lane_value<i64>(cells + 2 * pitch, lane)};
}

// The number of a lane's iterations from the present one on, at most `most`.
HD u32 elements_left(const Tile& t, const ElementLoop& loop, u32 lane, u32 most) {
  const auto [next, bound, variable] = counter_of(t, loop, lane);
  if (loop.is_inclusive ? next > bound || bound == kLargestNumber : next >= bound) return 1;
  const u64 more = static_cast<u64>(bound) - static_cast<u64>(next) + (loop.is_inclusive ? 1 : 0);
  return more < most ? static_cast<u32>(more) + 1 : most;
}

// Gives `width` lanes from `first` on to a case, with copies of the shared values. The case may have fewer
// iterations.
HD void spread_case(Tile& t, const ElementLoop& loop, u32 lane, u32 first, u32 width) {
  const i64 number = counter_of(t, loop, lane).variable;
  for (u32 k = 0; k < width; ++k) {
    lane_value<i64>(t.frame + loop.variable, first + k) =
        static_cast<i64>(static_cast<u64>(number) + k);
    t.elements.home[first + k] = i64{lane} - (first + k);
  }
  const CellCopy* const copies = t.program->cell_copies.data();
  for (u32 k = loop.shared; k < loop.left; ++k)
    copy_cell(t.frame, copies[k], lane, first, first + width);
}

// Makes elements active. The state of the cases' lanes is kept aside. An element starts with no ticks.
HD void put_cases_aside(Tile& t, u64 elements) {
  if (t.departures.steps != 0) settle_departures<1>(t);
  ElementLanes& of_cases = t.elements;
  of_cases.are_set = true;
  of_cases.active = t.active.words[0];
  of_cases.lanes = t.lanes;
  of_cases.ticks = t.ticks;
  of_cases.ticks_seen = t.ticks_seen;
  of_cases.budget = t.budget;
  of_cases.next_look = t.next_look;
  of_cases.fuel_differs = t.fuel_differs;
  if (t.fuel_differs) {
    __builtin_memcpy(of_cases.fuel, t.fuel, sizeof of_cases.fuel);
    __builtin_memset(t.fuel, 0, sizeof of_cases.fuel);
  }
  t.fuel_differs = false;
  t.ticks = t.ticks_seen = 0;
  t.budget = t.budget < kMostElementTicks ? t.budget : kMostElementTicks;
  set_next_look(t);
  t.active.words[0] = elements;
  note_active<1>(t);
}
HD void bring_cases_back(Tile& t) {
  ElementLanes& of_cases = t.elements;
  of_cases.are_set = false;
  t.active.words[0] = of_cases.active;
  t.lanes = of_cases.lanes;
  t.ticks = of_cases.ticks;
  t.ticks_seen = of_cases.ticks_seen;
  t.budget = of_cases.budget;
  t.next_look = of_cases.next_look;
  if (of_cases.fuel_differs)
    __builtin_memcpy(t.fuel, of_cases.fuel, sizeof of_cases.fuel);
  else if (t.fuel_differs)
    __builtin_memset(t.fuel, 0, sizeof of_cases.fuel);
  t.fuel_differs = of_cases.fuel_differs;
}

// Gives the lanes to the next elements of the active cases. False if these are too few to pay.
[[gnu::noinline]] inline bool spread(Tile& t, const ElementLoop& loop, ElementBlock& block) {
  const u64 cases = t.active.words[0];
  const u32 room = kLanesOfWord / static_cast<u32>(__builtin_popcountll(cases));
  const u32 most = room < block.next_width ? room : block.next_width;
  u32 width = 0;
  for_each_lane(cases, [&](u32 lane) {
    const u32 elements = elements_left(t, loop, lane, most);
    width = elements > width ? elements : width;
  });
  if (width < kLeastElements) return false;
  u64 elements = 0;
  u32 first = 0;
  for_each_lane(cases, [&](u32 lane) {
    const u32 count = elements_left(t, loop, lane, width);
    elements |= lanes_below(count, 0) << first;
    block.first[t.rows[lane]] = static_cast<u8>(first);
    block.count[t.rows[lane]] = static_cast<u8>(count);
    spread_case(t, loop, lane, first, width);
    first += width;
  });
  block.taken = 0;
  block.width = width;
  block.next_width = block.next_width < kLanesOfWord ? block.next_width * 2 : block.next_width;
  put_cases_aside(t, elements);
  return true;
}

template <class T>
HD T read_element(const char* values, u32 k) {
  T value;
  __builtin_memcpy(&value, values + k * sizeof(T), sizeof value);
  return value;
}
HD bool is_in(u64 bits, u32 k) { return (bits >> k & 1) != 0; }

// A RestHandler for each Rest: Fold
template <Op op, class T, bool variable_is_left>
u32 fold_elements(char* variable, const char* values, u32 count, u64 skipped) {
  T made = read_element<T>(variable, 0);
  u32 k = 0;
  for (; k < count; ++k) {
    if (is_in(skipped, k)) continue;
    const T value = read_element<T>(values, k);
    const auto next =
        variable_is_left ? evaluate_binary<op>(made, value) : evaluate_binary<op>(value, made);
    if constexpr (decltype(next)::kFirst != Trap::None)
      if (next.first) break;
    made = next.value;
  }
  __builtin_memcpy(variable, &made, sizeof made);
  return k;
}
// Pass
template <Op op, class T, bool variable_is_left>
u32 pass_elements(char* variable, const char* values, u32 count, u64 skipped) {
  const T bound = read_element<T>(variable, 0);
  u32 k = 0;
  for (; k < count; ++k) {
    const T value = read_element<T>(values, k);
    const bool is_true =
        variable_is_left ? evaluate_compare<op>(bound, value) : evaluate_compare<op>(value, bound);
    if (is_true && !is_in(skipped, k)) break;
  }
  return k;
}
// Best
template <Op op, class T>
u32 pass_worse_elements(char* variable, const char* values, u32 count, u64 skipped) {
  const T best = read_element<T>(variable, 0);
  u32 k = 0;
  for (; k < count; ++k) {
    const T better = evaluate_binary<op>(read_element<T>(values, k), best).value;
    if (evaluate_order(better, best).value != 0 && !is_in(skipped, k)) break;
  }
  return k;
}

// The ticks of `count` elements of a case from `element` on.
HD u64 ticks_of_elements(const Tile& t, const ElementLoop& loop, u32 element, u32 count) {
  u64 ticks = 0;
  for (u32 k = element; k < element + count && loop.has_ticks; ++k)
    ticks += lane_value<u64>(t.frame + loop.ticks, k);
  return ticks;
}

// Adds each active case's ticks, for which its fuel suffices.
template <class TicksOf>
HD void add_ticks(Tile& t, u64 cases, TicksOf ticks_of) {
  u64 most = 0, least = ~u64{0};
  for_each_lane(cases, [&](u32 lane) {
    const u64 ticks = ticks_of(lane);
    most = ticks > most ? ticks : most;
    least = ticks < least ? ticks : least;
  });
  t.ticks += least;
  t.ticks_seen += most;
  if (least == most) return;
  t.fuel_differs = true;
  for_each_lane(cases, [&](u32 lane) { fuel_of(t, lane) += ticks_of(lane) - least; });
}
HD bool has_fuel(const Tile& t, u32 lane, u64 ticks) {
  const u64 used = fuel_of(t, lane) + t.ticks;
  return used <= t.budget && t.budget - used >= ticks;
}
// The lane of a case's next element.
HD u32 next_element(const Tile& t, const ElementBlock& block, u32 lane) {
  return block.first[t.rows[lane]] + block.taken;
}

// The number of elements that each active case can complete at once, one after the other: the usable ones that need
// only a RestHandler, except the last. 0 if a case has too little fuel for them.
HD u32 elements_ahead(const Tile& t, const ElementLoop& loop, const ElementBlock& block) {
  const u64 done = loop.rest != nullptr ? block.usable : block.usable & block.skipped;
  u32 ahead = kLanesOfWord;
  for_each_lane(t.active.words[0], [&](u32 lane) {
    const u32 more = block.count[t.rows[lane]] - block.taken - 1;
    const u64 others = ~(done >> next_element(t, block, lane)) | u64{1} << (more & 63);
    const auto of_case = static_cast<u32>(__builtin_ctzll(others));
    ahead = of_case < ahead ? of_case : ahead;
  });
  if (ahead == 0 || !loop.has_ticks) return ahead;
  bool have_fuel = true;
  for_each_lane(t.active.words[0], [&](u32 lane) {
    const u32 element = next_element(t, block, lane);
    have_fuel &= has_fuel(t, lane, ticks_of_elements(t, loop, element, ahead));
  });
  return have_fuel ? ahead : 0;
}

// Does the rest of that many elements for each active case, or of fewer, and returns the number. All cases complete
// equally many: if one ends earlier, the others are run again from their saved values.
HD u32 do_rest(Tile& t, const ElementLoop& loop, const ElementBlock& block, u32 ahead) {
  const u32 bytes = loop.value_bytes;
  const u64 cases = t.active.words[0];
  u64 variables[kMostSpreadCases];
  for (;;) {
    u32 fewest = ahead, k = 0;
    for_each_lane(cases, [&](u32 lane) {
      const u32 element = next_element(t, block, lane);
      u64& variable = variables[k++];
      __builtin_memcpy(&variable, t.frame + loop.rest_variable + lane * bytes, bytes);
      const u32 done =
          loop.rest(reinterpret_cast<char*>(&variable), t.frame + loop.values + element * bytes,
                    ahead, block.skipped >> element);
      fewest = done < fewest ? done : fewest;
    });
    if (fewest == ahead) break;
    ahead = fewest;
  }
  u32 k = 0;
  for_each_lane(cases, [&](u32 lane) {
    __builtin_memcpy(t.frame + loop.rest_variable + lane * bytes, &variables[k++], bytes);
    const u64 skipped = block.skipped >> next_element(t, block, lane);
    if (loop.counts)
      lane_value<i64>(t.frame + loop.count, lane) +=
          __builtin_popcountll(~skipped & lanes_below(ahead, 0));
  });
  return ahead;
}

// Completes the elements counted by elements_ahead() for the active cases.
[[gnu::noinline]] inline void take_ahead(Tile& t, const ElementLoop& loop, ElementBlock& block) {
  u32 ahead = elements_ahead(t, loop, block);
  if (ahead != 0 && loop.rest != nullptr) ahead = do_rest(t, loop, block, ahead);
  if (ahead == 0) return;
  const u64 cases = t.active.words[0];
  if (loop.has_ticks)
    add_ticks(t, cases, [&](u32 lane) {
      return ticks_of_elements(t, loop, next_element(t, block, lane), ahead);
    });
  for_each_lane(cases, [&](u32 lane) {
    const Counter counter = counter_of(t, loop, lane);
    counter.next += ahead;
    counter.variable += ahead;
  });
  block.taken += ahead;
}

// The active cases take their next elements. Returns the operation behind the part, or the part for cases if some
// case has no usable element.
template <u32 words>
HD const LoweredOp* take_elements(Tile& t, const ElementLoop& loop, ElementBlock& block) {
  const LoweredOp* const ops = t.program->ops.data();
  if (loop.rest != nullptr || block.skipped != 0) take_ahead(t, loop, block);
  const u32 taken = block.taken++;
  const u64 cases = t.active.words[0];
  const auto element_of = [&](u32 lane) { return block.first[t.rows[lane]] + taken; };
  const auto ticks_of = [&](u32 lane) {
    return lane_value<u64>(t.frame + loop.ticks, element_of(lane));
  };
  u64 skipping = 0;
  bool can_take = true;
  for_each_lane(cases, [&](u32 lane) {
    can_take &= is_in(block.usable, element_of(lane)) &&
                (!loop.has_ticks || has_fuel(t, lane, ticks_of(lane)));
    skipping |= u64{is_in(block.skipped, element_of(lane))} << lane;
  });
  if (!can_take) return ops + loop.each_op;
  if (loop.has_ticks) add_ticks(t, cases, ticks_of);
  const CellCopy* const copies = t.program->cell_copies.data();
  for_each_lane(cases, [&](u32 lane) {
    for (u32 k = loop.left; k < loop.left_end; ++k)
      copy_cell(t.frame, copies[k], element_of(lane), lane, lane + 1);
    for (u32 k = loop.kept; k < loop.kept_end; ++k)
      copy_cell(t.frame, copies[k], lane, lane, lane + 1);
  });
  if (skipping == 0) return ops + loop.join_op;
  LaneMask lanes{};
  lanes.words[0] = skipping;
  join<words>(t, t.regions[loop.region + 1], lanes);
  t.active.words[0] &= ~skipping;
  note_active<words>(t);
  return ops + (t.lanes == 0 ? loop.end_op : loop.join_op);
}

template <u32 words>
const LoweredOp* run_elements(const LoweredOp* op, Tile& t) {
  const ElementLoop& loop = t.program->element_loops.data()[op->c];
  auto& block = *reinterpret_cast<ElementBlock*>(t.frame + loop.block);
  if (t.elements.are_set || t.lanes == 0) return t.program->ops.data() + loop.each_op;
  if (block.taken < block.width) return take_elements<words>(t, loop, block);
  // Ticks of cases check the budget and the stop token, ticks of elements do not.
  if (t.ticks_seen >= t.next_look) return t.program->ops.data() + loop.each_op;
  if (!spread(t, loop, block)) return t.program->ops.data() + loop.each_op;
  if (loop.skips) clear<words>(t.regions[loop.own_region + 1].lanes);
  return op + 1;
}

template <u32 words>
const LoweredOp* run_elements_end(const LoweredOp* op, Tile& t) {
  const ElementLoop& loop = t.program->element_loops.data()[op->c];
  auto& block = *reinterpret_cast<ElementBlock*>(t.frame + loop.block);
  block.skipped = 0;
  if (loop.skips) {
    block.skipped = t.regions[loop.own_region + 1].lanes.words[0];
    resume<words>(t, t.regions[loop.own_region + 1]);
  }
  block.usable = t.active.words[0];
  if (loop.tests_rest) block.skipped |= block.usable & ~bool_bits(t.frame + loop.test);
  if (loop.has_ticks)
    for_each_lane(block.usable, [&](u32 lane) {
      lane_value<u64>(t.frame + loop.ticks, lane) = fuel_of(t, lane) + t.ticks;
    });
  bring_cases_back(t);
  return take_elements<words>(t, loop, block);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
