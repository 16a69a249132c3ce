// SPDX-License-Identifier: Apache-2.0
// The meaning of the conversions. `To` and `From` have the same number of lanes; the lanes' widths may differ. A bool
// comes as u8 0 or 1.
#pragma once
#include "lang/cases.h"
#include "lang/ops/evaluated.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// Out of range: converting back gives another value, or the sign has changed.
template <class To, class From>
HD Evaluated<To, Trap::Range> convert_int_to_int(From x) {
  const To value = convert_lanes<To>(x);
  const Mask<From> changed = convert_lanes<From>(value) != x;
  Mask<To> out = convert_lanes<Mask<To>>(changed);
  if constexpr (is_signed_lanes<From> && !is_signed_lanes<To>) {
    const Mask<From> negative = x < splat<From>(0);
    out = out | convert_lanes<Mask<To>>(negative);
  } else if constexpr (!is_signed_lanes<From> && is_signed_lanes<To>) {
    out = out | (value < splat<To>(0));
  }
  return {value, out};
}

// Truncates; values beyond the integers' ends become the ends, NaN becomes 0.
template <class To, class From>
HD Evaluated<To> convert_float_to_int(From x) {
  constexpr u32 value_bits = lane_bits<To> - (is_signed_lanes<To> ? 1 : 0);
  // 2^value_bits, the first value that is too large, and the smallest value: both are floats.
  constexpr Element<From> above = static_cast<Element<From>>(u64{1} << (value_bits - 1)) * 2;
  constexpr Element<From> lowest = is_signed_lanes<To> ? -above : Element<From>{0};
  const Mask<From> too_large = x >= splat<From>(above);
  const Mask<From> too_small = x <= splat<From>(lowest);
  const From zero = splat<From>(0);
  const From harmless = select<From>(too_large | too_small | (x != x), zero, x);
  const To inside = convert_lanes<To>(harmless);
  return {
      select<To>(convert_lanes<Mask<To>>(too_large), splat<To>(lane_max<To>),
                 select<To>(convert_lanes<Mask<To>>(too_small), splat<To>(lane_min<To>), inside))};
}

// The integer equal to a number, 0 if there is none. A truncated float converts back to itself, except for the value
// above the largest, to which the saturated one is rounded.
template <class To, class From>
HD Evaluated<To> exact_or_zero(From x) {
  if constexpr (is_float_lanes<From>) {
    constexpr u32 value_bits = lane_bits<To> - (is_signed_lanes<To> ? 1 : 0);
    constexpr Element<From> above = static_cast<Element<From>>(u64{1} << (value_bits - 1)) * 2;
    const To value = convert_float_to_int<To>(x).value;
    const Mask<From> is_exact = (convert_lanes<From>(value) == x) & (x < splat<From>(above));
    return {select<To>(convert_lanes<Mask<To>>(is_exact), value, splat<To>(0))};
  } else {
    const auto converted = convert_int_to_int<To>(x);
    return {select<To>(converted.first, splat<To>(0), converted.value)};
  }
}

template <class To, class From>
HD auto convert(From x) {
  if constexpr (is_float_lanes<To>) {
    return Evaluated<To>{convert_lanes<To>(x)};
  } else if constexpr (is_float_lanes<From>) {
    return convert_float_to_int<To>(x);
  } else {
    return convert_int_to_int<To>(x);
  }
}

template <class V>
inline constexpr Element<UnsignedLanes<V>> canonical_nan =
    static_cast<Element<UnsignedLanes<V>>>(lane_bits<V> == 64 ? kCanonicalNan64 : kCanonicalNan32);

// The bits of a float; for every NaN those of the canonical quiet NaN.
template <class V>
HD UnsignedLanes<V> canonical_bits(V x) {
  using U = UnsignedLanes<V>;
  return select<U>(x != x, splat<U>(canonical_nan<V>), bits_as<U>(x));
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
