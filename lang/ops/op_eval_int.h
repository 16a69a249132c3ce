// SPDX-License-Identifier: Apache-2.0
// The meaning of the operations on integers: V is lanes of i32, i64, u8, u32 or u64 (for And, Or, Xor also bool as 0
// or 1). Branch-free, except for a shorter way of dividing vectors of small values, and free of undefined behaviour:
// wrapping arithmetic uses unsigned lanes, and divisors and shift amounts are made harmless first.
#pragma once
#include "lang/ops.h"
#include "lang/ops/evaluated.h"
#include "lang/ops/lanes_divide.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
HD V wrapping_add(V a, V b) {
  using U = UnsignedLanes<V>;
  return bits_as<V>(static_cast<U>(bits_as<U>(a) + bits_as<U>(b)));
}
template <class V>
HD V wrapping_subtract(V a, V b) {
  using U = UnsignedLanes<V>;
  return bits_as<V>(static_cast<U>(bits_as<U>(a) - bits_as<U>(b)));
}
template <class V>
HD V wrapping_multiply(V a, V b) {
  using U = UnsignedLanes<V>;
  return bits_as<V>(static_cast<U>(bits_as<U>(a) * bits_as<U>(b)));
}

template <class V>
HD Evaluated<V, Trap::Overflow> add_int(V a, V b) {
  const V sum = wrapping_add(a, b);
  if constexpr (is_signed_lanes<V>) {
    return {sum, ((a ^ sum) & (b ^ sum)) < splat<V>(0)};
  } else {
    return {sum, sum < a};
  }
}

template <class V>
HD Evaluated<V, Trap::Overflow> subtract_int(V a, V b) {
  const V difference = wrapping_subtract(a, b);
  if constexpr (is_signed_lanes<V>) {
    return {difference, ((a ^ b) & (a ^ difference)) < splat<V>(0)};
  } else {
    return {difference, a < b};
  }
}

// True if the wrapped product of a and b overflowed. Lanes of 32 or 64 bits compute a float product p of their own
// width, which is off by less than |ab| · 2^-22 (f32) or |ab| · 2^-51 (f64). If the product fits, p differs from the
// wrapped value by less than 2^11 (2^14). If it does not, the wrapped value is off by a multiple of 2^bits, and p
// differs from it by more than 2^(bits − 1).
template <class V>
HD Mask<V> product_overflows(V a, V b, V wrapped) {
  if constexpr (lane_bits<V> == 8) {
    using W = LanesAs<V, typename IntegersOf<1>::Wider>;
    const W wide = static_cast<W>(convert_lanes<W>(a) * convert_lanes<W>(b));
    return convert_lanes<Mask<V>>(wide > splat<W>(lane_max<V>));
  } else {
    using F = LanesAs<V, std::conditional_t<lane_bits<V> == 64, f64, f32>>;
    constexpr Element<F> far = static_cast<Element<F>>(u64{1} << (lane_bits<V> - 2));
    const F off = convert_lanes<F>(a) * convert_lanes<F>(b) - convert_lanes<F>(wrapped);
    return (off > splat<F>(far)) | (off < splat<F>(-far));
  }
}

template <class V>
HD Evaluated<V, Trap::Overflow> multiply_int(V a, V b) {
  const V product = wrapping_multiply(a, b);
  return {product, product_overflows(a, b, product)};
}

// A quotient and its possible faults.
template <class V>
struct Quotient {
  V value;      // MIN / −1 wraps to MIN; undefined for the divisor 0
  V remainder;  // MIN % −1 is 0
  Mask<V> by_zero;
  Mask<V> overflow;  // MIN / −1
};
template <class V>
HD Quotient<V> divide_truncating(V a, V b) {
  const V zero = splat<V>(0), one = splat<V>(1);
  const Mask<V> by_zero = b == zero;
  if constexpr (divides_small_lanes<V>) {
    if (!any_beyond_small(a, b)) {
      const V value = divide_within_52_bits(a, b);
      return {value, wrapping_subtract(a, wrapping_multiply(value, b)), by_zero, Mask<V>{}};
    }
  }
  if constexpr (is_signed_lanes<V>) {
    const Mask<V> by_minus_one = b == splat<V>(-1);
    const V quotient = divide_lanes(a, select<V>(by_zero | by_minus_one, one, b));
    const V value = select<V>(by_minus_one, wrapping_subtract(zero, a), quotient);
    const Mask<V> overflow = by_minus_one & (a == splat<V>(lane_min<V>));
    return {value, wrapping_subtract(a, wrapping_multiply(value, b)), by_zero, overflow};
  } else {
    const V value = divide_lanes(a, select<V>(by_zero, one, b));
    return {value, wrapping_subtract(a, wrapping_multiply(value, b)), by_zero, Mask<V>{}};
  }
}

template <class V>
HD Evaluated<V, Trap::DivZero, Trap::Overflow> divide_int(V a, V b) {
  const Quotient<V> q = divide_truncating(a, b);
  return {q.value, q.by_zero, q.overflow};
}

template <class V>
HD Evaluated<V, Trap::Index> check_index(V index, V length) {
  return {index, static_cast<Mask<V>>((index < splat<V>(0)) | (index >= length))};
}

template <class V>
HD Evaluated<V, Trap::DivZero> remainder_int(V a, V b) {
  const Quotient<V> q = divide_truncating(a, b);
  return {q.remainder, q.by_zero};
}

// Lanes in which the truncated quotient is above the exact one: the remainder is not 0, and lacks the divisor's sign.
template <class V>
HD Mask<V> truncated_upwards(const Quotient<V>& q, V divisor) {
  const V zero = splat<V>(0);
  return (q.remainder != zero) & (static_cast<V>(q.remainder ^ divisor) < zero);
}

template <class V>
HD Evaluated<V, Trap::DivZero, Trap::Overflow> divide_floor(V a, V b) {
  const Quotient<V> q = divide_truncating(a, b);
  const V value =
      select<V>(truncated_upwards(q, b), wrapping_subtract(q.value, splat<V>(1)), q.value);
  return {value, q.by_zero, q.overflow};
}

template <class V>
HD Evaluated<V, Trap::DivZero> modulo_floor(V a, V b) {
  const Quotient<V> q = divide_truncating(a, b);
  return {select<V>(truncated_upwards(q, b), wrapping_add(q.remainder, b), q.remainder), q.by_zero};
}

template <class V>
HD Evaluated<V> divide_or_zero_int(V a, V b) {
  const Quotient<V> q = divide_truncating(a, b);
  return {select<V>(q.by_zero, splat<V>(0), q.value)};
}

// The result of `op`, any of the divisions, for the divisor 2^places; `rest` is 2^places - 1. It never traps.
template <Op op, class V>
HD Evaluated<V> divide_by_power_of_two(V a, V rest, u32 places) {
  if constexpr (is_signed_lanes<V> && op != Op::DivFloor && op != Op::ModFloor) {
    // Negative values are rounded up.
    const V bias = static_cast<V>(static_cast<V>(a >> (lane_bits<V> - 1)) & rest);
    const V biased = wrapping_add(a, bias);
    if constexpr (op == Op::Rem)
      return {wrapping_subtract(static_cast<V>(biased & rest), bias)};
    else
      return {static_cast<V>(biased >> places)};
  } else if constexpr (op == Op::Rem || op == Op::ModFloor) {
    return {static_cast<V>(a & rest)};
  } else {
    return {static_cast<V>(a >> places)};
  }
}

// By squaring, in seven rounds. Exponents from 64 on become 64 or 65, by parity: the power of 0, 1 and −1 stays the
// same, that of every other base overflows anyway. An overflowing square matters only if a later round multiplies by
// it.
template <class V>
HD Evaluated<V, Trap::Range, Trap::Overflow> power_int(V base, V exponent) {
  const V zero = splat<V>(0), one = splat<V>(1), many = splat<V>(64);
  const V rounds = select<V>(exponent < many, exponent, static_cast<V>(many | (exponent & one)));
  V result = one;
  V square = base;
  Mask<V> square_overflows{};
  Mask<V> overflow{};
  for (u32 round = 0; round < 7; ++round) {
    const Mask<V> used = (static_cast<V>(rounds >> round) & one) != zero;
    const auto product = multiply_int(result, square);
    overflow = overflow | (used & (product.first | square_overflows));
    result = select<V>(used, product.value, result);
    const auto next = multiply_int(square, square);
    square_overflows = square_overflows | next.first;
    square = next.value;
  }
  return {result, exponent < zero, overflow};
}

template <class V>
HD Evaluated<V> min_int(V a, V b) {
  return {select<V>(a < b, a, b)};
}
template <class V>
HD Evaluated<V> max_int(V a, V b) {
  return {select<V>(a < b, b, a)};
}
template <class V>
HD Evaluated<V, Trap::Range> clamp_int(V x, V low, V high) {
  return {min_int(max_int(x, low).value, high).value, low > high};
}

template <class V>
HD Evaluated<V, Trap::Overflow> negate_int(V x) {
  return {wrapping_subtract(splat<V>(0), x), x == splat<V>(lane_min<V>)};
}
template <class V>
HD Evaluated<V, Trap::Overflow> absolute_int(V x) {
  return {select<V>(x < splat<V>(0), wrapping_subtract(splat<V>(0), x), x),
          x == splat<V>(lane_min<V>)};
}
template <class V>
HD Evaluated<V> sign_int(V x) {
  const V zero = splat<V>(0);
  return {select<V>(x < zero, splat<V>(-1), select<V>(x > zero, splat<V>(1), zero))};
}

// Shifts. The amounts are lanes of any integer type; a negative amount read as unsigned is large.
template <class A>
struct Amount {
  UnsignedLanes<A> value;
  Mask<A> negative{};
};
template <class A>
HD Amount<A> shift_amount(A amount) {
  if constexpr (is_signed_lanes<A>) {
    return {bits_as<UnsignedLanes<A>>(amount), amount < splat<A>(0)};
  } else {
    return {amount};
  }
}

template <class V, class A>
HD Evaluated<V, Trap::Range> shift_left(V x, A amount) {
  using U = UnsignedLanes<V>;
  using N = UnsignedLanes<A>;
  constexpr Element<N> width = lane_bits<V>;
  const Amount<A> n = shift_amount(amount);
  const Mask<A> beyond = n.value >= splat<N>(width);
  const U places = convert_lanes<U>(select<N>(beyond, splat<N>(0), n.value));
  const U shifted = static_cast<U>(bits_as<U>(x) << places);
  return {bits_as<V>(select<U>(convert_lanes<Mask<V>>(beyond), splat<U>(0), shifted)),
          convert_lanes<Mask<V>>(n.negative)};
}

template <class V, class A>
HD Evaluated<V, Trap::Range> shift_right(V x, A amount) {
  using N = UnsignedLanes<A>;
  constexpr Element<N> width = lane_bits<V>;
  const Amount<A> n = shift_amount(amount);
  const Mask<A> beyond = n.value >= splat<N>(width);
  const V places = convert_lanes<V>(select<N>(beyond, splat<N>(width - 1), n.value));
  const V shifted = static_cast<V>(x >> places);
  const Mask<V> negative = convert_lanes<Mask<V>>(n.negative);
  if constexpr (is_signed_lanes<V>) {
    return {shifted, negative};  // a shift by the width less one fills all bits with the sign
  } else {
    return {select<V>(convert_lanes<Mask<V>>(beyond), splat<V>(0), shifted), negative};
  }
}

// Unsigned lanes; the amount counts modulo the width, a power of two.
template <class V, class A>
HD Evaluated<V> rotate_left(V x, A amount) {
  using N = UnsignedLanes<A>;
  constexpr Element<V> mask = lane_bits<V> - 1;
  const V n = convert_lanes<V>(static_cast<N>(bits_as<N>(amount) & splat<N>(mask)));
  const V opposite = static_cast<V>(wrapping_subtract(splat<V>(0), n) & splat<V>(mask));
  return {static_cast<V>((x << n) | (x >> opposite))};
}
template <class V, class A>
HD Evaluated<V> rotate_right(V x, A amount) {
  using N = UnsignedLanes<A>;
  return rotate_left(x, static_cast<N>(wrapping_subtract(splat<N>(0), bits_as<N>(amount))));
}

// The bit that distinguishes a small letter from the capital one in ASCII.
inline constexpr u8 kCaseBit = 0x20;
template <class V>
HD Mask<V> lies_between(V x, u8 first, u8 last) {
  return static_cast<V>(x - splat<V>(first)) <= splat<V>(static_cast<u8>(last - first));
}
// Converts letters of one case, from `first` to `last`, to the other case.
template <class V>
HD Evaluated<V> with_other_case(V x, u8 first, u8 last) {
  return {select<V>(lies_between(x, first, last), static_cast<V>(x ^ splat<V>(kCaseBit)), x)};
}

// Counts, in lanes of the operand's width.
template <class U>
HD U count_ones(U x) {
  constexpr u32 bits = lane_bits<U>;
  constexpr Element<U> ones = lane_max<U>;
  const U pairs = static_cast<U>(x - ((x >> 1) & splat<U>(ones / 3)));
  const U nibbles =
      static_cast<U>((pairs & splat<U>(ones / 5)) + ((pairs >> 2) & splat<U>(ones / 5)));
  const U bytes = static_cast<U>((nibbles + (nibbles >> 4)) & splat<U>(ones / 17));
  return static_cast<U>(static_cast<U>(bytes * splat<U>(ones / 255)) >> (bits - 8));
}
template <class V>
HD Evaluated<SignedLanes<V>> population_count(V x) {
  return {bits_as<SignedLanes<V>>(count_ones(bits_as<UnsignedLanes<V>>(x)))};
}
template <class V>
HD Evaluated<SignedLanes<V>> leading_zeros(V x) {
  using U = UnsignedLanes<V>;
  U smeared = bits_as<U>(x);
  for (u32 places = 1; places < lane_bits<V>; places *= 2)
    smeared = static_cast<U>(smeared | (smeared >> places));
  return {bits_as<SignedLanes<V>>(count_ones(static_cast<U>(~smeared)))};
}
template <class V>
HD Evaluated<SignedLanes<V>> trailing_zeros(V x) {
  using U = UnsignedLanes<V>;
  const U u = bits_as<U>(x);
  return {
      bits_as<SignedLanes<V>>(count_ones(static_cast<U>(~u & wrapping_subtract(u, splat<U>(1)))))};
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
