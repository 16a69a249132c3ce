// SPDX-License-Identifier: Apache-2.0
// cbrt and hypot.
//
// cbrt: x = m · 2^j · 2^3k with m in [√½, √2) and j in 0, 1, 2. A polynomial gives the root of m to 19 bits, one step of
//   Halley's method (its error is the third power of the one before) 50 bits; for f64 a step of Newton's with the remainder
//   as a pair does the rest. Polynomial: scripts/math-coefficients.
// hypot: the root of a sum of squares. f64: as pairs, of coordinates that a power of two has brought away from the ends of
//   the range. f32: in f64, which is far from its ends.
#pragma once
#include "lang/math/exponents.h"
#include "lang/math/pairs.h"
#include "lang/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class Result, class V>
HD V cbrt_lanes(V x) {
  const V one = splat<V>(1.0), two = splat<V>(2.0), zero = splat<V>(0.0);
  const V size = magnitude(x);
  const NearOne<V> parts = scale_near_one(size);
  // (3k + j − 1) / 3 is next to k.
  const V third = nearest_integral((parts.exponent - one) * splat<V>(0x1.5555555555555p-2));
  const V left = parts.exponent - third * splat<V>(3.0);
  const Mask<V> is_one = left == one, is_two = left == two;
  const V number = parts.mantissa * select<V>(is_two, splat<V>(4.0), select<V>(is_one, two, one));
  const V factor = select<V>(is_two, splat<V>(0x1.965fea53d6e3dp+0),
                             select<V>(is_one, splat<V>(0x1.428a2f98d728bp+0), one));
  V root = factor * polynomial(parts.mantissa, 0x1.b17799571fb4fp-2, 0x1.0c452fa1d5b51p+0,
                               -0x1.a3eba8ab9e21bp-1, 0x1.fb6e95d10c7dfp-2, -0x1.60a3892bd13e0p-3,
                               0x1.a2dfec4a72870p-6);
  const V cube = root * root * root;
  root = root * ((cube + (number + number)) / ((cube + cube) + number));
  if constexpr (!std::is_same_v<Result, f32>) {
    const Pair<V> square = two_product(root, root);
    const Pair<V> product = two_product(square.high, root);
    const V remainder = ((number - product.high) - product.low) - square.low * root;
    root = root + remainder / (splat<V>(3.0) * square.high);
  }
  const V value = copy_sign(root * power_of_two(third), x);
  const V infinity = splat<V>(static_cast<f64>(__builtin_inf()));
  return select<V>((size < infinity) & (size > zero), value, x);  // NaN, infinities, zeros stay
}

template <class Result, class V>
HD V finite_hypot(V a, V b) {
  if constexpr (std::is_same_v<Result, f32>) {
    return sqrt_lanes(a * a + b * b);
  } else {
    const Mask<V> is_steep = b > a;
    V large = select<V>(is_steep, b, a), small = select<V>(is_steep, a, b);
    const V one = splat<V>(1.0);
    const Mask<V> is_huge = large > splat<V>(0x1p400), is_tiny = large < splat<V>(0x1p-400);
    const V factor =
        select<V>(is_huge, splat<V>(0x1p-700), select<V>(is_tiny, splat<V>(0x1p700), one));
    const V back =
        select<V>(is_huge, splat<V>(0x1p700), select<V>(is_tiny, splat<V>(0x1p-700), one));
    large = large * factor;
    // Too small to matter, it would have a square too small for pairs.
    small = small * factor;
    small = select<V>(small < large * splat<V>(0x1p-60), splat<V>(0.0), small);
    const Pair<V> first = two_product(large, large), second = two_product(small, small);
    const Pair<V> root = root_of_pair(add_pairs(first, second));
    return (root.high + root.low) * back;
  }
}

template <class Result, class V>
HD V hypot_lanes(V x, V y) {
  const V a = magnitude(x), b = magnitude(y);
  const V infinity = splat<V>(static_cast<f64>(__builtin_inf()));
  const Mask<V> any_infinite = (a == infinity) | (b == infinity);
  const Mask<V> no_number = (x != x) | (y != y);
  const V value = select<V>(no_number, splat<V>(static_cast<f64>(__builtin_nan(""))),
                            finite_hypot<Result>(a, b));
  return select<V>(any_infinite, infinity, value);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
