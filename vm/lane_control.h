// SPDX-License-Identifier: Apache-2.0
// Handlers of control: they split the lanes of a tile and join them again (lowered.h describes each operation).
// Compiled once for each instruction set, in its namespace.
#pragma once
#include "vm/lane_order.h"
#include "vm/lane_pure.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// The lanes in which operand a, a bool, is true. Only lanes up to t.lanes count.
template <u32 words>
HD LaneMask test_lanes(const LoweredOp* op, const Tile& t) {
  const char* bools = operand_address(t, op->a);
  LaneMask mask{};
  for (u32 k = 0; k < words && k * 64 < t.lanes; ++k)
    mask.words[k] = bool_bits(bools + operand_step(k * 64, op->a));
  return mask;
}

// The lanes in which the comparison of operands a and b is true.
template <u32 words, Op comparison, class T>
HD LaneMask compare_lanes(const LoweredOp* op, const Tile& t) {
  constexpr u32 count = lanes_for<T>();
  using V = Vector<T, sizeof(T) * count>;
  Reader<V> a(t, op->a, 0, false);
  Reader<V> b(t, op->b, 0, false);
  LaneMask mask{};
  const u32 lanes = t.lanes;
  for (u32 k = 0; k < words && k * 64 < lanes; ++k) {
    const u32 lanes_of_word = lanes - k * 64 < 64 ? lanes - k * 64 : 64;
    u64 bits = 0;
    for (u32 lane = 0; lane < lanes_of_word; lane += count)
      bits |= compare_bits<comparison>(a.next(), b.next()) << lane;
    mask.words[k] = bits;
  }
  return mask;
}

template <u32 words>
const LoweredOp* run_enter(const LoweredOp* op, Tile& t) {
  clear<words>(t.regions[0].lanes);
  return op + 1;
}

// Lanes whose test is true stay active, the others wait. False if no lane stays active.
template <u32 words>
HD bool part_by_test(const LoweredOp* op, Tile& t, const LaneMask& test) {
  Waiting& others = t.regions[op->region];
  const u64 flip = op->flag != 0 ? ~u64{0} : 0;
  u64 any = 0, any_other = 0;
  for (u32 k = 0; k < words; ++k) {
    const u64 was = t.active.words[k];
    const u64 now = was & (test.words[k] ^ flip);
    any |= now;
    any_other |= was ^ now;
    others.lanes.words[k] = was ^ now;
    t.active.words[k] = now;
  }
  others.ticks = t.ticks;
  if (any == 0) {
    for (u32 k = 0; k < words; ++k) t.active.words[k] = others.lanes.words[k];
    clear<words>(others.lanes);
    return false;
  }
  if (any_other != 0) note_active<words>(t);
  return true;
}
template <u32 words>
const LoweredOp* run_if(const LoweredOp* op, Tile& t) {
  return part_by_test<words>(op, t, test_lanes<words>(op, t)) ? op + 1 : op + op->c;
}
template <u32 words, Op comparison, class T>
const LoweredOp* run_if_compared(const LoweredOp* op, Tile& t) {
  return part_by_test<words>(op, t, compare_lanes<words, comparison, T>(op, t)) ? op + 1
                                                                                : op + op->c;
}

template <u32 words>
const LoweredOp* run_else(const LoweredOp* op, Tile& t) {
  Waiting& w = t.regions[op->region];
  if (is_empty<words>(w.lanes)) return op + op->c;
  change_places<words>(t, w);
  return op + 1;
}

template <u32 words>
const LoweredOp* run_merge(const LoweredOp* op, Tile& t) {
  resume<words>(t, t.regions[op->region]);
  return op + 1;
}

// A loop's waiting places: first for lanes that have left it, then for those that wait for the next iteration.
template <u32 words>
const LoweredOp* run_loop(const LoweredOp* op, Tile& t) {
  if (t.lanes == 0) return op + op->c;
  clear<words>(t.regions[op->region].lanes);
  clear<words>(t.regions[op->region + 1].lanes);
  return op + 1;
}

// The lanes of `leaving` leave the loop; if no other is active, control goes to the loop's end.
template <u32 words>
HD const LoweredOp* leave_loop(const LoweredOp* op, Tile& t, const LaneMask& leaving) {
  if (!is_empty<words>(leaving)) {
    join<words>(t, t.regions[op->region], leaving);
    for (u32 k = 0; k < words; ++k) t.active.words[k] &= ~leaving.words[k];
    note_active<words>(t);
    if (t.lanes == 0) return op + op->c;
  }
  if (op->ticks) tick(t, op->place + 1);
  return op + 1;
}

// The lanes whose test is false.
template <u32 words>
HD const LoweredOp* leave_by_test(const LoweredOp* op, Tile& t, const LaneMask& test) {
  LaneMask leaving{};
  for (u32 k = 0; k < words; ++k) leaving.words[k] = t.active.words[k] & ~test.words[k];
  return leave_loop<words>(op, t, leaving);
}
template <u32 words>
const LoweredOp* run_break_if_false(const LoweredOp* op, Tile& t) {
  return leave_by_test<words>(op, t, test_lanes<words>(op, t));
}
template <u32 words, Op comparison, class T>
const LoweredOp* run_break_compared(const LoweredOp* op, Tile& t) {
  return leave_by_test<words>(op, t, compare_lanes<words, comparison, T>(op, t));
}

// FOR_NEXT. If the bound is the last value, stepping past it could overflow, so the bound goes down instead. Not
// masked: no operation reads the variable of a lane that does not go on.
template <u32 words, class T, bool inclusive>
const LoweredOp* run_for_next(const LoweredOp* op, Tile& t) {
  constexpr u32 count = lanes_for<T>();
  using V = Vector<T, sizeof(T) * count>;
  const i64 pitch = op->a;
  const bool masked = op->masked;
  char* at = t.frame + op->dst;
  LaneMask leaving{};
  const u32 lanes = t.lanes;
  for (u32 k = 0; k < words && k * 64 < lanes; ++k) {
    const u32 lanes_of_word = lanes - k * 64 < 64 ? lanes - k * 64 : 64;
    const u64 active = t.active.words[k];
    u64 all_going_on = 0;
    for (u32 lane = 0; lane < lanes_of_word; lane += count, at += sizeof(V)) {
      V next, bound;
      __builtin_memcpy(&next, at, sizeof(V));
      __builtin_memcpy(&bound, at + pitch, sizeof(V));
      const u64 goes_on =
          compare_bits < inclusive ? Op::Le : Op::Lt > (next, bound) & active >> lane;
      all_going_on |= goes_on << lane;
      const auto stepped = evaluate_binary<Op::Add>(next, splat<V>(1));
      V variable = next;
      if (masked) {
        __builtin_memcpy(&variable, at + 2 * pitch, sizeof(V));
        variable = blend(goes_on, next, variable);
      }
      __builtin_memcpy(at + 2 * pitch, &variable, sizeof(V));
      u64 is_last = 0;
      if constexpr (inclusive) is_last = mask_bits(stepped.first) & goes_on;
      if (is_last != 0) {
        const V lowered = evaluate_binary<Op::SubWrap>(bound, splat<V>(1)).value;
        bound = blend(is_last, lowered, bound);
        __builtin_memcpy(at + pitch, &bound, sizeof(V));
      }
      next = blend(goes_on & ~is_last, stepped.value, next);
      __builtin_memcpy(at, &next, sizeof(V));
    }
    leaving.words[k] = active & ~all_going_on;
  }
  return leave_loop<words>(op, t, leaving);
}

template <u32 words>
const LoweredOp* run_loop_end(const LoweredOp* op, Tile& t) {
  resume<words>(t, t.regions[op->region + 1]);
  if (t.lanes != 0) {
    consider_order<words>(t, op, static_cast<u64>(-op->c));
    return op + op->c;
  }
  resume<words>(t, t.regions[op->region]);
  return op + 1;
}

// BREAK, CONTINUE (`place` is 1 for it) and an early RETURN.
template <u32 words, u32 place>
const LoweredOp* run_wait(const LoweredOp* op, Tile& t) {
  join<words>(t, t.regions[op->region + place], t.active);
  clear<words>(t.active);
  t.lanes = 0;
  return op + 1;
}

inline const LoweredOp* run_limit(const LoweredOp* op, Tile& t) {
  constexpr u32 count = lanes_for<i64>();
  using V = Vector<i64, sizeof(i64) * count>;
  const u32 lanes = t.lanes;
  for (u32 lane = 0; lane < lanes; lane += count) {
    char* at = t.frame + op->dst + lane * sizeof(i64);
    V left;
    __builtin_memcpy(&left, at, sizeof left);
    const Mask<V> used_up = left <= splat<V>(0);
    const u64 active = t.active.words[lane / 64] >> (lane % 64);
    const V lowered = blend(active, left - splat<V>(1), left);
    __builtin_memcpy(at, &lowered, sizeof lowered);
    if (any_lane(used_up))
      trap_lanes(t, lane / 64, mask_bits(used_up) << (lane % 64), Trap::Limit, op->place);
  }
  if (op->ticks) tick(t, op->place + 1);
  return op + 1;
}

inline const LoweredOp* run_tick(const LoweredOp* op, Tile& t) {
  tick(t, op->place);
  return op + 1;
}

inline const LoweredOp* run_call(const LoweredOp* op, Tile& t) {
  if (t.lanes == 0) return op + 1;
  const LoweredFunction& callee = t.program->functions.data()[op->c];
  if (callee.cycle != 0 && t.live_in_cycle[callee.cycle] == callee.rec) {
    trap_active(t, Trap::Depth, op->place);
    return op + 1;
  }
  tick(t, op->place);
  if (callee.cycle != 0) ++t.live_in_cycle[callee.cycle];
  t.calls[t.calls_live++] = {op, t.frame, t.regions};
  t.frame += op->dst;
  t.regions += op->region;
  return t.program->ops.data() + callee.first_op;
}

inline const LoweredOp* run_function_end(const LoweredOp* op, Tile& t) {
  if (op->flag != 0 && t.calls_live == 0) return op + 1;
  const CallRecord& caller = t.calls[--t.calls_live];
  const LoweredFunction& callee = t.program->functions.data()[caller.call->c];
  if (callee.cycle != 0) --t.live_in_cycle[callee.cycle];
  t.frame = caller.frame;
  t.regions = caller.regions;
  return caller.call + 1;
}

template <u32 words>
const LoweredOp* run_require(const LoweredOp* op, Tile& t) {
  const LaneMask test = test_lanes<words>(op, t);
  for (u32 k = 0; k < words; ++k)
    if ((t.active.words[k] & ~test.words[k]) != 0)
      trap_lanes(t, k, ~test.words[k], static_cast<Trap>(op->c), op->place);
  return op + 1;
}

inline const LoweredOp* run_trap_now(const LoweredOp* op, Tile& t) {
  trap_active(t, static_cast<Trap>(op->c), op->place);
  return op + 1;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
