// SPDX-License-Identifier: Apache-2.0
// Integer division of vectors, which no x86 instruction does, by the float divider, which does eight quotients at once.
// The results are exact: they are what `/` gives.
#pragma once
#include "lang/ops/lanes_x86.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// Does one instruction convert between unsigned or 64-bit lanes and floats?
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr bool kConvertsAllIntegers = true;
#else
inline constexpr bool kConvertsAllIntegers = false;
#endif

// Unsigned 64 bits: a float quotient made too small on purpose, then the quotient of what is left over, then at most one
// more. `inverse` is 1 / b less 2^-49 of it. Five roundings of 2^-53 each stay below 2^-50, so a · inverse lies between
// (a / b) · (1 − 2^-48) and a / b: no remainder is negative, and what two steps miss is less than one divisor.
template <class U>
HD U divide_in_two_steps(U a, U b) {
  using F = LanesAs<U, f64>;
  const F inverse = (splat<F>(1.0) / convert_lanes<F>(b)) * splat<F>(1.0 - 0x1p-49);
  const U first = convert_lanes<U>(convert_lanes<F>(a) * inverse);
  const U left = a - first * b;
  const U second = convert_lanes<U>(convert_lanes<F>(left) * inverse);
  const U rest = left - second * b;
  return first + second + select<U>(rest >= b, splat<U>(1), splat<U>(0));
}

// Is there a shorter way for 64-bit lanes that are all small? Where no instruction makes integers of floats, they are read
// from the mantissa of a sum, which takes a bit more.
template <class V>
inline constexpr bool divides_small_lanes = (kConvertsAllIntegers || kRoundsVectors) &&
                                            !is_scalar<V> && lane_bits<V> == 64;
inline constexpr u32 kSmallBits = kConvertsAllIntegers ? 52 : 51;

// Is any lane of a or b not in [-2^kSmallBits, 2^kSmallBits), or below 0 where the lanes are unsigned?
template <class V>
HD bool any_beyond_small(V a, V b) {
  using U = UnsignedLanes<V>;
  constexpr u64 limit = u64{1} << kSmallBits, bias = is_signed_lanes<V> ? limit : 0;
  const U either = (bits_as<U>(a) + splat<U>(bias)) | (bits_as<U>(b) + splat<U>(bias));
  return any_lane((either & splat<U>(~(limit + bias - 1))) != splat<U>(0));
}

// The integers in [-2^51, 2^51] that f64 lanes hold.
template <class V, class F>
HD V integers_of_f64(F x) {
  constexpr f64 magic = 0x1.8p52;
  return bits_as<V>(x + splat<F>(magic)) - splat<V>(__builtin_bit_cast(u64, magic));
}

// Truncates, of lanes within 52 bits, or kSmallBits where they have 64; of a divisor that is 0 the quotient means nothing.
// All are exact in f64, and a quotient that is no integer lies at least 1 / b below the next one, q, in magnitude: relative
// to q that is 1 / (b · q) > 1 / (|a| + b) >= 2^-53, more than the rounding can bridge.
template <class V>
HD V divide_within_52_bits(V a, V b) {
  using F = LanesAs<V, f64>;
  const F quotient = convert_lanes<F>(a) / convert_lanes<F>(b);
  if constexpr (lane_bits<V> == 64 && !kConvertsAllIntegers)
    return integers_of_f64<V>(round_lanes<Rounding::Zero>(quotient));
  else
    return convert_lanes<V>(quotient);
}

// Truncates. No divisor may be 0, nor −1 where the lanes are signed.
template <class V>
HD V divide_lanes(V a, V b) {
  if constexpr (is_scalar<V> || lane_bits<V> < 32) {
    return static_cast<V>(a / b);
  } else if constexpr (lane_bits<V> == 32 && (is_signed_lanes<V> || kConvertsAllIntegers)) {
    return divide_within_52_bits(a, b);
  } else if constexpr (lane_bits<V> == 32 || !kConvertsAllIntegers) {
    return a / b;
  } else if constexpr (is_signed_lanes<V>) {
    using U = UnsignedLanes<V>;
    const auto magnitude = [](V x) {
      const U bits = bits_as<U>(x);
      return select<U>(x < splat<V>(0), splat<U>(0) - bits, bits);
    };
    const U quotient = divide_in_two_steps(magnitude(a), magnitude(b));
    return bits_as<V>(select<U>((a ^ b) < splat<V>(0), splat<U>(0) - quotient, quotient));
  } else {
    return divide_in_two_steps(a, b);
  }
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
