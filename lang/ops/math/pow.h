// SPDX-License-Identifier: Apache-2.0
// x ** y of floats: one sequence of operations, without tables and branches, for scalars, vectors and devices alike.
//
//   x = m · 2^e with m in [√½, √2)
//   log2 x = e + (2 / ln 2) · atanh(s), s = (m − 1) / (m + 1), so |s| < 0.1716
//   p = y · log2 x = n + r with n integral and |r| <= ½
//   x ** y = 2^n · exp(r · ln 2)
//
// p may be 1024 (f32: 150). An error of its last bit there is one of the last ten bits of the result (f32: seven), so
// the logarithm, p and the first terms of exp are pairs of floats. Polynomials in s² and r are only for the terms
// behind the first ones, three of the logarithm (f32: two).
//
// The polynomials for f64 were interpolated at Chebyshev nodes: scripts/math-coefficients. Errors:
// docs/measurements.md. Special cases are those of C99 (annex F).
#pragma once
#include "lang/ops/math/exp.h"
#include "lang/ops/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// log2(mantissa · 2^exponent), off by less than 2^-66 of it.
template <class V>
HD Pair<V> log2_pair(NearOne<V> x) {
  const V one = splat<V>(1.0);
  const V numerator = x.mantissa - one;  // exact
  const Pair<V> denominator = two_sum(x.mantissa, one);
  const Pair<V> s = divide_pairs({numerator, splat<V>(0.0)}, denominator);

  // 2 atanh(s) / (s ln 2) = Σ 2 / (ln 2 (2k + 1)) · s^2k: three terms as pairs, and the rest divided by s^6.
  const Pair<V> square = multiply_pairs(s, s);
  const V rest = polynomial(square.high, 0x1.a61762a7aded9p-2, 0x1.484b13d7c0366p-2,
                            0x1.0c9a84991f51dp-2, 0x1.c68f56d2b8bc9p-3, 0x1.89f38d4ad74fap-3,
                            0x1.5ba4f42598068p-3, 0x1.356fc6df3d9a3p-3, 0x1.39b1e43dfa5e8p-3);
  const Pair<V> third = pair_of<V>(0x1.2776c50ef9bfep-1, 0x1.e4b29ccc535d4p-55);
  const Pair<V> second = pair_of<V>(0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55);
  const Pair<V> first = pair_of<V>(0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55);
  Pair<V> sum = add_pairs(third, {square.high * rest, splat<V>(0.0)});
  sum = add_pairs(second, multiply_pairs(sum, square));
  sum = add_pairs(first, multiply_pairs(sum, square));
  return add_pairs({x.exponent, splat<V>(0.0)}, multiply_pairs(s, sum));
}

// y within bounds. Beyond them the power of any base other than 1 is 0, 1 or infinite; within them nothing overflows
// or underflows on the way. NaN becomes some number.
template <class V>
HD V limit_power(V y) {
  const V least = float_constant<V>(0x1p-80), most = float_constant<V>(0x1p65), size = magnitude(y);
  return copy_sign(select<V>(size < most, select<V>(size > least, size, least), most), y);
}

// The same in lanes of f32, off by less than 2^-35 of it.
template <class V>
HD Pair<V> log2_pair_f32(NearOne<V> x) {
  const V one = splat<V>(1.0f), zero = splat<V>(0.0f);
  const Pair<V> s = divide_by_inverse({x.mantissa - one, zero}, two_sum(x.mantissa, one));
  const Pair<V> square = multiply_pairs(s, s);
  const V rest = square.high * polynomial(square.high, 0x1.2776c60000000p-1, 0x1.a617c60000000p-2,
                                          0x1.48090e0000000p-2, 0x1.1a78040000000p-2);
  const Pair<V> second = pair_of<V>(0x1.ec709ep-1, -0x1.e2fe02p-28);
  const Pair<V> first = pair_of<V>(0x1.715476p+1, 0x1.4ae0c0p-25);
  Pair<V> sum = add_pairs(second, {rest, zero});
  sum = add_pairs(first, multiply_pairs(sum, square));
  return add_pairs({x.exponent, zero}, multiply_pairs(s, sum));
}

// size ** y of a positive finite `size` and a limited y.
template <class V>
HD V positive_power(V size, V y) {
  const NearOne<V> parts = scale_near_one(size);
  Pair<V> logarithm;
  if constexpr (lane_bits<V> == 32)
    logarithm = log2_pair_f32(parts);
  else
    logarithm = log2_pair(parts);
  const Pair<V> p = multiply_pairs(Pair<V>{y, float_constant<V>(0.0)}, logarithm);
  return exp2_of_pair(fast_two_sum(p.high, p.low));
}

template <class V>
HD V power_lanes(V x, V y) {
  const V zero = float_constant<V>(0.0), one = float_constant<V>(1.0);
  const V infinity = float_constant<V>(__builtin_inf());
  const V size = magnitude(x);
  const Mask<V> no_number = (x != x) | (y != y);
  const Mask<V> y_negative = y < zero;
  V value = positive_power(size, limit_power(y));
  value = select<V>(size == zero, select<V>(y_negative, infinity, zero), value);
  value = select<V>(size == infinity, select<V>(y_negative, zero, infinity), value);

  // A negative base: the sign stays for odd exponents. Only infinity and 0 have powers for exponents that are not
  // integral.
  const V half = y * float_constant<V>(0.5);
  const Mask<V> integral = round_to_integral<Rounding::Zero>(y).value == y;
  const Mask<V> odd = integral & (round_to_integral<Rounding::Zero>(half).value != half);
  const Mask<V> minus = copy_sign(one, x) < zero;
  value = select<V>(minus & odd, -value, value);
  const Mask<V> no_root = (x < zero) & (size < infinity) & (integral == Mask<V>{});
  value = select<V>(no_number | no_root, float_constant<V>(__builtin_nan("")), value);
  return select<V>((x == one) | (y == zero), one, value);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
