// SPDX-License-Identifier: Apache-2.0
// The meaning of the operations on floats: V is lanes of f32 or f64. IEEE 754, round to nearest even, no traps except
// those of CLAMP. A NaN result may carry any payload and sign here; code that shows it outside makes it canonical.
#pragma once
#include "lang/ops/evaluated.h"
#include "lang/ops/lanes_x86.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
inline constexpr Element<UnsignedLanes<V>> float_sign_bit =
    Element<UnsignedLanes<V>>{1} << (lane_bits<V> - 1);

template <class V>
HD V magnitude(V x) {
  using U = UnsignedLanes<V>;
  return bits_as<V>(bits_as<U>(x) & splat<U>(~float_sign_bit<V>));
}
template <class V>
HD V copy_sign(V size, V sign) {
  using U = UnsignedLanes<V>;
  return bits_as<V>((bits_as<U>(size) & splat<U>(~float_sign_bit<V>)) |
                    (bits_as<U>(sign) & splat<U>(float_sign_bit<V>)));
}

template <class V>
HD Evaluated<V> divide_or_zero_float(V a, V b) {
  return {select<V>(b == float_constant<V>(0), float_constant<V>(0), a / b)};
}

// Equal operands have the same bits, or are zeros of two signs: `or` of the bits is the smaller one, `and` the
// larger.
template <class V>
HD Evaluated<V> min_float(V a, V b) {
  using U = UnsignedLanes<V>;
  const V ordered =
      select<V>(a == b, bits_as<V>(bits_as<U>(a) | bits_as<U>(b)), select<V>(a < b, a, b));
  return {select<V>(a != a, b, select<V>(b != b, a, ordered))};
}
template <class V>
HD Evaluated<V> max_float(V a, V b) {
  using U = UnsignedLanes<V>;
  const V ordered =
      select<V>(a == b, bits_as<V>(bits_as<U>(a) & bits_as<U>(b)), select<V>(a < b, b, a));
  return {select<V>(a != a, b, select<V>(b != b, a, ordered))};
}
template <class V>
HD Evaluated<V, Trap::Range> clamp_float(V x, V low, V high) {
  const V inside = min_float(max_float(x, low).value, high).value;
  const Mask<V> no_range = (low > high) | (low != low) | (high != high);
  return {select<V>(x != x, x, inside), no_range};
}

template <class V>
HD Evaluated<V> sign_float(V x) {
  const V zero = float_constant<V>(0);
  return {select<V>(x > zero, float_constant<V>(1), select<V>(x < zero, float_constant<V>(-1), x))};
}

template <class V>
HD Evaluated<V> square_root_or_zero(V x) {
  return {select<V>(x < float_constant<V>(0), float_constant<V>(0), sqrt_lanes(x))};
}

// The analytic quotient of Ni, Drieberg and Rockett (2013). The square may overflow: then the quotient is a zero, or a
// NaN if a is infinite.
template <class V>
HD Evaluated<V> analytic_quotient(V a, V b) {
  return {a / sqrt_lanes(float_constant<V>(1) + b * b)};
}

// Adding 2^52 (2^23) leaves no room for a fraction, so the addition itself rounds. Larger values have no fraction;
// they, infinities and NaN stay. Every result, including zero, has the sign of x.
template <class V>
HD V round_magnitude(V size) {
  const V shifter = float_constant<V>(lane_bits<V> == 64 ? 0x1p52 : 0x1p23);
  return (size + shifter) - shifter;
}
template <class V>
HD V keep_integral(V x, V rounded) {
  const V first_integral = float_constant<V>(lane_bits<V> == 64 ? 0x1p52 : 0x1p23);
  return select<V>(magnitude(x) < first_integral, copy_sign(rounded, x), x);
}
template <Rounding rounding, class V>
HD V round_by_arithmetic(V x) {
  const V one = float_constant<V>(1);
  const V size = magnitude(x);
  const V near = round_magnitude(size);
  if constexpr (rounding == Rounding::Zero) {
    return keep_integral(x, select<V>(near > size, near - one, near));
  } else if constexpr (rounding == Rounding::Down) {
    const V even = copy_sign(near, x);
    return keep_integral(x, select<V>(even > x, even - one, even));
  } else if constexpr (rounding == Rounding::Up) {
    const V even = copy_sign(near, x);
    return keep_integral(x, select<V>(even < x, even + one, even));
  } else {
    return keep_integral(x, near);
  }
}
template <Rounding rounding, class V>
HD Evaluated<V> round_to_integral(V x) {
  if constexpr (kRoundsVectors && !is_scalar<V>) {
    return {round_lanes<rounding>(x)};
  } else {
    return {round_by_arithmetic<rounding>(x)};
  }
}

template <class V>
HD Mask<V> is_near(V a, V b, V tolerance) {
  return magnitude(a - b) <= tolerance;
}

// Integers in the total order of CMP: negative ones inverted below the positive ones, NaN above all.
template <class V>
HD SignedLanes<V> order_key(V x) {
  using I = SignedLanes<V>;
  const I bits = bits_as<I>(x);
  const I turned = bits ^ ((bits >> (lane_bits<V> - 1)) & splat<I>(lane_max<I>));
  return select<I>(x != x, splat<I>(lane_max<I>), turned);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
