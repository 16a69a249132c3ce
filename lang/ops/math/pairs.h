// SPDX-License-Identifier: Apache-2.0
// Numbers of twice the precision, as sums of two floats, for kernels whose steps must not round: the building blocks
// of T. J. Dekker, "A floating-point technique for extending the available precision" (1971).
#pragma once
#include "lang/ops/lanes_x86.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// high + low, where `low` is at most a few units of the last place of `high`.
template <class V>
struct Pair {
  V high, low;
};
template <class V>
HD Pair<V> pair_of(f64 high, f64 low) {
  return {float_constant<V>(high), float_constant<V>(low)};
}

// a + b, exactly.
template <class V>
HD Pair<V> two_sum(V a, V b) {
  const V sum = a + b;
  const V b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}
// The same if a is 0 or |a| >= |b|.
template <class V>
HD Pair<V> fast_two_sum(V a, V b) {
  const V sum = a + b;
  return {sum, b - (sum - a)};
}

// The upper half of the bits of an f64 below 2^990 (Veltkamp): products of halves are exact.
template <class V>
HD V upper_half(V a) {
  const V scaled = a * splat<V>(0x1p27 + 1);
  return scaled - (scaled - a);
}
// a · b, exactly, if both are below 2^990 and the product above 2^-960; for f32, if the product is above 2^-100. The
// error of a product is a float, so both ways give the same bits.
template <class V>
HD Pair<V> two_product_fused(V a, V b) {
  const V product = a * b;
  return {product, fma_lanes(a, b, -product)};
}
template <class V>
HD Pair<V> two_product_in_parts(V a, V b) {
  const V product = a * b;
  if constexpr (lane_bits<V> == 32) {
    using D = LanesAs<V, f64>;
    const D exact = convert_lanes<D>(a) * convert_lanes<D>(b);
    return {product, convert_lanes<V>(exact - convert_lanes<D>(product))};
  } else {
    const V a1 = upper_half(a), b1 = upper_half(b);
    const V a0 = a - a1, b0 = b - b1;
    return {product, ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0};
  }
}
template <class V>
HD Pair<V> two_product(V a, V b) {
  if constexpr (kFusesMultiplyAdd)
    return two_product_fused(a, b);
  else
    return two_product_in_parts(a, b);
}

// x − a · b for f32, if x and a · b are below 2^28 and the result is an f32: both ways give the same bits.
template <class V>
HD V exact_difference_in_parts(V x, V a, V b) {
  using D = LanesAs<V, f64>;
  return convert_lanes<V>(convert_lanes<D>(x) - convert_lanes<D>(a) * convert_lanes<D>(b));
}
template <class V>
HD V exact_difference(V x, V a, V b) {
  if constexpr (kFusesMultiplyAdd)
    return fma_lanes(-a, b, x);
  else
    return exact_difference_in_parts(x, a, b);
}

// Both are off by about 2^-104 of their value.
template <class V>
HD Pair<V> multiply_pairs(Pair<V> a, Pair<V> b) {
  const Pair<V> p = two_product(a.high, b.high);
  return {p.high, p.low + (a.high * b.low + a.low * b.high)};
}
// |a.high| >= |b.high|, or a.high is 0.
template <class V>
HD Pair<V> add_pairs(Pair<V> a, Pair<V> b) {
  const Pair<V> sum = fast_two_sum(a.high, b.high);
  return {sum.high, sum.low + (a.low + b.low)};
}

// numerator / denominator, off by about 2^-104 of it. The error of the quotient's high part is a float if the
// numerator is above 2^-960; below, the low part is meaningless.
template <class V>
HD Pair<V> divide_pairs(Pair<V> numerator, Pair<V> denominator) {
  const V quotient = numerator.high / denominator.high;
  const Pair<V> back = two_product(quotient, denominator.high);
  const V left =
      ((numerator.high - back.high) - back.low) + (numerator.low - quotient * denominator.low);
  return {quotient, left / denominator.high};
}
// The same with one division, for pairs of f32; the high part is off by a unit or two of its last place. The inverse
// of the denominator must not be subnormal.
template <class V>
HD Pair<V> divide_by_inverse(Pair<V> numerator, Pair<V> denominator) {
  const V inverse = splat<V>(1.0f) / denominator.high;
  const V quotient = numerator.high * inverse;
  const Pair<V> back = two_product(quotient, denominator.high);
  const V left =
      ((numerator.high - back.high) - back.low) + (numerator.low - quotient * denominator.low);
  return {quotient, left * inverse};
}
// 1 / x of a positive f32 to six bits, for a factor of a rounding error: the bits of 1 / x are about those of a
// constant less those of x, and a step of Newton's doubles the number of correct bits. Finite for 0.
template <class V>
HD V rough_inverse(V x) {
  using U = UnsignedLanes<V>;
  const V near = bits_as<V>(splat<U>(0x7EF3'11C3u) - bits_as<U>(x));
  return near * (splat<V>(2.0f) - x * near);
}
// The square root of a positive number, off by about 2^-104 of it; 0 for 0.
template <class V>
HD Pair<V> root_of_pair(Pair<V> x) {
  const V root = sqrt_lanes(x.high);
  const Pair<V> back = two_product(root, root);
  const V left = ((x.high - back.high) - back.low) + x.low;
  const V zero = splat<V>(0.0);
  return {root, select<V>(root > zero, left / (root + root), zero)};
}

// The same for pairs of f32, without a quotient; also 0 for 0.
template <class V>
HD Pair<V> root_of_pair_f32(Pair<V> x) {
  const V root = sqrt_lanes(x.high);
  const Pair<V> back = two_product(root, root);
  const V left = ((x.high - back.high) - back.low) + x.low;
  return {root, left * rough_inverse(root + root)};
}

template <class V>
HD V rounded(Pair<V> x) {
  return x.high + x.low;
}
template <class V>
HD Pair<V> negated(Pair<V> x) {
  return {-x.high, -x.low};
}
template <class M, class V>
HD Pair<V> chosen(M mask, Pair<V> if_true, Pair<V> if_false) {
  return {select<V>(mask, if_true.high, if_false.high), select<V>(mask, if_true.low, if_false.low)};
}

// first + second x + third x² + … , by Horner's rule.
template <class V>
HD V polynomial(V, f64 first) {
  return float_constant<V>(first);
}
template <class V, class... Rest>
HD V polynomial(V x, f64 first, Rest... rest) {
  return polynomial(x, rest...) * x + float_constant<V>(first);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
