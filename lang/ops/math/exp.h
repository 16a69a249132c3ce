// SPDX-License-Identifier: Apache-2.0
// exp and exp2, and the parts that pow and the hyperbolic functions need.
//
//   e^x = 2^n · e^t with n integral, t = x − n · ln 2, |t| <= ½ ln 2
//   e^t − 1 = t + t² / 2 + t³ · (1 / 6 + …)
//
// f64: t is a pair, and so is the sum of the large terms. The rest is below 1/6 of the last exact term, so its
//      roundings are small. The largest errors are in docs/measurements.md.
// f32: the same with fewer terms.
//
// Polynomials: scripts/math-coefficients.
#pragma once
#include "lang/ops/math/exponents.h"
#include "lang/ops/math/pairs.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// Beyond this 2^x is 0 or infinite in any case.
template <class V>
inline constexpr Element<V> kExponentLimit = lane_bits<V> == 32 ? 160.0f : 1100.0f;

// e^x = 2^count · e^rest
template <class V>
struct ExpParts {
  Pair<V> rest;
  V count;
};
// |x| < 2000. The high part of ln 2 has 42 bits, so that its product with the count is exact, and so is the difference.
template <class V>
HD ExpParts<V> split_exp(V x) {
  const V count = nearest_integral(x * splat<V>(0x1.71547652b82fep+0));
  const V high = x - count * splat<V>(0x1.62e42fefa3800p-1);
  const V low = count * splat<V>(0x1.ef35793c76730p-45);
  return {two_sum(high, -low), count};
}

// (e^t − 1 − t − t² / 2) / t³, off by 2^-55 (f32: 2^-25)
template <class V>
HD V exp_third_order(V t) {
  if constexpr (lane_bits<V> == 32)
    return polynomial(t, 0x1.5555560000000p-3, 0x1.55551a0000000p-5, 0x1.1110f60000000p-7,
                      0x1.6d10fc0000000p-10, 0x1.a0f8640000000p-13);
  else
    return polynomial(t, 0x1.5555555555556p-3, 0x1.5555555555555p-5, 0x1.11111111109b5p-7,
                      0x1.6c16c16c167e2p-10, 0x1.a01a01a7c2f2cp-13, 0x1.a01a01a47a5abp-16,
                      0x1.71de0db2eb873p-19, 0x1.27e4e1f71bcbbp-22, 0x1.af389eea54156p-26,
                      0x1.1f66d957d0ef0p-29);
}

// e^t − 1, off by less than 2^-58 (f32: 2^-28) of it.
template <class V>
HD Pair<V> exp_less_one(Pair<V> t) {
  Pair<V> half_square = two_product(t.high * float_constant<V>(0.5), t.high);
  half_square.low = half_square.low + t.high * t.low;
  const V rest = ((t.high + t.high) * half_square.high) * exp_third_order(t.high);
  const Pair<V> two_terms = fast_two_sum(t.high, half_square.high);
  return fast_two_sum(two_terms.high, two_terms.low + (t.low + (half_square.low + rest)));
}

template <class V>
HD Pair<V> ln2_pair() {
  if constexpr (lane_bits<V> == 32)
    return pair_of<V>(0x1.62e430p-1, -0x1.05c610p-29);
  else
    return pair_of<V>(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56);
}

// 2^p, off by less than 0.53 (f32: 0.6) units of the last place unless the result is subnormal.
template <class V>
HD V exp2_of_pair(Pair<V> exponent) {
  const V p = limit_size(exponent.high, kExponentLimit<V>);
  const V n = nearest_integral(p);
  const V low = select<V>(p == exponent.high, exponent.low, float_constant<V>(0.0));
  // The difference is exact, and 0 or larger than the low part.
  const Pair<V> r = fast_two_sum(p - n, low);
  const Pair<V> grown = exp_less_one(multiply_pairs(r, ln2_pair<V>()));
  const Pair<V> power = fast_two_sum(float_constant<V>(1.0), grown.high);
  return scale(power.high + (power.low + grown.low), n);
}

// The same as split_exp in lanes of f32, |x| < 120. The high part of ln 2 has 15 bits; the difference is exact.
template <class V>
HD ExpParts<V> split_exp_f32(V x) {
  const V n = nearest_integral(x * splat<V>(0x1.715476p+0f));
  const V high = x - n * splat<V>(0x1.62e4p-1f);
  return {fast_two_sum(high, -(n * splat<V>(0x1.7f7d1cp-20f))), n};
}
// e^t in lanes of f32: the low part, which is added to 1 + t, is below 7 % of it.
template <class V>
HD Pair<V> exp_of_rest_f32(Pair<V> t) {
  const Pair<V> two_terms = fast_two_sum(splat<V>(1.0f), t.high);
  const V rest = (t.high * t.high) * polynomial(t.high, 0.5, 0x1.5555560000000p-3,
                                                0x1.5554ea0000000p-5, 0x1.1110e00000000p-7,
                                                0x1.6d43160000000p-10, 0x1.a124e80000000p-13);
  return {two_terms.high, two_terms.low + (t.low + rest)};
}
// 2^n · e^t in lanes of f32.
template <class V>
HD V scaled_exp(Pair<V> t, V n) {
  const Pair<V> power = exp_of_rest_f32(t);
  return scale(power.high + power.low, n);
}

// NaN stays NaN in all steps below.

template <class V>
HD V exp_lanes(V x) {
  if constexpr (lane_bits<V> == 32) {
    const ExpParts<V> parts = split_exp_f32(limit_size(x, 110.0f));
    return scaled_exp(parts.rest, parts.count);
  } else {
    const ExpParts<V> parts = split_exp(limit_size(x, 800.0));
    const V t = parts.rest.high;
    const Pair<V> two_terms = fast_two_sum(splat<V>(1.0), t);
    const V half = t * splat<V>(0.5) + parts.rest.low;
    const V rest = parts.rest.low + t * (half + (t * t) * exp_third_order(t));
    return scale(two_terms.high + (two_terms.low + rest), parts.count);
  }
}

template <class V>
HD V exp2_lanes(V x) {
  if constexpr (lane_bits<V> == 32) {
    const V limited = limit_size(x, kExponentLimit<V>);
    const V n = nearest_integral(limited);
    const V r = limited - n;
    Pair<V> t = two_product(r, ln2_pair<V>().high);
    t.low = t.low + r * ln2_pair<V>().low;
    return scaled_exp(t, n);
  } else {
    return exp2_of_pair(Pair<V>{x, splat<V>(0.0)});
  }
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
