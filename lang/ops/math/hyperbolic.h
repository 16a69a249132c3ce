// SPDX-License-Identifier: Apache-2.0
// sinh, cosh and tanh.
//
// f64, from g = e^|x| − 1, which keeps its precision for small x, as a pair:
//
//   sinh |x| = (g + g / (g + 1)) / 2
//   cosh x   = ((g + 1) + 1 / (g + 1)) / 2
//   tanh |x| = h / (h + 2), h = e^2|x| − 1
//
// e^|x| = 2^n · e^t; beyond n = 60 only 2^n remains, because the other terms are then below 2^-120.
//
// f32, from |x| = n · ln 2 + t, without a quotient:
//
//   sinh |x| = s · cosh t + c · sinh t,   c = (2^n + 2^-n) / 2, s = (2^n − 2^-n) / 2
//   cosh x   = c · cosh t + s · sinh t
//   tanh |x| = x + x³ · (−1/3 + …)        below 9/16
//              1 − 2 / (e^2|x| + 1)       from there on, with a quotient that is a pair
//
// The first terms, s + c · t and c + s · t, are pairs; the other ones are less than a tenth of them.
//
// Polynomials: scripts/math-coefficients.
#pragma once
#include "lang/ops/math/exp.h"
#include "lang/ops/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// 2^n · e^t − 1 of a pair t, 0 <= n <= 60.
template <class V>
HD Pair<V> grown_less_one(Pair<V> t, V n) {
  const V power = power_of_two(n);
  const Pair<V> less_one = exp_less_one(t);
  const Pair<V> steps = fast_two_sum(power, splat<V>(-1.0));
  const Pair<V> sum = two_sum(steps.high, power * less_one.high);
  return fast_two_sum(sum.high, sum.low + (steps.low + power * less_one.low));
}

// The part of the exponent that matters here; the rest is applied at the end.
inline constexpr f64 kLargestCount = 60.0;
template <class V>
HD V limit_count(V n) {
  const V most = float_constant<V>(kLargestCount);
  return select<V>(n > most, most, n);
}

// Below this sinh x and tanh x are x; the sign of 0 stays.
inline constexpr f64 kSmallHyperbolic = 0x1p-28;

template <class V>
HD V sinh_lanes_f64(V x) {
  const V one = splat<V>(1.0), size = magnitude(x);
  const ExpParts<V> parts = split_exp(limit_size(size, 715.0));
  const V n = limit_count(parts.count);
  const Pair<V> g = grown_less_one(parts.rest, n);
  Pair<V> g_and_one = two_sum(g.high, one);
  g_and_one.low = g_and_one.low + g.low;
  const Pair<V> sum = add_pairs(g, divide_pairs(g, g_and_one));
  const V value = scale(sum.high + sum.low, (parts.count - n) - one);
  return select<V>(size < splat<V>(kSmallHyperbolic), x, copy_sign(value, x));
}

template <class V>
HD V cosh_lanes_f64(V x) {
  const V one = splat<V>(1.0);
  const ExpParts<V> parts = split_exp(limit_size(magnitude(x), 715.0));
  const V n = limit_count(parts.count);
  const Pair<V> g = grown_less_one(parts.rest, n);
  const Pair<V> power = two_sum(g.high, one);
  const V inverse = one / power.high;
  const Pair<V> sum = two_sum(power.high, inverse);
  // The effect of the power's low part on both terms.
  const V low = (power.low + g.low) * (one - inverse * inverse);
  return scale(sum.high + (sum.low + low), (parts.count - n) - one);
}

template <class V>
HD V tanh_lanes_f64(V x) {
  const V two = splat<V>(2.0), size = magnitude(x);
  // From 20 on the result is 1.
  const ExpParts<V> parts = split_exp(limit_size(size, 20.0) * two);
  const Pair<V> h = grown_less_one(parts.rest, parts.count);
  Pair<V> h_and_two = two_sum(h.high, two);
  h_and_two.low = h_and_two.low + h.low;
  const V value = rounded(divide_pairs(h, h_and_two));
  return select<V>(size < splat<V>(kSmallHyperbolic), x, copy_sign(value, x));
}

// The parts of sinh x and cosh x in lanes of f32.
template <class V>
struct HyperbolicParts {
  Pair<V> cosh_of_count, sinh_of_count;  // c and s, of a limited count
  V t;                                   // the high part of the rest
  V sinh_less_rest, cosh_less_one;       // sinh t − t with the rest's low part, cosh t − 1
  V power;                               // factor for the whole
};
template <class V>
HD HyperbolicParts<V> split_hyperbolic_f32(V size) {
  const V half = splat<V>(0.5f);
  const ExpParts<V> parts = split_exp_f32(limit_size(size, 90.0f));
  const V n = limit_count(parts.count), t = parts.rest.high;
  const V grown = half * power_of_two(n), shrunk = half * power_of_two(-n);
  const V square = t * t;
  const V sinh_tail = square * polynomial(square, 0x1.5555560000000p-3, 0x1.1110e00000000p-7,
                                          0x1.a124e40000000p-13);
  const V cosh_tail =
      (square * square) * polynomial(square, 0x1.55553e0000000p-5, 0x1.6cdee80000000p-10);
  return {
      fast_two_sum(grown, shrunk),    fast_two_sum(grown, -shrunk), t,
      parts.rest.low + t * sinh_tail, half * square + cosh_tail,    power_of_two(parts.count - n)};
}
// first · cosh t + second · sinh t
template <class V>
HD V sum_hyperbolic_f32(const HyperbolicParts<V>& parts, Pair<V> first, Pair<V> second) {
  const Pair<V> product = two_product(second.high, parts.t);
  const Pair<V> sum = fast_two_sum(first.high, product.high);
  const V exact_low = (sum.low + product.low) + (first.low + second.low * parts.t);
  const V rest = first.high * parts.cosh_less_one + second.high * parts.sinh_less_rest;
  return (sum.high + (exact_low + rest)) * parts.power;
}

template <class V>
HD V sinh_lanes_f32(V x) {
  const HyperbolicParts<V> parts = split_hyperbolic_f32(magnitude(x));
  return copy_sign(sum_hyperbolic_f32(parts, parts.sinh_of_count, parts.cosh_of_count), x);
}
template <class V>
HD V cosh_lanes_f32(V x) {
  const HyperbolicParts<V> parts = split_hyperbolic_f32(magnitude(x));
  return sum_hyperbolic_f32(parts, parts.cosh_of_count, parts.sinh_of_count);
}

template <class V>
HD V tanh_lanes_f32(V x) {
  const V one = splat<V>(1.0f), size = magnitude(x);
  // From 9.02 on the result is 1.
  const ExpParts<V> parts = split_exp_f32(limit_size(size, 9.5f) * splat<V>(2.0f));
  const Pair<V> of_rest = exp_of_rest_f32(parts.rest);
  const V power = power_of_two(parts.count);
  const Pair<V> sum = fast_two_sum(power * of_rest.high, one);
  const Pair<V> quotient = divide_by_inverse(Pair<V>{splat<V>(2.0f), splat<V>(0.0f)},
                                             fast_two_sum(sum.high, sum.low + power * of_rest.low));
  const Pair<V> rest = fast_two_sum(one, -quotient.high);
  const V far = rest.high + (rest.low - quotient.low);
  const V square = size * size;
  const V tail = square * polynomial(square, -0x1.5555560000000p-2, 0x1.1111020000000p-3,
                                     -0x1.ba12d80000000p-5, 0x1.655dc00000000p-6,
                                     -0x1.1680dc0000000p-7, 0x1.460e800000000p-9);
  const V value = select<V>(size < splat<V>(0.5625f), size + size * tail, far);
  return copy_sign(select<V>(size != size, size, value), x);
}

template <class V>
HD V sinh_lanes(V x) {
  if constexpr (lane_bits<V> == 32)
    return sinh_lanes_f32(x);
  else
    return sinh_lanes_f64(x);
}
template <class V>
HD V cosh_lanes(V x) {
  if constexpr (lane_bits<V> == 32)
    return cosh_lanes_f32(x);
  else
    return cosh_lanes_f64(x);
}
template <class V>
HD V tanh_lanes(V x) {
  if constexpr (lane_bits<V> == 32)
    return tanh_lanes_f32(x);
  else
    return tanh_lanes_f64(x);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
