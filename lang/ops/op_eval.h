// SPDX-License-Identifier: Apache-2.0
// The one definition of the meaning of the pure operations of ops.def, for constant folding, the reference
// interpreter and the machines for SIMD lanes and for CUDA. Each function takes lanes (see lanes.h), scalars or
// vectors, and is branch-free.
//
// Functions are called by operation: evaluate_binary<Op::Add>(a, b). A value comes as Evaluated (value, trapped
// lanes), a comparison or predicate as a Mask. Bool operands come as u8 lanes, or any unsigned ones, of 0 or 1.
// Operations with a result of i64 (counts, CMP) give it in signed lanes of the operand's width. Cells, frames and
// code are not known here.
#pragma once
#include "lang/ops.h"
#include "lang/ops/math/functions.h"
#include "lang/ops/op_eval_convert.h"
#include "lang/ops/op_eval_float.h"
#include "lang/ops/op_eval_int.h"
#include "lang/ops/op_eval_random.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <Op>
inline constexpr bool always_false = false;

// T T -> T
template <Op op, class V>
HD auto evaluate_binary(V a, V b) {
  constexpr bool is_float = is_float_lanes<V>;
  if constexpr (op == Op::Add) {
    if constexpr (is_float)
      return Evaluated<V>{a + b};
    else
      return add_int(a, b);
  } else if constexpr (op == Op::Sub) {
    if constexpr (is_float)
      return Evaluated<V>{a - b};
    else
      return subtract_int(a, b);
  } else if constexpr (op == Op::Mul) {
    if constexpr (is_float)
      return Evaluated<V>{a * b};
    else
      return multiply_int(a, b);
  } else if constexpr (op == Op::Div) {
    if constexpr (is_float)
      return Evaluated<V>{a / b};
    else
      return divide_int(a, b);
  } else if constexpr (op == Op::Rem) {
    return remainder_int(a, b);
  } else if constexpr (op == Op::Pow) {
    if constexpr (is_float)
      return evaluate_function<op>(a, b);
    else
      return power_int(a, b);
  } else if constexpr (op == Op::AddWrap) {
    return Evaluated<V>{wrapping_add(a, b)};
  } else if constexpr (op == Op::SubWrap) {
    return Evaluated<V>{wrapping_subtract(a, b)};
  } else if constexpr (op == Op::MulWrap) {
    return Evaluated<V>{wrapping_multiply(a, b)};
  } else if constexpr (op == Op::DivFloor) {
    return divide_floor(a, b);
  } else if constexpr (op == Op::ModFloor) {
    return modulo_floor(a, b);
  } else if constexpr (op == Op::Div0) {
    if constexpr (is_float)
      return divide_or_zero_float(a, b);
    else
      return divide_or_zero_int(a, b);
  } else if constexpr (op == Op::And) {
    return Evaluated<V>{static_cast<V>(a & b)};
  } else if constexpr (op == Op::Or) {
    return Evaluated<V>{static_cast<V>(a | b)};
  } else if constexpr (op == Op::Xor) {
    return Evaluated<V>{static_cast<V>(a ^ b)};
  } else if constexpr (op == Op::Min) {
    if constexpr (is_float)
      return min_float(a, b);
    else
      return min_int(a, b);
  } else if constexpr (op == Op::Max) {
    if constexpr (is_float)
      return max_float(a, b);
    else
      return max_int(a, b);
  } else if constexpr (op == Op::Aq) {
    return analytic_quotient(a, b);
  } else if constexpr (op == Op::CheckIndex) {
    return check_index(a, b);
  } else if constexpr (op == Op::Rand) {
    return random_bits(a, b);
  } else {
    return evaluate_function<op>(a, b);
  }
}

// References, as lanes of u64: the machine's address of the first cell, and << 32 the number of cells. A negative
// offset is a large one without its sign.
//
// A reference to the first `count` of the `slots` cells that start at `address`.
template <class V>
HD Evaluated<V, Trap::Index> evaluate_reference(V count, u64 slots, u64 address) {
  return {static_cast<V>(count << 32 | splat<V>(address)),
          static_cast<Mask<V>>(count > splat<V>(slots))};
}
// A reference to cells of another one, from `low` up to `high`, exclusive.
template <class V>
HD Evaluated<V, Trap::Index> evaluate_part(V whole, V low, V high) {
  return {static_cast<V>(((high - low) << 32) | ((whole & splat<V>(0xFFFF'FFFFu)) + low)),
          static_cast<Mask<V>>((low > high) | (high > (whole >> 32)))};
}
// A reference to cells of another one from `offset` on; there must be `least` of them.
template <class V>
HD Evaluated<V, Trap::Index> evaluate_rest(V whole, V offset, u64 least) {
  const V cells = whole >> 32, at_least = splat<V>(least);
  return {static_cast<V>(((cells - offset) << 32) | ((whole & splat<V>(0xFFFF'FFFFu)) + offset)),
          static_cast<Mask<V>>((offset > cells) | (cells - offset < at_least))};
}

// T T T -> T
template <Op op, class V>
HD auto evaluate_ternary(V a, V b, V c) {
  if constexpr (op == Op::Clamp) {
    if constexpr (is_float_lanes<V>)
      return clamp_float(a, b, c);
    else
      return clamp_int(a, b, c);
  } else if constexpr (op == Op::Fma) {
    return Evaluated<V>{fma_lanes(a, b, c)};
  } else {
    static_assert(always_false<op>, "no ternary operation");
  }
}

// T -> T. NOT of a bool is evaluate_not_bool.
template <Op op, class V>
HD auto evaluate_unary(V x) {
  constexpr bool is_float = is_float_lanes<V>;
  if constexpr (op == Op::Neg) {
    if constexpr (is_float)
      return Evaluated<V>{-x};
    else
      return negate_int(x);
  } else if constexpr (op == Op::Not) {
    return Evaluated<V>{static_cast<V>(~x)};
  } else if constexpr (op == Op::Abs) {
    if constexpr (is_float)
      return Evaluated<V>{magnitude(x)};
    else
      return absolute_int(x);
  } else if constexpr (op == Op::Sign) {
    if constexpr (is_float)
      return sign_float(x);
    else
      return sign_int(x);
  } else if constexpr (op == Op::ToLower) {
    return with_other_case(x, 'A', 'Z');
  } else if constexpr (op == Op::ToUpper) {
    return with_other_case(x, 'a', 'z');
  } else if constexpr (op == Op::Sqrt) {
    return Evaluated<V>{sqrt_lanes(x)};
  } else if constexpr (op == Op::Sqrt0) {
    return square_root_or_zero(x);
  } else if constexpr (op == Op::Floor) {
    return round_to_integral<Rounding::Down>(x);
  } else if constexpr (op == Op::Ceil) {
    return round_to_integral<Rounding::Up>(x);
  } else if constexpr (op == Op::Round) {
    return round_to_integral<Rounding::Nearest>(x);
  } else if constexpr (op == Op::Trunc) {
    return round_to_integral<Rounding::Zero>(x);
  } else {
    return evaluate_function<op>(x);
  }
}
template <class V>
HD Evaluated<V> evaluate_not_bool(V x) {
  return {static_cast<V>(x ^ splat<V>(1))};
}

// T A -> T, with an amount A of any integer type
template <Op op, class V, class A>
HD auto evaluate_shift(V x, A amount) {
  if constexpr (op == Op::Shl) {
    return shift_left(x, amount);
  } else if constexpr (op == Op::Shr) {
    return shift_right(x, amount);
  } else if constexpr (op == Op::Rotl) {
    return rotate_left(x, amount);
  } else if constexpr (op == Op::Rotr) {
    return rotate_right(x, amount);
  } else {
    static_assert(always_false<op>, "no shift");
  }
}

// T T -> bool
template <Op op, class V>
HD Mask<V> evaluate_compare(V a, V b) {
  if constexpr (op == Op::Eq) {
    return a == b;
  } else if constexpr (op == Op::Ne) {
    return a != b;
  } else if constexpr (op == Op::Lt) {
    return a < b;
  } else if constexpr (op == Op::Le) {
    return a <= b;
  } else if constexpr (op == Op::Gt) {
    return a > b;
  } else if constexpr (op == Op::Ge) {
    return a >= b;
  } else {
    static_assert(always_false<op>, "no comparison");
  }
}

// T -> bool
template <Op op, class V>
HD Mask<V> evaluate_predicate(V x) {
  if constexpr (op == Op::IsNan) {
    return x != x;
  } else if constexpr (op == Op::IsFinite) {
    return is_finite_lanes(x);
  } else if constexpr (op == Op::IsDigit) {
    return lies_between(x, '0', '9');
  } else if constexpr (op == Op::IsLower) {
    return lies_between(x, 'a', 'z');
  } else if constexpr (op == Op::IsUpper) {
    return lies_between(x, 'A', 'Z');
  } else if constexpr (op == Op::IsAlpha) {
    return lies_between(static_cast<V>(x | splat<V>(kCaseBit)), 'a', 'z');
  } else if constexpr (op == Op::IsSpace) {
    return (x == splat<V>(' ')) | lies_between(x, '\t', '\r');
  } else {
    static_assert(always_false<op>, "no predicate");
  }
}

// T T T -> bool: NEAR
template <class V>
HD Mask<V> evaluate_near(V a, V b, V tolerance) {
  return is_near(a, b, tolerance);
}

// T T -> -1, 0 or 1: CMP
template <class V>
HD Evaluated<SignedLanes<V>> evaluate_order(V a, V b) {
  using I = SignedLanes<V>;
  if constexpr (is_float_lanes<V>) {
    return evaluate_order(order_key(a), order_key(b));
  } else {
    return {select<I>(a < b, splat<I>(-1), select<I>(a > b, splat<I>(1), splat<I>(0)))};
  }
}

// T -> a number of bits
template <Op op, class V>
HD Evaluated<SignedLanes<V>> evaluate_count(V x) {
  if constexpr (op == Op::Popcount) {
    return population_count(x);
  } else if constexpr (op == Op::Clz) {
    return leading_zeros(x);
  } else if constexpr (op == Op::Ctz) {
    return trailing_zeros(x);
  } else {
    static_assert(always_false<op>, "no count");
  }
}

// From -> To
template <Op op, class To, class From>
HD auto evaluate_convert(From x) {
  if constexpr (op == Op::Convert) {
    return convert<To>(x);
  } else if constexpr (op == Op::Wrap) {
    return Evaluated<To>{convert_lanes<To>(x)};
  } else if constexpr (op == Op::Exact) {
    return exact_or_zero<To>(x);
  } else if constexpr (op == Op::Bits) {
    return Evaluated<To>{canonical_bits(x)};
  } else if constexpr (op == Op::FromBits) {
    return Evaluated<To>{bits_as<To>(x)};
  } else {
    static_assert(always_false<op>, "no conversion");
  }
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
