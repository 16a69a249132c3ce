// SPDX-License-Identifier: Apache-2.0
// Handlers for one lane (one_lane.h), which is active and is lane 0. Compiled once for each instruction set, in its
// namespace.
//
// If tail calls become jumps, each handler goes on with the next operation by itself; otherwise it returns the next
// operation, as other handlers do.
#pragma once
#include "vm/lane_areas.h"
#include "vm/one_lane.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {
namespace one_lane {

// Handlers end with it. The build tells whether it becomes a jump (CMakeLists.txt): calls would fill the stack.
HD const LoweredOp* go_on(const LoweredOp* next, Tile& t) {
#ifdef KOMUZ_SIBLING_CALLS
  return next->run(next, t);
#else
  static_cast<void>(t);
  return next;
#endif
}

// The place of an operand, if it is known: finding it takes as many instructions as an operation.
template <OperandPlace place>
HD const char* address(const Tile& t, Operand operand) {
  if constexpr (place == OperandPlace::Frame) return t.frame + (operand - kInFrame);
  if constexpr (place == OperandPlace::Fixed)
    return reinterpret_cast<const char*>(operand & ~kOperandBits);
  return operand_address(t, operand);
}
template <class T, OperandPlace place = OperandPlace::Any>
HD T read(const Tile& t, Operand operand) {
  T value;
  __builtin_memcpy(&value, address<place>(t, operand), sizeof value);
  return value;
}
template <class T>
HD void write(Tile& t, const LoweredOp* op, T value) {
  __builtin_memcpy(t.frame + op->dst, &value, sizeof value);
}

// Where the entry writes its results; there is no next operation.
HD const LoweredOp* entry_end(const Tile& t) {
  return t.program->ops.data() + t.program->entry_end;
}

[[gnu::noinline, gnu::cold]] inline const LoweredOp* end_in(Tile& t, Trap trap, u32 place) {
  trap_lanes(t, 0, 1, trap, place);
  return entry_end(t);
}
[[gnu::noinline, gnu::cold]] inline const LoweredOp* look_and_tick(Tile& t, u32 place,
                                                                   const LoweredOp* next) {
  tick(t, place);
  return t.lanes == 0 ? entry_end(t) : next;
}
HD const LoweredOp* tick_and_go_on(const LoweredOp* next, Tile& t, u32 place) {
  const u64 ticks = t.ticks_seen;
  if (ticks >= t.next_look) [[unlikely]]
    return look_and_tick(t, place, next);
  t.ticks = t.ticks_seen = ticks + 1;  // the two are the same for one lane
  return go_on(next, t);
}

// LIMIT
HD const LoweredOp* count_down(const LoweredOp* o, Tile& t) {
  i64 left;
  __builtin_memcpy(&left, t.frame + o->dst, sizeof left);
  if (left <= 0) [[unlikely]]
    return end_in(t, Trap::Limit, o->place);
  write<i64>(t, o, left - 1);
  return o->ticks ? tick_and_go_on(o + 1, t, o->place + 1) : go_on(o + 1, t);
}

template <class Result, class E>
HD Result result_of(const E& evaluated) {
  if constexpr (std::is_same_v<E, bool>)
    return static_cast<Result>(evaluated);
  else
    return static_cast<Result>(evaluated.value);
}
template <class E>
HD Trap trap_of(const E& evaluated) {
  if constexpr (std::is_same_v<E, bool>) {
    return Trap::None;
  } else {
    if constexpr (E::kFirst != Trap::None)
      if (evaluated.first) return E::kFirst;
    if constexpr (E::kSecond != Trap::None)
      if (evaluated.second) return E::kSecond;
    return Trap::None;
  }
}

// result = f(a, …)
template <class Result, class F, class... Operands>
HD const LoweredOp* compute(const LoweredOp* op, Tile& t, F f, Operands... operands) {
  const auto evaluated = f(operands...);
  if (const Trap trap = trap_of(evaluated); trap != Trap::None) [[unlikely]]
    return end_in(t, trap, op->place);
  write<Result>(t, op, result_of<Result>(evaluated));
  return go_on(op + 1, t);
}

template <Op op, OpForm form, class T, bool is_bool, OperandPlace place_a = OperandPlace::Any,
          OperandPlace place_b = OperandPlace::Any>
const LoweredOp* run_pure(const LoweredOp* o, Tile& t) {
  const T a = read<T, place_a>(t, o->a);
  if constexpr (form == OpForm::Unary && is_bool) {
    return compute<T>(
        o, t, [](T x) { return evaluate_not_bool(x); }, a);
  } else if constexpr (form == OpForm::Unary) {
    return compute<T>(
        o, t, [](T x) { return evaluate_unary<op>(x); }, a);
  } else if constexpr (form == OpForm::Binary) {
    return compute<T>(
        o, t, [](T x, T y) { return evaluate_binary<op>(x, y); }, a, read<T, place_b>(t, o->b));
  } else if constexpr (form == OpForm::Ternary) {
    return compute<T>(
        o, t, [](T x, T y, T z) { return evaluate_ternary<op>(x, y, z); }, a, read<T>(t, o->b),
        read<T>(t, o->c));
  } else if constexpr (form == OpForm::Compare) {
    return compute<u8>(
        o, t, [](T x, T y) { return evaluate_compare<op>(x, y); }, a, read<T, place_b>(t, o->b));
  } else if constexpr (form == OpForm::Order) {
    return compute<i64>(
        o, t, [](T x, T y) { return evaluate_order(x, y); }, a, read<T>(t, o->b));
  } else if constexpr (form == OpForm::Predicate) {
    return compute<u8>(
        o, t, [](T x) { return evaluate_predicate<op>(x); }, a);
  } else if constexpr (form == OpForm::Count) {
    return compute<i64>(
        o, t, [](T x) { return evaluate_count<op>(x); }, a);
  } else {
    static_assert(form == OpForm::Near);
    return compute<u8>(
        o, t, [](T x, T y, T z) { return evaluate_near(x, y, z); }, a, read<T>(t, o->b),
        read<T>(t, o->c));
  }
}

template <Op op, class T, class Amount>
const LoweredOp* run_shift(const LoweredOp* o, Tile& t) {
  return (compute<T>(
      o, t, [](T x, Amount amount) { return evaluate_shift<op>(x, amount); }, read<T>(t, o->a),
      read<Amount>(t, o->b)));
}

template <Op op, class To, class From>
const LoweredOp* run_convert(const LoweredOp* o, Tile& t) {
  return (compute<To>(
      o, t, [](From x) { return evaluate_convert<op, To>(x); }, read<From>(t, o->a)));
}

template <Op op, class T>
const LoweredOp* run_by_power_of_two(const LoweredOp* o, Tile& t) {
  const auto places = static_cast<u32>(o->c);
  return (compute<T>(
      o, t, [places](T a, T rest) { return divide_by_power_of_two<op>(a, rest, places); },
      read<T>(t, o->a), read<T>(t, o->b)));
}

template <class T>
const LoweredOp* run_move(const LoweredOp* o, Tile& t) {
  write<T>(t, o, read<T>(t, o->a));
  return go_on(o + 1, t);
}

// Moves one cell after the other, since a moved cell may be the source of the next move.
template <class T>
const LoweredOp* run_move_cells(const LoweredOp* o, Tile& t) {
  const CellSteps steps = CellSteps::of(o->c);
  const char* from = operand_address(t, o->a);
  char* to = t.frame + o->dst;
  for (u32 cell = 0; cell < steps.cells; ++cell, from += steps.a, to += steps.b)
    __builtin_memcpy(to, from, sizeof(T));
  return go_on(o + 1, t);
}

template <class T>
const LoweredOp* run_compare_cells(const LoweredOp* o, Tile& t) {
  const CellSteps steps = CellSteps::of(o->c);
  bool equal = o->flag == 0 || t.frame[o->dst] != 0;
  const char *a = operand_address(t, o->a), *b = operand_address(t, o->b);
  for (u32 cell = 0; cell < steps.cells && equal; ++cell, a += steps.a, b += steps.b) {
    T x, y;
    __builtin_memcpy(&x, a, sizeof x);
    __builtin_memcpy(&y, b, sizeof y);
    equal = evaluate_compare<Op::Eq>(x, y);
  }
  write<u8>(t, o, equal ? 1 : 0);
  return go_on(o + 1, t);
}

template <class T>
const LoweredOp* run_load_at(const LoweredOp* o, Tile& t) {
  const AreaOperand area(o);
  const i64 offset = read<i64>(t, o->a);
  if (static_cast<u64>(offset) >= area.offsets) [[unlikely]]
    return end_in(t, Trap::Index, o->place);
  T value;
  __builtin_memcpy(&value, t.frame + o->b + area.bytes(offset), sizeof value);
  write<T>(t, o, value);
  return go_on(o + 1, t);
}
template <class T>
const LoweredOp* run_store_at(const LoweredOp* o, Tile& t) {
  const AreaOperand area(o);
  const i64 offset = read<i64>(t, o->a);
  if (static_cast<u64>(offset) >= area.offsets) [[unlikely]]
    return end_in(t, Trap::Index, o->place);
  const T value = read<T>(t, o->b);
  __builtin_memcpy(t.frame + o->dst + area.bytes(offset), &value, sizeof value);
  return go_on(o + 1, t);
}

inline const LoweredOp* run_refer(const LoweredOp* o, Tile& t) {
  const AreaOperand area(o);
  const u64 slots = area.offsets;
  const auto address = static_cast<u64>((t.frame - t.first_frame + o->b) / area.pitch);
  return (compute<u64>(
      o, t, [slots, address](u64 count) { return evaluate_reference(count, slots, address); },
      read<u64>(t, o->a)));
}
inline const LoweredOp* run_part_of_reference(const LoweredOp* o, Tile& t) {
  return (compute<u64>(
      o, t, [](u64 whole, u64 low, u64 high) { return evaluate_part(whole, low, high); },
      read<u64>(t, o->a), read<u64>(t, o->b), read<u64>(t, o->c)));
}
inline const LoweredOp* run_rest_of_reference(const LoweredOp* o, Tile& t) {
  const auto least = static_cast<u64>(o->c);
  return (compute<u64>(
      o, t, [least](u64 offset, u64 whole) { return evaluate_rest(whole, offset, least); },
      read<u64>(t, o->a), read<u64>(t, o->b)));
}
template <class T, bool is_checked>
const LoweredOp* run_load_ref(const LoweredOp* o, Tile& t) {
  const AreaOperand area(o);
  const u64 whole = read<u64>(t, o->b);
  u64 first = whole + area.offsets;
  if constexpr (is_checked) {
    const auto rest = evaluate_rest(whole, read<u64>(t, o->a), 1);
    if (rest.first) [[unlikely]]
      return end_in(t, Trap::Index, o->place);
    first = rest.value;
  }
  T value;
  __builtin_memcpy(&value, t.first_frame + area.bytes(u64{static_cast<u32>(first)}), sizeof value);
  write<T>(t, o, value);
  return go_on(o + 1, t);
}

// Control.

inline const LoweredOp* run_nothing(const LoweredOp* o, Tile& t) { return go_on(o + 1, t); }
inline const LoweredOp* run_jump(const LoweredOp* o, Tile& t) { return go_on(o + o->c, t); }

inline const LoweredOp* run_if(const LoweredOp* o, Tile& t) {
  const bool test = (read<u8>(t, o->a) != 0) != (o->flag != 0);
  return go_on(test ? o + 1 : o + o->c, t);
}
template <Op comparison, class T>
const LoweredOp* run_if_compared(const LoweredOp* o, Tile& t) {
  const bool test = evaluate_compare<comparison>(read<T>(t, o->a), read<T>(t, o->b));
  return go_on(test != (o->flag != 0) ? o + 1 : o + o->c, t);
}

// A loop's test, and its LIMIT if that is the next operation. Field c is the distance of the loop's end from there.
// At the end, field a is the place of the test: the address of the next operation is what a processor waits for most.
template <LoopTest form, class GoesOn>
HD const LoweredOp* test_loop(const LoweredOp* o, Tile& t, GoesOn goes_on) {
  constexpr bool is_at_end = form == LoopTest::AtEnd || form == LoopTest::AtEndWithLimit;
  const LoweredOp* test = is_at_end ? reinterpret_cast<const LoweredOp*>(o->a) : o;
  if (!goes_on(test)) return go_on(test + test->c + 1, t);
  if constexpr (form == LoopTest::WithLimit || form == LoopTest::AtEndWithLimit) {
    ++test;
    return count_down(test, t);
  }
  return test->ticks ? tick_and_go_on(test + 1, t, test->place + 1) : go_on(test + 1, t);
}
template <LoopTest form>
const LoweredOp* run_break_if_false(const LoweredOp* o, Tile& t) {
  return (test_loop<form>(o, t, [&](const LoweredOp* test) { return read<u8>(t, test->a) != 0; }));
}
template <LoopTest form, Op comparison, class T, OperandPlace a = OperandPlace::Any,
          OperandPlace b = OperandPlace::Any>
const LoweredOp* run_break_compared(const LoweredOp* o, Tile& t) {
  return (test_loop<form>(o, t, [&](const LoweredOp* test) {
    return evaluate_compare<comparison>(read<T, a>(t, test->a), read<T, b>(t, test->b));
  }));
}
template <LoopTest form, class T, bool inclusive>
const LoweredOp* run_for_next(const LoweredOp* o, Tile& t) {
  return (test_loop<form>(o, t, [&](const LoweredOp* test) {
    char* const at = t.frame + test->dst;
    T next, bound;
    __builtin_memcpy(&next, at, sizeof next);
    __builtin_memcpy(&bound, at + test->a, sizeof bound);
    if (inclusive ? next > bound : next >= bound) return false;
    __builtin_memcpy(at + 2 * test->a, &next, sizeof next);
    if (inclusive && next == lane_max<T>) {
      bound = static_cast<T>(bound - 1);
      __builtin_memcpy(at + test->a, &bound, sizeof bound);
    } else {
      next = static_cast<T>(next + 1);
      __builtin_memcpy(at, &next, sizeof next);
    }
    return true;
  }));
}

inline const LoweredOp* run_limit(const LoweredOp* o, Tile& t) { return count_down(o, t); }
inline const LoweredOp* run_tick(const LoweredOp* o, Tile& t) {
  return tick_and_go_on(o + 1, t, o->place);
}
inline const LoweredOp* run_require(const LoweredOp* o, Tile& t) {
  if (read<u8>(t, o->a) == 0) [[unlikely]]
    return end_in(t, static_cast<Trap>(o->c), o->place);
  return go_on(o + 1, t);
}

inline const LoweredOp* run_trap_now(const LoweredOp* o, Tile& t) {
  return end_in(t, static_cast<Trap>(o->c), o->place);
}

inline const LoweredOp* run_call(const LoweredOp* o, Tile& t) {
  const LoweredFunction& callee = t.program->functions.data()[o->c];
  if (callee.cycle != 0 && t.live_in_cycle[callee.cycle] == callee.rec) [[unlikely]]
    return end_in(t, Trap::Depth, o->place);
  // Done before the frame changes, since a trap belongs to the caller.
  if (t.ticks_seen >= t.next_look) [[unlikely]]
    look(t, o->place);
  if (t.lanes == 0) [[unlikely]]
    return entry_end(t);
  t.ticks = ++t.ticks_seen;
  if (callee.cycle != 0) ++t.live_in_cycle[callee.cycle];
  t.calls[t.calls_live++] = {o, t.frame, t.regions};
  t.frame += o->dst;
  t.regions += o->region;
  return go_on(t.program->ops.data() + callee.first_op, t);
}
inline const LoweredOp* run_function_end(const LoweredOp* o, Tile& t) {
  if (o->flag != 0 && t.calls_live == 0) return o + 1;
  const CallRecord& caller = t.calls[--t.calls_live];
  const LoweredOp* const call = caller.call;
  const LoweredFunction& callee = t.program->functions.data()[call->c];
  if (callee.cycle != 0) --t.live_in_cycle[callee.cycle];
  t.frame = caller.frame;
  t.regions = caller.regions;
  return go_on(call + 1, t);
}

inline const LoweredOp* run_of_lanes(const LoweredOp* o, Tile& t) {
  const LoweredOp* const next = t.program->of_lanes.data()[o - t.program->ops.data()](o, t);
  if (t.lanes == 0 && next != nullptr) [[unlikely]]
    return entry_end(t);
  return go_on(next, t);
}

}  // namespace one_lane

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
