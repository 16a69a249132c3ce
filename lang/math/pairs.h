// SPDX-License-Identifier: Apache-2.0
// Numbers of twice the precision, as sums of two floats, for kernels whose steps must not round: the building blocks of
// T. J. Dekker, "A floating-point technique for extending the available precision" (1971).
#pragma once
#include "lang/lanes_x86.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// high + low, of which `low` is a few units of the last place of `high` at most.
template <class V>
struct Pair {
  V high, low;
};
template <class V>
HD Pair<V> pair_of(f64 high, f64 low) {
  return {splat<V>(high), splat<V>(low)};
}

// a + b, exactly.
template <class V>
HD Pair<V> two_sum(V a, V b) {
  const V sum = a + b;
  const V b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}
// The same where a is 0 or |a| >= |b|.
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
// a · b of f64, exactly, as long as both are below 2^990 and the product above 2^-960. The error of a product is a float,
// so both ways give the same bits.
template <class V>
HD Pair<V> two_product(V a, V b) {
  const V product = a * b;
  if constexpr (kFusesMultiplyAdd) {
    return {product, fma_lanes(a, b, -product)};
  } else {
    const V a1 = upper_half(a), b1 = upper_half(b);
    const V a0 = a - a1, b0 = b - b1;
    return {product, ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0};
  }
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

// first + second x + third x² + … , by Horner's rule.
template <class V>
HD V polynomial(V, f64 first) {
  return splat<V>(first);
}
template <class V, class... Rest>
HD V polynomial(V x, f64 first, Rest... rest) {
  return polynomial(x, rest...) * x + splat<V>(first);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
