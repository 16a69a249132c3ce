// SPDX-License-Identifier: Apache-2.0
// sin, cos and tan: from the rest r of quarter turns (quarter_turns.h), |r| <= π/4, by odd and even polynomials
//
//   sin r = r + r³ · (−1/6 + …)
//   cos r = 1 − r² / 2 + r⁴ · (1/24 − …)
//
// f64: both as pairs; the largest rounded term is a tenth of the result. tan is their quotient.
// f32: only the terms added to r, or to 1 − r² / 2, are rounded. tan is a quotient of pairs, from t = tan (r / 2):
//
//   tan r = 2 t / (1 − t²)
//
// Polynomials: scripts/math-coefficients.
#pragma once
#include "lang/ops/math/quarter_turns.h"
#include "lang/ops/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
HD Pair<V> sine_of_rest_f64(Pair<V> r) {
  // r³ / 6 as a pair, too.
  const Pair<V> square = multiply_pairs(r, r);
  const Pair<V> cube = multiply_pairs(r, square);
  const Pair<V> sixth =
      multiply_pairs(cube, pair_of<V>(-0x1.5555555555555p-3, -0x1.5555555555555p-57));
  const V tail =
      (cube.high * square.high) *
      polynomial(square.high, 0x1.1111111111110p-7, -0x1.a01a01a019938p-13, 0x1.71de3a5460952p-19,
                 -0x1.ae645412c4787p-26, 0x1.61217f0ac7f98p-33, -0x1.ab17d3985bccep-41);
  const Pair<V> two_terms = fast_two_sum(r.high, sixth.high);
  return fast_two_sum(two_terms.high, two_terms.low + (r.low + (sixth.low + tail)));
}

template <class V>
HD Pair<V> cosine_of_rest_f64(Pair<V> r) {
  const Pair<V> half_square = two_product(r.high * splat<V>(0.5), r.high);
  const V square = half_square.high + half_square.high;
  const V tail = (square * square) * polynomial(square, 0x1.5555555555555p-5,
                                                -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16,
                                                -0x1.27e4fb7712d61p-22, 0x1.1eed8deb97423p-29,
                                                -0x1.9394ba0c332d9p-37, 0x1.ab785aa02d659p-45);
  const Pair<V> two_terms = fast_two_sum(splat<V>(1.0), -half_square.high);
  return fast_two_sum(two_terms.high, two_terms.low + (tail - (half_square.low + r.high * r.low)));
}

// Below this sin x and tan x are x; the sign of 0 stays.
template <class V>
inline constexpr Element<V> kSmallAngle = lane_bits<V> == 32 ? 0x1p-13f : 0x1p-28f;

// NaN for infinite angles, as needed in front of results.
template <class V>
HD V of_finite_angle(V x, V value) {
  const V infinity = splat<V>(static_cast<f64>(__builtin_inf()));
  return select<V>(magnitude(x) < infinity, value, splat<V>(static_cast<f64>(__builtin_nan(""))));
}

// The size of a sine or a cosine with the sign that it has in the half turn.
template <class V>
HD V with_sign_of_quarters(V size, UnsignedLanes<V> quarters) {
  using U = UnsignedLanes<V>;
  return bits_as<V>(bits_as<U>(size) ^ ((quarters & splat<U>(2)) << (lane_bits<V> - 2)));
}
template <class V>
HD Mask<V> is_odd(UnsignedLanes<V> quarters) {
  using U = UnsignedLanes<V>;
  return (quarters & splat<U>(1)) != splat<U>(0);
}

// The sine of `ahead` quarter turns more than x.
template <u32 ahead, class V>
HD V sine_lanes_f64(V x) {
  const QuarterTurns<V> parts = split_quarter_turns(x);
  const auto quarters = parts.quarters + splat<UnsignedLanes<V>>(ahead);
  const Pair<V> size =
      chosen(is_odd<V>(quarters), cosine_of_rest_f64(parts.rest), sine_of_rest_f64(parts.rest));
  return of_finite_angle(x, with_sign_of_quarters(rounded(size), quarters));
}

template <class V>
HD V tan_lanes_f64(V x) {
  const QuarterTurns<V> parts = split_quarter_turns(x);
  const Mask<V> odd = is_odd<V>(parts.quarters);
  const Pair<V> sine = sine_of_rest_f64(parts.rest), cosine = cosine_of_rest_f64(parts.rest);
  const Pair<V> tangent =
      divide_pairs(chosen(odd, negated(cosine), sine), chosen(odd, sine, cosine));
  return of_finite_angle(x, rounded(tangent));
}

template <class V>
HD V sine_of_rest_f32(Pair<V> r) {
  const V square = r.high * r.high;
  const V tail = square * polynomial(square, -0x1.5555560000000p-3, 0x1.11110e0000000p-7,
                                     -0x1.a0138e0000000p-13, 0x1.6db5d00000000p-19);
  // The low part contributes in proportion to the slope of the sine there.
  const V low = r.low - r.low * (square * splat<V>(0.5f));
  return r.high + (low + r.high * tail);
}
template <class V>
HD V cosine_of_rest_f32(Pair<V> r) {
  const Pair<V> half_square = two_product(r.high * splat<V>(0.5f), r.high);
  const V square = half_square.high + half_square.high;
  const V tail = (square * square) * polynomial(square, 0x1.5555540000000p-5,
                                                -0x1.6c12c40000000p-10, 0x1.9bd0200000000p-16);
  const Pair<V> two_terms = fast_two_sum(splat<V>(1.0f), -half_square.high);
  return two_terms.high + (two_terms.low + (tail - (half_square.low + r.high * r.low)));
}

// tan r, or −1 / tan r where odd.
template <class V>
HD V tangent_of_rest_f32(Pair<V> r, Mask<V> odd) {
  const V half = splat<V>(0.5f);
  const V u = r.high * half, u_low = r.low * half, square = u * u;
  const V tail =
      square * polynomial(square, 0x1.5555560000000p-2, 0x1.1110f00000000p-3, 0x1.ba35640000000p-5,
                          0x1.62bcae0000000p-6, 0x1.5546c00000000p-7);
  // The low part contributes in proportion to the slope of the tangent there, 1 + t².
  const Pair<V> t = fast_two_sum(u, u * tail + (u_low + u_low * square));
  const Pair<V> t_square = multiply_pairs(t, t);
  const Pair<V> rest = fast_two_sum(splat<V>(1.0f), -t_square.high);
  const Pair<V> across = {t.high + t.high, t.low + t.low};
  const Pair<V> along = {rest.high, rest.low - t_square.low};
  return rounded(
      divide_by_inverse(chosen(odd, negated(along), across), chosen(odd, across, along)));
}

template <u32 ahead, class V>
HD V sine_lanes_f32(V x) {
  const QuarterTurns<V> parts = split_quarter_turns_f32(x);
  const auto quarters = parts.quarters + splat<UnsignedLanes<V>>(ahead);
  const V size =
      select<V>(is_odd<V>(quarters), cosine_of_rest_f32(parts.rest), sine_of_rest_f32(parts.rest));
  return with_sign_of_quarters(size, quarters);
}

template <u32 ahead, class V>
HD V sine_lanes(V x) {
  if constexpr (lane_bits<V> == 32)
    return sine_lanes_f32<ahead>(x);
  else
    return sine_lanes_f64<ahead>(x);
}

template <class V>
HD V sin_lanes(V x) {
  return select<V>(magnitude(x) < splat<V>(kSmallAngle<V>), x, sine_lanes<0>(x));
}
template <class V>
HD V cos_lanes(V x) {
  return sine_lanes<1>(x);
}
template <class V>
HD V tan_lanes_f32(V x) {
  const QuarterTurns<V> parts = split_quarter_turns_f32(x);
  return tangent_of_rest_f32(parts.rest, is_odd<V>(parts.quarters));
}
template <class V>
HD V tan_lanes(V x) {
  V tangent;
  if constexpr (lane_bits<V> == 32)
    tangent = tan_lanes_f32(x);
  else
    tangent = tan_lanes_f64(x);
  return select<V>(magnitude(x) < splat<V>(kSmallAngle<V>), x, tangent);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
