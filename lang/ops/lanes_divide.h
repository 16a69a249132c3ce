// SPDX-License-Identifier: Apache-2.0
// Integer division of vectors, for which x86 has no instruction, by the float divider, which computes eight quotients
// at once. The results are exact: those of `/`.
#pragma once
#include "lang/ops/lanes_x86.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// True if one instruction converts between unsigned or 64-bit lanes and floats.
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr bool kConvertsAllIntegers = true;
#else
inline constexpr bool kConvertsAllIntegers = false;
#endif

// Unsigned 64 bits: first a float quotient that is made too small on purpose, then the quotient of the rest, then at
// most one more. `inverse` is 1 / b less 2^-49 of it. Five roundings of 2^-53 each stay below 2^-50, so a · inverse
// lies between (a / b) · (1 − 2^-48) and a / b: no remainder is negative, and after two steps less than one divisor
// is missing.
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

// True if there is a shorter way for 64-bit lanes that are all small. Without an instruction from floats to integers,
// integers are read from the mantissa of a sum, which costs one more bit.
template <class V>
inline constexpr bool divides_small_lanes = (kConvertsAllIntegers || kRoundsVectors) &&
                                            !is_scalar<V> && lane_bits<V> == 64;
inline constexpr u32 kSmallBits = kConvertsAllIntegers ? 52 : 51;

// True if any lane of a or b is not in [-2^kSmallBits, 2^kSmallBits), or is below 0 in unsigned lanes.
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

// Truncates, for lanes within 52 bits, or within kSmallBits if they have 64; for the divisor 0 the quotient is
// meaningless. All numbers are exact in f64. A quotient that is no integer lies at least 1 / b below the next integer
// q, in magnitude. Relative to q that is 1 / (b · q) > 1 / (|a| + b) >= 2^-53, more than the rounding can bridge.
template <class V>
HD V divide_within_52_bits(V a, V b) {
  using F = LanesAs<V, f64>;
  const F quotient = convert_lanes<F>(a) / convert_lanes<F>(b);
  if constexpr (lane_bits<V> == 64 && !kConvertsAllIntegers)
    return integers_of_f64<V>(round_lanes<Rounding::Zero>(quotient));
  else
    return convert_lanes<V>(quotient);
}

// Truncates. No divisor may be 0, nor −1 in signed lanes.
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
