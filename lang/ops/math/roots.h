// SPDX-License-Identifier: Apache-2.0
// cbrt and hypot.
//
// cbrt: x = m · 2^j · 2^3k with m in [√½, √2) and j in 0, 1, 2. A polynomial gives the root of m to some bits. One step
//   of Halley's method gives three times as many, as its error is the third power of the one before.
//   f64: 19 bits, then 50; then a step of Newton's with the remainder as a pair.
//   f32: 8 bits, whose cube is exact, and so is its error; the largest term of the step's error is added, too.
//   Polynomials: scripts/math-coefficients.
// hypot: the root of a sum of squares. A power of two first moves the coordinates away from the ends of the range.
//   As pairs.
#pragma once
#include "lang/ops/math/exponents.h"
#include "lang/ops/math/pairs.h"
#include "lang/ops/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// 2^j · m, and the root of 2^j.
template <class V>
struct CubeParts {
  V mantissa, number;
  V root_of_power;
  V third;  // k
};
template <class V>
HD CubeParts<V> split_cube(V size) {
  const V one = float_constant<V>(1.0), two = float_constant<V>(2.0);
  const NearOne<V> parts = scale_near_one(size);
  // (3k + j − 1) / 3 is nearest to k.
  const V third =
      nearest_integral((parts.exponent - one) * float_constant<V>(0x1.5555555555555p-2));
  const V left = parts.exponent - third * float_constant<V>(3.0);
  const Mask<V> is_one = left == one, is_two = left == two;
  const auto of_lane = [&](f64 if_two, f64 if_one) {
    return select<V>(is_two, float_constant<V>(if_two),
                     select<V>(is_one, float_constant<V>(if_one), one));
  };
  return {parts.mantissa, parts.mantissa * of_lane(4.0, 2.0),
          of_lane(0x1.965fea53d6e3dp+0, 0x1.428a2f98d728bp+0), third};
}

template <class V>
HD V root_of_cube_f64(const CubeParts<V>& parts) {
  const V number = parts.number;
  V root =
      parts.root_of_power * polynomial(parts.mantissa, 0x1.b17799571fb4fp-2, 0x1.0c452fa1d5b51p+0,
                                       -0x1.a3eba8ab9e21bp-1, 0x1.fb6e95d10c7dfp-2,
                                       -0x1.60a3892bd13e0p-3, 0x1.a2dfec4a72870p-6);
  const V cube = root * root * root;
  root = root * ((cube + (number + number)) / ((cube + cube) + number));
  const Pair<V> square = two_product(root, root);
  const Pair<V> product = two_product(square.high, root);
  const V remainder = ((number - product.high) - product.low) - square.low * root;
  return root + remainder / (splat<V>(3.0) * square.high);
}
template <class V>
HD V root_of_cube_f32(const CubeParts<V>& parts) {
  using U = UnsignedLanes<V>;
  const V near =
      parts.root_of_power * polynomial(parts.mantissa, 0x1.fb09820000000p-2, 0x1.76ade20000000p-1,
                                       -0x1.217d400000000p-2, 0x1.c934a00000000p-5);
  const V root = bits_as<V>((bits_as<U>(near) + splat<U>(0x8000u)) & splat<U>(0xFFFF'0000u));
  const V cube = root * root * root;
  const V step = (parts.number - cube) / ((cube + cube) + parts.number);
  return root + root * (step + step * (step * step) * float_constant<V>(2.0 / 3));
}

template <class V>
HD V cbrt_lanes(V x) {
  const V size = magnitude(x);
  const CubeParts<V> parts = split_cube(size);
  V root;
  if constexpr (lane_bits<V> == 32)
    root = root_of_cube_f32(parts);
  else
    root = root_of_cube_f64(parts);
  const V value = copy_sign(root * power_of_two(parts.third), x);
  const V zero = float_constant<V>(0.0), infinity = float_constant<V>(__builtin_inf());
  return select<V>((size < infinity) & (size > zero), value, x);  // NaN, infinities, zeros stay
}

template <class V>
HD V finite_hypot(V a, V b) {
  constexpr bool is_single = lane_bits<V> == 32;
  // Coordinates beyond these are scaled.
  constexpr f64 most = is_single ? 0x1p60 : 0x1p400, least = is_single ? 0x1p-40 : 0x1p-400;
  constexpr f64 shrink = is_single ? 0x1p-70 : 0x1p-700, grow = is_single ? 0x1p90 : 0x1p700;
  const Mask<V> is_steep = b > a;
  V large = select<V>(is_steep, b, a), small = select<V>(is_steep, a, b);
  const Mask<V> is_huge = large > float_constant<V>(most);
  const Mask<V> is_tiny = large < float_constant<V>(least);
  const auto of_lane = [&](f64 if_huge, f64 if_tiny) {
    return select<V>(is_huge, float_constant<V>(if_huge),
                     select<V>(is_tiny, float_constant<V>(if_tiny), float_constant<V>(1.0)));
  };
  const V factor = of_lane(shrink, grow), back = of_lane(1 / shrink, 1 / grow);
  large = large * factor;
  small = small * factor;
  if constexpr (is_single) {
    const Pair<V> first = two_product(large, large), second = two_product(small, small);
    return rounded(root_of_pair_f32(add_pairs(first, second))) * back;
  } else {
    // A value too small to matter would have a square too small for pairs.
    small = select<V>(small < large * splat<V>(0x1p-60), splat<V>(0.0), small);
    const Pair<V> first = two_product(large, large), second = two_product(small, small);
    return rounded(root_of_pair(add_pairs(first, second))) * back;
  }
}

template <class V>
HD V hypot_lanes(V x, V y) {
  const V a = magnitude(x), b = magnitude(y);
  const V infinity = float_constant<V>(__builtin_inf());
  const Mask<V> any_infinite = (a == infinity) | (b == infinity);
  const Mask<V> no_number = (x != x) | (y != y);
  const V value = select<V>(no_number, float_constant<V>(__builtin_nan("")), finite_hypot(a, b));
  return select<V>(any_infinite, infinity, value);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
