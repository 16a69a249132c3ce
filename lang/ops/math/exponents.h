// SPDX-License-Identifier: Apache-2.0
// Splits lanes of floats into mantissa and exponent, and joins them again. Exponents are floats themselves.
#pragma once
#include "lang/ops/lanes.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// The format of the floats that V holds.
template <class V>
struct FloatFormat {
  using Bits = Element<UnsignedLanes<V>>;
  static constexpr bool is_double = lane_bits<V> == 64;
  static constexpr u32 fraction_bits = is_double ? 52 : 23;
  static constexpr Element<V> bias = is_double ? 1023 : 127;
  static constexpr Element<V>
      first_integral =  // 2^fraction_bits: from here on there are no fractions
      static_cast<Element<V>>(is_double ? 0x1p52 : 0x1p23);
  static constexpr Element<V> smallest_normal =
      static_cast<Element<V>>(is_double ? 0x1p-1022 : 0x1p-126);
  static constexpr Element<V> root_half =
      static_cast<Element<V>>(is_double ? 0x1.6a09e667f3bcdp-1 : 0x1.6a09e6p-1);
};

// A positive finite number as mantissa · 2^exponent.
template <class V>
struct NearOne {
  V mantissa;  // in [√½, √2)
  V exponent;
};
template <class V>
HD NearOne<V> scale_near_one(V size) {
  using U = UnsignedLanes<V>;
  using Format = FloatFormat<V>;
  using Bits = typename Format::Bits;
  constexpr u32 places = Format::fraction_bits;
  constexpr Element<V> whole_number = Format::first_integral;
  constexpr Bits one = __builtin_bit_cast(Bits, Element<V>{1});
  constexpr Bits whole = __builtin_bit_cast(Bits, whole_number);
  constexpr Bits lowest = __builtin_bit_cast(Bits, Format::root_half);
  // Subnormal numbers are made normal first.
  const Mask<V> subnormal = size < splat<V>(Format::smallest_normal);
  const V normal = select<V>(subnormal, size * splat<V>(whole_number * 4), size);
  // The exponent's field counts from √½ on, not from 1; as the last bits of 2^52 (2^23) it is a float.
  const U counted = bits_as<U>(normal) + splat<U>(one - lowest);
  const V biased = bits_as<V>((counted >> places) | splat<U>(whole));
  const V bias = select<V>(subnormal, splat<V>(whole_number + Format::bias + places + 2),
                           splat<V>(whole_number + Format::bias));
  return {bits_as<V>((counted & splat<U>((Bits{1} << places) - 1)) + splat<U>(lowest)),
          biased - bias};
}

// The integral value nearest to x, |x| < 2^51 (2^22).
template <class V>
HD V nearest_integral(V x) {
  const V shifter = splat<V>(FloatFormat<V>::first_integral * Element<V>{1.5});
  return (x + shifter) - shifter;
}
// 2^n, n integral, the result a normal number.
template <class V>
HD V power_of_two(V n) {
  using Format = FloatFormat<V>;
  const V counted = n + splat<V>(Format::first_integral + Format::bias);
  return bits_as<V>(bits_as<UnsignedLanes<V>>(counted) << Format::fraction_bits);
}
// x · 2^n with one rounding, n integral, |n| < 1200 (200).
template <class V>
HD V scale(V x, V n) {
  const V half = nearest_integral(n * splat<V>(Element<V>{0.5}));
  return (x * power_of_two(half)) * power_of_two(n - half);
}
// x moved into -most..=most; NaN stays.
template <class V>
HD V limit_size(V x, Element<V> most) {
  const V high = splat<V>(most);
  return select<V>(x > high, high, select<V>(x < -high, -high, x));
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
