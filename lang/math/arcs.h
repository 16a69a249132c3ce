// SPDX-License-Identifier: Apache-2.0
// atan, atan2, asin and acos: all are the angle of a point (along, across) with both coordinates positive or 0.
//
//   atan x: (1, |x|)    atan2(y, x): (|x|, |y|)    asin x: (√(1 − x²), |x|)    acos x: (|x|, √(1 − x²))
//
// The point is mirrored into the lower half of the quadrant, then turned by −π/4 if it is above tan(π/8):
//
//   t = across / along                        or (across − along) / (along + across), |t| <= √2 − 1
//   angle = k · π/4 ± (t + t³ · (−1/3 + …))
//
// f64: coordinates, t and π/4 are pairs; the polynomial's share is 6 % of the result.
// f32: plain f64, but atan in lanes of f32, where coordinates, t and multiples of π/4 are pairs again.
//
// Polynomials: scripts/math-coefficients.
#pragma once
#include "lang/math/pairs.h"
#include "lang/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
HD V sum_of(V a, V b) {
  return a + b;
}
template <class V>
HD Pair<V> sum_of(Pair<V> a, Pair<V> b) {
  Pair<V> sum = two_sum(a.high, b.high);
  sum.low = sum.low + (a.low + b.low);
  return sum;
}
template <class V>
HD V leading(V x) {
  return x;
}
template <class V>
HD V leading(Pair<V> x) {
  return x.high;
}
// A float as a number of the precision that Result needs.
template <class Result, class V>
HD Precise<Result, V> precise(V x) {
  if constexpr (std::is_same_v<Result, f32>)
    return x;
  else
    return {x, splat<V>(0.0)};
}

// eighths · π/4 + arc of t, |t| < 0.415, with the arc's sign flipped where told.
template <class Result, class V>
HD V add_arc(V eighths, Precise<Result, V> t, Mask<V> backwards) {
  // π/4 with a high part of 50 bits: five eighths are exact.
  const V turn_high = eighths * splat<V>(0x1.921fb54442d18p-1);
  const V turn_low = eighths * splat<V>(0x1.1a62633145c07p-55);
  const V size = leading(t), square = size * size;
  if constexpr (std::is_same_v<Result, f32>) {
    const V tail = polynomial(square, -0x1.5555555502186p-2, 0x1.9999982594cb8p-3,
                              -0x1.2491c08b071c9p-3, 0x1.c6f6872f564b8p-4, -0x1.71d3c09f933cep-4,
                              0x1.24434c368dea1p-4, -0x1.4b388835f8c9ep-5);
    const V arc = size + (size * square) * tail;
    return turn_high + select<V>(backwards, -arc, arc);
  } else {
    const V tail =
        polynomial(square, -0x1.5555555555555p-2, 0x1.9999999999953p-3, -0x1.249249248d7eep-3,
                   0x1.c71c71c304b46p-4, -0x1.745d165df3918p-4, 0x1.3b1392d9dbcc6p-4,
                   -0x1.110e8809a7beep-4, 0x1.e19a13a7120bap-5, -0x1.ac7a9300192a8p-5,
                   0x1.74ddd18d3dae6p-5, -0x1.1b33b2c14f38ep-5, 0x1.0ad35c1edefbcp-6);
    Pair<V> arc = {size, t.low + (size * square) * tail};
    arc = chosen(backwards, negated(arc), arc);
    const Pair<V> sum = two_sum(turn_high, arc.high);
    return sum.high + (sum.low + (turn_low + arc.low));
  }
}

// The angle of (along, across); that of (−along, across) where told. Not both are 0, and neither is above 2^500.
template <class Result, class V>
HD V angle_of(Precise<Result, V> along, Precise<Result, V> across, Mask<V> is_behind) {
  const V zero = splat<V>(0.0);
  const Mask<V> is_steep = leading(across) > leading(along);
  const auto large = chosen(is_steep, across, along);
  const auto small = chosen(is_steep, along, across);
  const Mask<V> is_turned = leading(small) > leading(large) * splat<V>(0x1.a827999fcef32p-2);
  const auto t = quotient(chosen(is_turned, sum_of(small, negated(large)), small),
                          chosen(is_turned, sum_of(large, small), large));
  // From an axis: 0 or π/4 on, then back from π/2 if steep, then back from π if behind.
  V eighths = select<V>(is_turned, splat<V>(1.0), zero);
  eighths = select<V>(is_steep, splat<V>(2.0) - eighths, eighths);
  eighths = select<V>(is_behind, splat<V>(4.0) - eighths, eighths);
  return add_arc<Result>(eighths, t, is_steep ^ is_behind);
}

// Below this atan x, asin x and atan2(x, 1) are x; the sign of 0 stays.
inline constexpr f64 kSmallArc = 0x1p-28;

template <class V>
HD V atan_lanes_f32(V x) {
  const V size = magnitude(x), one = splat<V>(1.0f), zero = splat<V>(0.0f);
  const V limited = select<V>(size > splat<V>(0x1p30f), splat<V>(0x1p30f), size);
  // Above tan(3π/8) t is −1 / x, between that and tan(π/8) it is (x − 1) / (x + 1).
  const Mask<V> is_steep = limited > splat<V>(0x1.3504f4p+1f);
  const Mask<V> is_turned = (limited > splat<V>(0x1.a8279ap-2f)) & !is_steep;
  const Pair<V> itself = {limited, zero}, unit = {one, zero}, back = {-one, zero};
  const auto of_lane = [&](Pair<V> steep, Pair<V> turned, Pair<V> flat) {
    return chosen(is_steep, steep, chosen(is_turned, turned, flat));
  };
  const Pair<V> t = divide_by_inverse(of_lane(back, two_sum(limited, -one), itself),
                                      of_lane(itself, two_sum(limited, one), unit));
  const Pair<V> turn = of_lane(pair_of<V>(0x1.921fb6p+0, -0x1.777a5cp-25),
                               pair_of<V>(0x1.921fb6p-1, -0x1.777a5cp-26), {zero, zero});
  const V square = t.high * t.high;
  const V tail = square * polynomial(square, -0x1.5555560000000p-2, 0x1.99997c0000000p-3,
                                     -0x1.248a180000000p-3, 0x1.c57bac0000000p-4,
                                     -0x1.6144460000000p-4, 0x1.9d8b180000000p-5);
  const Pair<V> sum = fast_two_sum(turn.high, t.high);
  // The low part of t counts by as much as the arc changes there, 1 / (1 + t²).
  const V low = (t.low - t.low * square) + (turn.low + t.high * tail);
  const V angle = copy_sign(sum.high + (sum.low + low), x);
  return select<V>(size < splat<V>(0x1p-13f), x, angle);
}

template <class Result, class V>
HD V atan_lanes_f64(V x) {
  const V size = magnitude(x), most = splat<V>(0x1p60);
  const V limited = select<V>(size > most, most, size);
  const V angle =
      angle_of<Result, V>(precise<Result>(splat<V>(1.0)), precise<Result>(limited), Mask<V>{});
  return select<V>(size < splat<V>(kSmallArc), x, copy_sign(angle, x));
}

template <class Result, class V>
HD V atan_lanes(V x) {
  if constexpr (lane_bits<V> == 32)
    return atan_lanes_f32(x);
  else
    return atan_lanes_f64<Result>(x);
}

// √(1 − x²), |x| <= 1; NaN for others.
template <class Result, class V>
HD Precise<Result, V> leg_of_unit(V x) {
  const V one = splat<V>(1.0);
  if constexpr (std::is_same_v<Result, f32>) {
    return sqrt_lanes((one - x) * (one + x));
  } else {
    const Pair<V> square = two_product(x, x);
    const Pair<V> rest = fast_two_sum(one, -square.high);
    return root_of_pair(fast_two_sum(rest.high, rest.low - square.low));
  }
}

template <class Result, class V>
HD V asin_lanes(V x) {
  const V size = magnitude(x);
  const V angle = angle_of<Result, V>(leg_of_unit<Result>(size), precise<Result>(size), Mask<V>{});
  const V value = select<V>(size < splat<V>(kSmallArc), x, copy_sign(angle, x));
  return select<V>(size <= splat<V>(1.0), value, splat<V>(static_cast<f64>(__builtin_nan(""))));
}

template <class Result, class V>
HD V acos_lanes(V x) {
  const V size = magnitude(x);
  const V value =
      angle_of<Result, V>(precise<Result>(size), leg_of_unit<Result>(size), x < splat<V>(0.0));
  return select<V>(size <= splat<V>(1.0), value, splat<V>(static_cast<f64>(__builtin_nan(""))));
}

// The angle of (x, y), from −π to π.
template <class Result, class V>
HD V atan2_lanes(V y, V x) {
  const V zero = splat<V>(0.0), one = splat<V>(1.0);
  const V infinity = splat<V>(static_cast<f64>(__builtin_inf()));
  V along = magnitude(x), across = magnitude(y);
  const Mask<V> is_behind = copy_sign(one, x) < zero;
  const Mask<V> no_number = (x != x) | (y != y);
  // A tiny angle is the quotient, with its one rounding.
  const V tiny = across / along;
  const Mask<V> is_tiny = (tiny < splat<V>(kSmallArc)) & (copy_sign(one, x) > zero);
  // An infinite coordinate counts 1, and the other one 0, unless it is infinite, too. Zeros of both are the direction of 0.
  const Mask<V> any_infinite = (along == infinity) | (across == infinity);
  along = select<V>(any_infinite, select<V>(along == infinity, one, zero), along);
  across = select<V>(any_infinite, select<V>(across == infinity, one, zero), across);
  along = select<V>((along == zero) & (across == zero), one, along);
  if constexpr (!std::is_same_v<Result, f32>) {
    const V larger = select<V>(along > across, along, across);
    const V factor = select<V>(larger > splat<V>(0x1p500), splat<V>(0x1p-600),
                               select<V>(larger < splat<V>(0x1p-400), splat<V>(0x1p600), one));
    along = along * factor;
    across = across * factor;
  }
  const V angle = angle_of<Result, V>(precise<Result>(along), precise<Result>(across), is_behind);
  const V value = copy_sign(select<V>(is_tiny, tiny, angle), y);
  return select<V>(no_number, splat<V>(static_cast<f64>(__builtin_nan(""))), value);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
