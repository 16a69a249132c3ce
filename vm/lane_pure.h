// SPDX-License-Identifier: Apache-2.0
// Handlers of the operations of op_eval.h: a loop over the vectors of a tile. Only the shape of an operation is known
// here, not its meaning. Compiled once for each instruction set, in its namespace.
//
// Results may overwrite their operands' cells. If the result is not wider than the operand, lane i of the result lies
// at or before the bytes of later lanes of the operand. Results that are wider are made from the last vector to the
// first.
#pragma once
#include "lang/ops/op_eval.h"
#include "vm/lane_masks.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

template <Scalar>
struct LaneElement;
#define SCALAR(Name, spelling, T, bytes, cls) \
  template <>                                 \
  struct LaneElement<Scalar::Name> {          \
    using Type = T;                           \
  };
#include "lang/types.def"

// Lanes of a vector for an operation on values of these widths: as many of the widest as a register holds, since gcc
// splits comparisons of wider vectors lane by lane. With bytes at least 8, since a vector has 8 bytes or more.
template <class... T>
constexpr u32 lanes_for() {
  size_t widest = 1, narrowest = 8;
  for (const size_t bytes : {sizeof(T)...}) {
    widest = bytes > widest ? bytes : widest;
    narrowest = bytes < narrowest ? bytes : narrowest;
  }
  const auto fitting = static_cast<u32>(kRegisterBytes / widest);
  if (narrowest > 1) return fitting;
  return kRegisterBytes == 64 && fitting > 8 ? fitting : 8;
}
static_assert(lanes_for<f32, i64>() == lanes_for<i64>() && lanes_for<u8, i64>() == 8);

// Reads an operand vector by vector.
template <class V>
struct Reader {
  const char* at;
  i64 step;

  HD Reader(const Tile& t, Operand operand, u32 first_lane, bool downwards) {
    const i64 bytes = operand_step(sizeof(V), operand);
    at = operand_address(t, operand) + bytes * (first_lane / lane_count<V>);
    step = downwards ? -bytes : bytes;
  }
  HD V next() {
    V v;
    __builtin_memcpy(&v, __builtin_assume_aligned(at, sizeof(V)), sizeof v);
    at += step;
    return v;
  }
};

// Writes results vector by vector. Fields of the operation and the tile are copied, since the compiler must assume
// that stores through `at` change them.
template <class V>
struct Writer {
  char* at;
  const bool masked;

  HD Writer(const Tile& t, const LoweredOp* op) : at(t.frame + op->dst), masked(op->masked) {}
  HD void store(const Tile& t, u32 lane, V value) const {
    char* to =
        static_cast<char*>(__builtin_assume_aligned(at + lane * sizeof(Element<V>), sizeof(V)));
    if (masked) {
      V old;
      __builtin_memcpy(&old, to, sizeof old);
      value = blend(active_bits(t, lane), value, old);
    }
    __builtin_memcpy(to, &value, sizeof value);
  }
};

// The result part: the value of `Evaluated`, or a mask as bools.
template <class R, class V, Trap first, Trap second>
HD R value_of(const Evaluated<V, first, second>& e) {
  return convert_lanes<R>(e.value);
}
template <class R, class M>
HD R value_of(const M& mask) {
  return static_cast<R>(bits_as<R>(convert_lanes<SignedLanes<R>>(mask)) & splat<R>(1));
}

// Lanes of the vector that starts at `lane` end in a trap; bit i of each set is the vector's lane i.
[[gnu::noinline, gnu::cold]] inline void trap_vector(Tile& t, u32 place, u32 lane, u64 first,
                                                     Trap first_trap, u64 second,
                                                     Trap second_trap) {
  trap_lanes(t, lane / 64, first << (lane % 64), first_trap, place);
  trap_lanes(t, lane / 64, second << (lane % 64), second_trap, place);
}

// Lanes that are not active may hold values that would trap.
template <class V, Trap first_trap, Trap second_trap>
HD void take_traps(Tile& t, const LoweredOp* op, u32 lane,
                   const Evaluated<V, first_trap, second_trap>& e) {
  if constexpr (first_trap != Trap::None) {
    const u64 active = active_bits(t, lane);
    const u64 first = mask_bits(e.first) & active;
    u64 second = 0;
    if constexpr (second_trap != Trap::None) second = mask_bits(e.second) & active;
    if ((first | second) != 0)
      trap_vector(t, op->place, lane, first, first_trap, second, second_trap);
  }
}
template <class M>
HD void take_traps(Tile&, const LoweredOp*, u32, const M&) {}

// result[lane] = f(a[lane], …) for all lanes of the tile, `count` at a time.
template <class Result, class F, class A>
HD const LoweredOp* map_lanes(const LoweredOp* op, Tile& t, F f, A) {
  constexpr u32 count = lanes_for<Result, A>();
  constexpr bool downwards = sizeof(Result) > sizeof(A);
  using R = Vector<Result, sizeof(Result) * count>;
  using VA = Vector<A, sizeof(A) * count>;
  const u32 vectors = (t.lanes + count - 1) / count;
  const Writer<R> writer(t, op);
  u32 lane = downwards ? (vectors - 1) * count : 0;
  Reader<VA> a(t, op->a, lane, downwards);
  for (u32 v = 0; v < vectors; ++v) {
    const auto result = f(a.next());
    take_traps(t, op, lane, result);
    writer.store(t, lane, value_of<R>(result));
    lane = downwards ? lane - count : lane + count;
  }
  return op + 1;
}
template <class Result, class F, class A, class B>
HD const LoweredOp* map_lanes(const LoweredOp* op, Tile& t, F f, A, B) {
  constexpr u32 count = lanes_for<Result, A, B>();
  constexpr bool downwards = sizeof(Result) > sizeof(A) || sizeof(Result) > sizeof(B);
  static_assert(!downwards || sizeof(Result) >= sizeof(A));
  using R = Vector<Result, sizeof(Result) * count>;
  using VA = Vector<A, sizeof(A) * count>;
  using VB = Vector<B, sizeof(B) * count>;
  const u32 vectors = (t.lanes + count - 1) / count;
  const Writer<R> writer(t, op);
  u32 lane = downwards ? (vectors - 1) * count : 0;
  Reader<VA> a(t, op->a, lane, downwards);
  Reader<VB> b(t, op->b, lane, downwards);
  for (u32 v = 0; v < vectors; ++v) {
    const auto result = f(a.next(), b.next());
    take_traps(t, op, lane, result);
    writer.store(t, lane, value_of<R>(result));
    lane = downwards ? lane - count : lane + count;
  }
  return op + 1;
}
template <class Result, class F, class A>
HD const LoweredOp* map_lanes(const LoweredOp* op, Tile& t, F f, A, A, A) {
  constexpr u32 count = lanes_for<Result, A>();
  using R = Vector<Result, sizeof(Result) * count>;
  using VA = Vector<A, sizeof(A) * count>;
  Reader<VA> a(t, op->a, 0, false);
  Reader<VA> b(t, op->b, 0, false);
  Reader<VA> c(t, op->c, 0, false);
  const Writer<R> writer(t, op);
  const u32 lanes = t.lanes;
  for (u32 lane = 0; lane < lanes; lane += count) {
    const auto result = f(a.next(), b.next(), c.next());
    take_traps(t, op, lane, result);
    writer.store(t, lane, value_of<R>(result));
  }
  return op + 1;
}

template <Op op, OpForm form, class T, bool is_bool>
const LoweredOp* run_pure(const LoweredOp* o, Tile& t) {
  if constexpr (form == OpForm::Unary && is_bool) {
    return map_lanes<T>(
        o, t, [](auto a) { return evaluate_not_bool(a); }, T{});
  } else if constexpr (form == OpForm::Unary) {
    return map_lanes<T>(
        o, t, [](auto a) { return evaluate_unary<op>(a); }, T{});
  } else if constexpr (form == OpForm::Binary) {
    return map_lanes<T>(
        o, t, [](auto a, auto b) { return evaluate_binary<op>(a, b); }, T{}, T{});
  } else if constexpr (form == OpForm::Ternary) {
    return map_lanes<T>(
        o, t, [](auto a, auto b, auto c) { return evaluate_ternary<op>(a, b, c); }, T{}, T{}, T{});
  } else if constexpr (form == OpForm::Compare) {
    return map_lanes<u8>(
        o, t, [](auto a, auto b) { return evaluate_compare<op>(a, b); }, T{}, T{});
  } else if constexpr (form == OpForm::Order) {
    return map_lanes<i64>(
        o, t, [](auto a, auto b) { return evaluate_order(a, b); }, T{}, T{});
  } else if constexpr (form == OpForm::Predicate) {
    return map_lanes<u8>(
        o, t, [](auto a) { return evaluate_predicate<op>(a); }, T{});
  } else if constexpr (form == OpForm::Count) {
    return map_lanes<i64>(
        o, t, [](auto a) { return evaluate_count<op>(a); }, T{});
  } else {
    static_assert(form == OpForm::Near);
    return map_lanes<u8>(
        o, t, [](auto a, auto b, auto c) { return evaluate_near(a, b, c); }, T{}, T{}, T{});
  }
}

template <Op op, class T, class Amount>
const LoweredOp* run_shift(const LoweredOp* o, Tile& t) {
  return map_lanes<T>(
      o, t, [](auto x, auto amount) { return evaluate_shift<op>(x, amount); }, T{}, Amount{});
}

// True if the conversion `op` to T takes an operand of the type `from`.
template <Op op, Scalar to>
constexpr bool converts_lanes_from(Scalar from) {
  if (op == Op::Convert) return true;
  if (op == Op::Wrap) return is_integer(from);
  if (op == Op::Exact) return is_integer(from) || is_float(from);
  const bool wanted_class =
      op == Op::Bits ? is_float(from) : scalar_class(from) == ScalarClass::Unsigned;
  return wanted_class && scalar_bytes(from) == scalar_bytes(to);
}

template <Op op, class To, class From>
const LoweredOp* run_convert(const LoweredOp* o, Tile& t) {
  return map_lanes<To>(
      o, t, [](auto x) { return evaluate_convert<op, LanesAs<decltype(x), To>>(x); }, From{});
}

// `second` of the result of `first` and the third operand, or with the two exchanged.
template <Op first, Op second, class T, bool result_is_right>
const LoweredOp* run_pair(const LoweredOp* o, Tile& t) {
  return map_lanes<T>(
      o, t,
      [](auto a, auto b, auto c) {
        const auto result = evaluate_binary<first>(a, b).value;
        return result_is_right ? evaluate_binary<second>(c, result)
                               : evaluate_binary<second>(result, c);
      },
      T{}, T{}, T{});
}

template <Op op, class T>
const LoweredOp* run_by_power_of_two(const LoweredOp* o, Tile& t) {
  const auto places = static_cast<u32>(o->c);
  return map_lanes<T>(
      o, t, [places](auto a, auto rest) { return divide_by_power_of_two<op>(a, rest, places); },
      T{}, T{});
}

template <class T>
const LoweredOp* run_move(const LoweredOp* o, Tile& t) {
  return map_lanes<T>(
      o, t, [](auto x) { return Evaluated<decltype(x)>{x}; }, T{});
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
