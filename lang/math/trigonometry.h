// SPDX-License-Identifier: Apache-2.0
// sin, cos and tan: of the rest r of quarter turns (quarter_turns.h), |r| <= π/4, by odd and even polynomials
//
//   sin r = r + r³ · (−1/6 + …)
//   cos r = 1 − r² / 2 + r⁴ · (1/24 − …)
//
// f64: both as pairs, of whose rounded terms the largest is a tenth of the result; tan is their quotient.
// f32: sin and cos in lanes of f32, where what is added to r, or to 1 − r² / 2, is rounded; tan in plain f64.
//
// Polynomials: scripts/math-coefficients.
#pragma once
#include "lang/math/quarter_turns.h"
#include "lang/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class Result, class V>
HD Precise<Result, V> sine_of_rest(Pair<V> r) {
  if constexpr (std::is_same_v<Result, f32>) {
    const V square = r.high * r.high;
    const V cube = r.high * square;
    return r.high + cube * polynomial(square, -0x1.555555545e0a4p-3, 0x1.11110def2cf0bp-7,
                                      -0x1.a013a792247bcp-13, 0x1.6dbe07b551a2cp-19);
  } else {
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
}

template <class Result, class V>
HD Precise<Result, V> cosine_of_rest(Pair<V> r) {
  const V one = splat<V>(1.0), half = splat<V>(0.5);
  if constexpr (std::is_same_v<Result, f32>) {
    const V square = r.high * r.high;
    const V tail = polynomial(square, 0x1.5555555502cf2p-5, -0x1.6c16bf54e65aep-10,
                              0x1.a015c47c8395cp-16, -0x1.25244dcc3a26dp-22);
    return (one - half * square) + (square * square) * tail;
  } else {
    const Pair<V> half_square = two_product(r.high * half, r.high);
    const V square = half_square.high + half_square.high;
    const V tail = (square * square) * polynomial(square, 0x1.5555555555555p-5,
                                                  -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16,
                                                  -0x1.27e4fb7712d61p-22, 0x1.1eed8deb97423p-29,
                                                  -0x1.9394ba0c332d9p-37, 0x1.ab785aa02d659p-45);
    const Pair<V> two_terms = fast_two_sum(one, -half_square.high);
    return fast_two_sum(two_terms.high,
                        two_terms.low + (tail - (half_square.low + r.high * r.low)));
  }
}

// Below this sin x and tan x are x; the sign of 0 stays.
inline constexpr f64 kSmallAngle = 0x1p-28;

// As needed in front of results: NaN for infinite angles.
template <class V>
HD V of_finite_angle(V x, V value) {
  const V infinity = splat<V>(static_cast<f64>(__builtin_inf()));
  return select<V>(magnitude(x) < infinity, value, splat<V>(static_cast<f64>(__builtin_nan(""))));
}

// The sine of `ahead` quarter turns more than x.
template <class Result, u32 ahead, class V>
HD V sine_lanes(V x) {
  using U = UnsignedLanes<V>;
  const QuarterTurns<V> parts = split_quarter_turns(x);
  const U quarters = parts.quarters + splat<U>(ahead);
  const Mask<V> odd = (quarters & splat<U>(1)) != splat<U>(0);
  const auto size =
      rounded(chosen(odd, cosine_of_rest<Result>(parts.rest), sine_of_rest<Result>(parts.rest)));
  const V value = bits_as<V>(bits_as<U>(size) ^ ((quarters & splat<U>(2)) << 62));
  return of_finite_angle(x, value);
}

template <class V>
HD V sine_of_rest_f32(Pair<V> r) {
  const V square = r.high * r.high;
  const V tail = square * polynomial(square, -0x1.5555560000000p-3, 0x1.11110e0000000p-7,
                                     -0x1.a0138e0000000p-13, 0x1.6db5d00000000p-19);
  // The low part counts by as much as the sine changes there.
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

// sine_lanes of lanes of f32, by way of f64.
template <u32 ahead, class V>
HD_COLD V sine_by_f64(V x) {
  return by_registers<f64>(
      [](auto part) {
        using D = LanesAs<decltype(part), f64>;
        return convert_lanes<decltype(part)>(sine_lanes<f32, ahead>(convert_lanes<D>(part)));
      },
      x);
}
template <u32 ahead, class V>
HD V sine_lanes_f32(V x) {
  using U = UnsignedLanes<V>;
  const QuarterTurns<V> parts = split_angle_f32(x);
  const U quarters = parts.quarters + splat<U>(ahead);
  const Mask<V> odd = (quarters & splat<U>(1)) != splat<U>(0);
  const V size = select<V>(odd, cosine_of_rest_f32(parts.rest), sine_of_rest_f32(parts.rest));
  const V value = bits_as<V>(bits_as<U>(size) ^ ((quarters & splat<U>(2)) << 30));
  const Mask<V> is_large = magnitude(x) >= splat<V>(kFirstLargeAngle);
  if (!any_lane(is_large)) return value;
  return select<V>(is_large, sine_by_f64<ahead>(x), value);
}

// Below this the sine of an f32 is the angle.
inline constexpr f32 kSmallAngleF32 = 0x1p-13f;

template <class Result, class V>
HD V sin_lanes(V x) {
  if constexpr (lane_bits<V> == 32)
    return select<V>(magnitude(x) < splat<V>(kSmallAngleF32), x, sine_lanes_f32<0>(x));
  else
    return select<V>(magnitude(x) < splat<V>(kSmallAngle), x, sine_lanes<Result, 0>(x));
}

template <class Result, class V>
HD V cos_lanes(V x) {
  if constexpr (lane_bits<V> == 32)
    return sine_lanes_f32<1>(x);
  else
    return sine_lanes<Result, 1>(x);
}

template <class Result, class V>
HD V tan_lanes(V x) {
  using U = UnsignedLanes<V>;
  const QuarterTurns<V> parts = split_quarter_turns(x);
  const Mask<V> odd = (parts.quarters & splat<U>(1)) != splat<U>(0);
  const auto sine = sine_of_rest<Result>(parts.rest);
  const auto cosine = cosine_of_rest<Result>(parts.rest);
  const auto tangent = quotient(chosen(odd, negated(cosine), sine), chosen(odd, sine, cosine));
  return select<V>(magnitude(x) < splat<V>(kSmallAngle), x, of_finite_angle(x, rounded(tangent)));
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
