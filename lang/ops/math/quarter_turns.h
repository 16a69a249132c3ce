// SPDX-License-Identifier: Apache-2.0
// An angle as a number of quarter turns and the rest: x = quarters · π/2 + rest, |rest| <= π/4 and a little more, for
// every finite x.
//
// Below 2^20: π/2 in four parts, three of 33 bits. Their products with the number of quarter turns are exact, and so
//   are the sums of two floats that use them (W. J. Cody and W. Waite, "Software Manual for the Elementary Functions",
//   1980). No f64 there comes closer to a multiple of π/2 than 2^-62; the last part is off by 2^-157 · 2^20.
//   In lanes of f32, below 2^15: π/2 in three parts of 24 bits. The difference to the first product is an f32; the
//   second product is a pair. Larger angles take the path of f64, up to the rest.
// Above: x = m · 2^e with integral m, and x · 2/π modulo 4 needs of 2/π only the bits from 2^(1 − e) on (M. Payne and
//   R. Hanek, "Radian reduction for trigonometric functions", 1983). 192 of them, in integers, leave an error of 2^-137
//   of a quarter turn; again none comes closer than 2^-62 (J.-M. Muller, "Elementary Functions", chapter 11). All lanes
//   take this path if one of them needs it; each lane takes the result of its own path.
#pragma once
#include "lang/ops/math/exponents.h"
#include "lang/ops/math/pairs.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
struct QuarterTurns {
  Pair<V> rest;
  UnsignedLanes<V> quarters;  // modulo 2^2; the bits above are meaningless
};

inline constexpr f64 kFirstHugeAngle = 0x1p20;

// |x| < kFirstHugeAngle
template <class V>
HD QuarterTurns<V> split_angle(V x) {
  const V shifter = splat<V>(0x1.8p52);
  const V shifted = x * splat<V>(0x1.45f306dc9c883p-1) + shifter;
  const V n = shifted - shifter;
  const V first = x - n * splat<V>(0x1.921fb54400000p+0);  // exact
  const Pair<V> second = two_sum(first, -(n * splat<V>(0x1.0b4611a600000p-34)));
  const Pair<V> third = two_sum(second.high, -(n * splat<V>(0x1.3198a2e000000p-69)));
  const V low = (second.low + third.low) - n * splat<V>(0x1.b839a252049c1p-104);
  return {fast_two_sum(third.high, low), bits_as<UnsignedLanes<V>>(shifted)};
}

// In lanes of f32: |x| < kFirstLargeAngle, |rest| < π/4 · (1 + 2^-8)
inline constexpr f32 kFirstLargeAngle = 0x1p15f;
template <class V>
HD QuarterTurns<V> split_angle_f32(V x) {
  const V shifter = splat<V>(0x1.8p23f);
  const V shifted = x * splat<V>(0x1.45f306p-1f) + shifter;
  const V n = shifted - shifter;
  const V first = exact_difference(x, n, splat<V>(0x1.921fb6p+0f));
  const Pair<V> product = two_product(n, splat<V>(0x1.777a5cp-25f));
  const Pair<V> second = two_sum(first, product.high);
  const V low = (second.low + product.low) + n * splat<V>(0x1.ee59dap-50f);
  return {fast_two_sum(second.high, low), bits_as<UnsignedLanes<V>>(shifted)};
}

// 2/π: 64 zeros, then the bits behind the point.
inline constexpr u32 kTwoOverPiWords = 20;
HD_TABLE u64 kTwoOverPi[kTwoOverPiWords] = {
    0,
    0xA2F9836E4E441529,
    0xFC2757D1F534DDC0,
    0xDB6295993C439041,
    0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0,
    0x06492EEA09D1921C,
    0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484,
    0xE99C7026B45F7E41,
    0x3991D639835339F4,
    0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F,
    0x6D367ECF27CB09B7,
    0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA,
    0x6BFB5FB11F8D5D08,
    0x56033046FC7B6BAB,
};
// a · b, a < 2^53
template <class U>
HD Wide<U> multiply_words(U a, U b) {
  const U low_half = splat<U>(0xFFFF'FFFFu);
  const U a0 = a & low_half, a1 = a >> 32, b0 = b & low_half, b1 = b >> 32;
  const U low = a0 * b0;
  const U middle = a0 * b1 + (low >> 32);
  const U upper = a1 * b0 + (middle & low_half);
  return {a1 * b1 + (middle >> 32) + (upper >> 32), (upper << 32) | (low & low_half)};
}

// For a finite |x| >= kFirstHugeAngle; other lanes give some value.
template <class V>
HD_COLD QuarterTurns<V> split_huge_angle(V x) {
  using U = UnsignedLanes<V>;
  const U zero = splat<U>(0), one = splat<U>(1);
  const U size = bits_as<U>(x) & splat<U>(~u64{0} >> 1);
  const U mantissa = (size & splat<U>((u64{1} << 52) - 1)) | splat<U>(u64{1} << 52);
  // |x| = mantissa · 2^(field − 1075). The first bit of 2/π behind the point, with weight ½, is bit 64 of the table.
  // The first bit wanted has weight 2^(1 − exponent).
  const U wanted = (size >> 52) - splat<U>(1075 + 1 - 63);
  const U place = wanted >> 6, shift = wanted & splat<U>(63);
  const U last = splat<U>(kTwoOverPiWords - 4);
  const U index = select<U>(place < last, place, last);
  U words[4];
  for (u32 k = 0; k < 4; ++k) words[k] = look_up(kTwoOverPi, index + splat<U>(k));
  for (u32 k = 0; k < 3; ++k)
    words[k] = (words[k] << shift) | ((words[k + 1] >> 1) >> (splat<U>(63) - shift));

  // product = mantissa · words modulo 2^192: |x| · 2/π modulo 4, times 2^190.
  const Wide<U> low = multiply_words(mantissa, words[2]);
  const Wide<U> middle = add_wide(multiply_words(mantissa, words[1]), {zero, low.high});
  const U high = mantissa * words[0] + middle.high;
  // To the nearest quarter turn: the rest is signed.
  const U quarters = (high + splat<U>(u64{1} << 61)) >> 62;
  const U left = high - (quarters << 62);
  const Mask<U> is_negative = (left >> 63) != zero;
  const U flip = select<U>(is_negative, ~zero, zero);
  const U low_bits = (low.low ^ flip) + select<U>(is_negative, one, zero);
  const Mask<U> carries = is_negative & (low_bits == zero);
  const U middle_bits = (middle.low ^ flip) + select<U>(carries, one, zero);
  const U high_bits = (left ^ flip) + select<U>(carries & (middle_bits == zero), one, zero);

  // In four floats of 48 bits, then in two.
  const auto part = [](U bits, f64 unit) { return convert_lanes<V>(bits) * splat<V>(unit); };
  const U low_half = splat<U>(0xFFFF'FFFFu), low_part = splat<U>((u64{1} << 48) - 1);
  const V a = part(high_bits >> 16, 0x1p-46);
  const V b = part(((high_bits << 32) | (middle_bits >> 32)) & low_part, 0x1p-94);
  const V c = part(((middle_bits & low_half) << 16) | (low_bits >> 48), 0x1p-142);
  const V d = part(low_bits & low_part, 0x1p-190);
  const Pair<V> upper = fast_two_sum(a, b);
  const Pair<V> lower = two_sum(upper.low, c);
  Pair<V> turns = fast_two_sum(upper.high, lower.high);
  turns = fast_two_sum(turns.high, turns.low + (lower.low + d));
  const Pair<V> half_pi = pair_of<V>(0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54);
  const Pair<V> angle = multiply_pairs(turns, half_pi);
  const Pair<V> rest = fast_two_sum(angle.high, angle.low);

  // x and the rest of |x| may both be negative.
  const U sign = (bits_as<U>(x) ^ flip) & splat<U>(u64{1} << 63);
  const auto with_sign = [sign](V y) { return bits_as<V>(bits_as<U>(y) ^ sign); };
  const Mask<U> x_negative = (bits_as<U>(x) >> 63) != zero;
  return {{with_sign(rest.high), with_sign(rest.low)},
          select<U>(x_negative, zero - quarters, quarters)};
}

template <class V>
HD QuarterTurns<V> chosen(Mask<V> mask, QuarterTurns<V> if_true, QuarterTurns<V> if_false) {
  return {chosen(mask, if_true.rest, if_false.rest),
          select<UnsignedLanes<V>>(mask, if_true.quarters, if_false.quarters)};
}

// NaN gives NaN; the rest of infinity is meaningless.
template <class V>
HD QuarterTurns<V> split_quarter_turns(V x) {
  QuarterTurns<V> result = split_angle(x);
  const V first_huge = splat<V>(kFirstHugeAngle);
  const Mask<V> is_huge = (x >= first_huge) | (x <= -first_huge);
  if_any(
      is_huge, [&] { result = chosen(is_huge, split_huge_angle(x), result); }, result.rest.high,
      result.rest.low, result.quarters);
  return result;
}

// A finite |x| >= kFirstLargeAngle in lanes of f32, by way of f64; infinity gives NaN, other lanes some value.
template <class V>
HD_COLD QuarterTurns<V> split_large_angle_f32(V x) {
  using D = LanesAs<V, f64>;
  using U = UnsignedLanes<D>;
  // A pair of f32 has no use for the last two bits of the rest, so they hold the number of quarter turns.
  const D packed = by_registers<f64>(
      [](auto part) {
        using Bits = UnsignedLanes<decltype(part)>;
        const QuarterTurns<decltype(part)> turns = split_quarter_turns(part);
        const Bits rest = bits_as<Bits>(turns.rest.high) & splat<Bits>(~u64{3});
        return bits_as<decltype(part)>(rest | (turns.quarters & splat<Bits>(3)));
      },
      convert_lanes<D>(x));
  const V high = convert_lanes<V>(packed);
  const V low = convert_lanes<V>(packed - convert_lanes<D>(high));
  const Mask<V> is_finite = x - x == splat<V>(0.0f);
  return {{select<V>(is_finite, high, x - x), low},
          convert_lanes<UnsignedLanes<V>>(bits_as<U>(packed) & splat<U>(3))};
}

// In lanes of f32. NaN and infinity give NaN.
template <class V>
HD QuarterTurns<V> split_quarter_turns_f32(V x) {
  QuarterTurns<V> result = split_angle_f32(x);
  const V first_large = splat<V>(kFirstLargeAngle);
  const Mask<V> is_large = (x >= first_large) | (x <= -first_large);
  if_any(
      is_large, [&] { result = chosen(is_large, split_large_angle_f32(x), result); },
      result.rest.high, result.rest.low, result.quarters);
  return result;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
