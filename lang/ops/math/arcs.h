// SPDX-License-Identifier: Apache-2.0
// atan, atan2, asin and acos: each is the angle of a point (along, across) with both coordinates positive or 0.
//
//   atan x: (1, |x|)    atan2(y, x): (|x|, |y|)    asin x: (√(1 − x²), |x|)    acos x: (|x|, √(1 − x²))
//
// The point is mirrored into the lower half of the quadrant, then turned by −π/4 if it is above tan(π/8):
//
//   t = across / along                        or (across − along) / (along + across), |t| <= √2 − 1
//   angle = k · π/4 ± (t + t³ · (−1/3 + …))
//
// Coordinates, t and multiples of π/4 are pairs; the polynomial contributes 6 % of the result. In lanes of f32 the
// same holds for atan and atan2; asin and acos have a polynomial of their own and no quotient:
//
//   asin x = x + x³ · (1/6 + …)              below ½
//            π/2 − 2 asin √((1 − x) / 2)     from there on, with a root that is a pair
//
// Polynomials: scripts/math-coefficients.
#pragma once
#include "lang/ops/math/pairs.h"
#include "lang/ops/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
HD Pair<V> sum_of(Pair<V> a, Pair<V> b) {
  Pair<V> sum = two_sum(a.high, b.high);
  sum.low = sum.low + (a.low + b.low);
  return sum;
}

// eighths · π/4 + arc of t, |t| < 0.415, with the arc's sign flipped where told.
template <class V>
HD V add_arc_f64(V eighths, Pair<V> t, Mask<V> backwards) {
  // π/4 with a high part of 50 bits: five eighths are exact.
  const V turn_high = eighths * splat<V>(0x1.921fb54442d18p-1);
  const V turn_low = eighths * splat<V>(0x1.1a62633145c07p-55);
  const V size = t.high, square = size * size;
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
// turn + arc of t, |t| < 0.415, in lanes of f32; the turn is 0 or larger than t.
template <class V>
HD V add_arc_f32(Pair<V> turn, Pair<V> t) {
  const V square = t.high * t.high;
  const V tail = square * polynomial(square, -0x1.5555560000000p-2, 0x1.99997c0000000p-3,
                                     -0x1.248a180000000p-3, 0x1.c57bac0000000p-4,
                                     -0x1.6144460000000p-4, 0x1.9d8b180000000p-5);
  const Pair<V> sum = fast_two_sum(turn.high, t.high);
  // The low part of t contributes in proportion to the slope of the arc there, 1 / (1 + t²).
  const V low = (t.low - t.low * square) + (turn.low + t.high * tail);
  return sum.high + (sum.low + low);
}

// A point in the lower half of the quadrant, and the reflections that moved it there.
template <class V>
struct Mirrored {
  Pair<V> large, small;
  Mask<V> is_steep, is_turned;
};
template <class V>
HD Mirrored<V> mirrored(Pair<V> along, Pair<V> across) {
  const Mask<V> is_steep = across.high > along.high;
  const Pair<V> large = chosen(is_steep, across, along), small = chosen(is_steep, along, across);
  return {large, small, is_steep,
          small.high > large.high * float_constant<V>(0x1.a827999fcef32p-2)};
}
// The multiple of π/4 that it was turned by: from an axis 0 or 1 on, then back from 2 if steep, then back from 4 if
// behind.
template <class V>
HD V eighths_of(const Mirrored<V>& point, Mask<V> is_behind) {
  const V zero = float_constant<V>(0.0), one = float_constant<V>(1.0);
  V eighths = select<V>(point.is_turned, one, zero);
  eighths = select<V>(point.is_steep, float_constant<V>(2.0) - eighths, eighths);
  return select<V>(is_behind, float_constant<V>(4.0) - eighths, eighths);
}

// The angle of (along, across), or that of (−along, across) if `is_behind`. At most one of them is 0, and neither is
// above 2^500.
template <class V>
HD V angle_of(Pair<V> along, Pair<V> across, Mask<V> is_behind) {
  const Mirrored<V> point = mirrored(along, across);
  const Pair<V> large = point.large, small = point.small;
  const Pair<V> t = divide_pairs(chosen(point.is_turned, sum_of(small, negated(large)), small),
                                 chosen(point.is_turned, sum_of(large, small), large));
  return add_arc_f64(eighths_of(point, is_behind), t, point.is_steep ^ is_behind);
}
// The same for floats in lanes of f32; the larger one is from 2^-49 to 2^97.
template <class V>
HD V angle_of_f32(V along, V across, Mask<V> is_behind) {
  const V zero = splat<V>(0.0f);
  const Mirrored<V> point = mirrored(Pair<V>{along, zero}, Pair<V>{across, zero});
  const V large = point.large.high, small = point.small.high;
  const Pair<V> difference = chosen(point.is_turned, fast_two_sum(-large, small), point.small);
  const Pair<V> sum = chosen(point.is_turned, fast_two_sum(large, small), point.large);
  const V quotient = difference.high / sum.high;
  const Pair<V> back = two_product(quotient, sum.high);
  const V left = ((difference.high - back.high) - back.low) + (difference.low - quotient * sum.low);
  // For tiny angles the quotient is the result, with its one rounding.
  const V low =
      select<V>(magnitude(quotient) < splat<V>(0x1p-13f), zero, left * rough_inverse(sum.high));
  const Pair<V> forwards = {quotient, low};
  const Pair<V> t = chosen(point.is_steep ^ is_behind, negated(forwards), forwards);
  // π/4 with a high part of 22 bits: four eighths are exact.
  const V eighths = eighths_of(point, is_behind);
  return add_arc_f32({eighths * splat<V>(0x1.921fbp-1f), eighths * splat<V>(0x1.5110b4p-23f)}, t);
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
  const V angle = copy_sign(add_arc_f32(turn, t), x);
  return select<V>(size < splat<V>(0x1p-13f), x, angle);
}

template <class V>
HD V atan_lanes_f64(V x) {
  const V size = magnitude(x), most = splat<V>(0x1p60), zero = splat<V>(0.0);
  const V limited = select<V>(size > most, most, size);
  const V angle = angle_of<V>({splat<V>(1.0), zero}, {limited, zero}, Mask<V>{});
  return select<V>(size < splat<V>(kSmallArc), x, copy_sign(angle, x));
}

template <class V>
HD V atan_lanes(V x) {
  if constexpr (lane_bits<V> == 32)
    return atan_lanes_f32(x);
  else
    return atan_lanes_f64(x);
}

// √(1 − x²), |x| <= 1; NaN for others.
template <class V>
HD Pair<V> leg_of_unit(V x) {
  const Pair<V> square = two_product(x, x);
  const Pair<V> rest = fast_two_sum(splat<V>(1.0), -square.high);
  return root_of_pair(fast_two_sum(rest.high, rest.low - square.low));
}

// asin |x| in lanes of f32, or π/2 less that if x is large; NaN above 1.
template <class V>
struct ArcSine {
  Pair<V> value;
  Mask<V> is_complement;
};
template <class V>
HD ArcSine<V> arc_sine_f32(V size) {
  const V half = splat<V>(0.5f), zero = splat<V>(0.0f);
  const Mask<V> is_large = size > half;
  const V half_rest = half - half * size;  // exact where it matters
  const Pair<V> root = root_of_pair_f32(Pair<V>{half_rest, zero});
  const V square = select<V>(is_large, half_rest, size * size);
  const V tail =
      square * polynomial(square, 0x1.5555540000000p-3, 0x1.3334300000000p-4, 0x1.6d5bba0000000p-5,
                          0x1.fd8da20000000p-6, 0x1.18f91e0000000p-6, 0x1.13fed40000000p-5);
  const V high = select<V>(is_large, root.high + root.high, size);
  const V low = select<V>(is_large, root.low + root.low, zero);
  return {{high, low + high * tail}, is_large};
}

template <class V>
HD V asin_lanes_f32(V x) {
  const V zero = splat<V>(0.0f);
  const ArcSine<V> arc = arc_sine_f32(magnitude(x));
  const Pair<V> quarter = pair_of<V>(0x1.921fb6p+0, -0x1.777a5cp-25);
  const Pair<V> turn = chosen(arc.is_complement, quarter, Pair<V>{zero, zero});
  const Pair<V> part = chosen(arc.is_complement, negated(arc.value), arc.value);
  const Pair<V> sum = fast_two_sum(turn.high, part.high);
  return copy_sign(sum.high + (sum.low + (turn.low + part.low)), x);
}
template <class V>
HD V acos_lanes_f32(V x) {
  using U = UnsignedLanes<V>;
  const V zero = splat<V>(0.0f);
  const ArcSine<V> arc = arc_sine_f32(magnitude(x));
  // From 0, or from π if x is negative, if the arc is π/2 less asin |x|; else back from π/2.
  const Pair<V> half_turn =
      chosen(x < zero, pair_of<V>(0x1.921fb6p+1, -0x1.777a5cp-24), Pair<V>{zero, zero});
  const Pair<V> turn =
      chosen(arc.is_complement, half_turn, pair_of<V>(0x1.921fb6p+0, -0x1.777a5cp-25));
  const U sign = (bits_as<U>(x) & splat<U>(float_sign_bit<V>)) ^
                 select<U>(arc.is_complement, splat<U>(0), splat<U>(float_sign_bit<V>));
  const auto turned = [sign](V y) { return bits_as<V>(bits_as<U>(y) ^ sign); };
  const Pair<V> sum = fast_two_sum(turn.high, turned(arc.value.high));
  return sum.high + (sum.low + (turn.low + turned(arc.value.low)));
}

template <class V>
HD V asin_lanes(V x) {
  if constexpr (lane_bits<V> == 32) {
    return asin_lanes_f32(x);
  } else {
    const V size = magnitude(x), zero = splat<V>(0.0);
    const V angle = angle_of<V>(leg_of_unit(size), {size, zero}, Mask<V>{});
    const V value = select<V>(size < splat<V>(kSmallArc), x, copy_sign(angle, x));
    return select<V>(size <= splat<V>(1.0), value, splat<V>(static_cast<f64>(__builtin_nan(""))));
  }
}

template <class V>
HD V acos_lanes(V x) {
  if constexpr (lane_bits<V> == 32) {
    return acos_lanes_f32(x);
  } else {
    const V size = magnitude(x), zero = splat<V>(0.0);
    const V value = angle_of<V>({size, zero}, leg_of_unit(size), x < zero);
    return select<V>(size <= splat<V>(1.0), value, splat<V>(static_cast<f64>(__builtin_nan(""))));
  }
}

// The angle of (x, y), from −π to π.
template <class V>
HD V atan2_lanes(V y, V x) {
  const V zero = float_constant<V>(0.0), one = float_constant<V>(1.0);
  const V infinity = float_constant<V>(__builtin_inf());
  V along = magnitude(x), across = magnitude(y);
  const Mask<V> is_behind = copy_sign(one, x) < zero;
  const Mask<V> no_number = (x != x) | (y != y);
  const V quotient = across / along;
  // An infinite coordinate counts as 1, and the other one as 0, unless it is infinite, too. If both are 0, the
  // direction is that of 0.
  const Mask<V> any_infinite = (along == infinity) | (across == infinity);
  along = select<V>(any_infinite, select<V>(along == infinity, one, zero), along);
  across = select<V>(any_infinite, select<V>(across == infinity, one, zero), across);
  along = select<V>((along == zero) & (across == zero), one, along);
  constexpr bool is_single = lane_bits<V> == 32;
  // For f32 no tiny angle loses bits by this: if the larger one is above 2^96, the other one is far above 2^-94.
  constexpr f64 most = is_single ? 0x1p96 : 0x1p500, least = is_single ? 0x1p-40 : 0x1p-400;
  constexpr f64 shrink = is_single ? 0x1p-32 : 0x1p-600, grow = is_single ? 0x1p100 : 0x1p600;
  const V larger = select<V>(along > across, along, across);
  const V factor =
      select<V>(larger > float_constant<V>(most), float_constant<V>(shrink),
                select<V>(larger < float_constant<V>(least), float_constant<V>(grow), one));
  along = along * factor;
  across = across * factor;
  V angle;
  if constexpr (is_single) {
    angle = angle_of_f32(along, across, is_behind);
  } else {
    angle = angle_of<V>({along, zero}, {across, zero}, is_behind);
    // A tiny angle is the quotient, with its one rounding.
    const Mask<V> is_tiny = (quotient < splat<V>(kSmallArc)) & (copy_sign(one, x) > zero);
    angle = select<V>(is_tiny, quotient, angle);
  }
  return select<V>(no_number, float_constant<V>(__builtin_nan("")), copy_sign(angle, y));
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
