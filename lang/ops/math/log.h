// SPDX-License-Identifier: Apache-2.0
// Logarithms of base e, 2 and 10.
//
//   x = m · 2^e with m in [√½, √2)
//   log x = e · log 2 + (log e) · ln m
//
// f64: ln m = 2 atanh(s) = 2 s + s³ · (2 / 3 + …), s = (m − 1) / (m + 1), so |s| < 0.1716. s is a pair; the terms
//      behind 2 s are less than a hundredth of it.
// f32: ln m = f − f² / 2 + f³ · (1 / 3 − …), f = m − 1, without a quotient. The first two terms are a pair; the third
//      is less than a fifteenth of them.
// e · log 2 is exact in its high part and, unless e is 0, larger than the other term: only exact bits cancel.
//
// Polynomials: scripts/math-coefficients.
#pragma once
#include "lang/ops/math/exponents.h"
#include "lang/ops/math/pairs.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

enum class LogBase : u8 { E, Two, Ten };

// The logarithm of 2 in 42 bits and the next ones, and that of e.
struct LogConstants {
  f64 of_two_high, of_two_low;
  f64 of_e_high, of_e_low;
};
template <LogBase base>
HD constexpr LogConstants log_constants() {
  if constexpr (base == LogBase::E)
    return {0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45, 1.0, 0.0};
  else if constexpr (base == LogBase::Two)
    return {1.0, 0.0, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
  else
    return {0x1.34413509f7800p-2, 0x1.fef311f12b358p-46, 0x1.bcb7b1526e50ep-2,
            0x1.95355baaafad3p-57};
}

// ln m, off by less than 2^-60 of it.
template <class V>
HD Pair<V> ln_of_mantissa(V m) {
  const V one = splat<V>(1.0);
  const Pair<V> s = divide_pairs({m - one, splat<V>(0.0)}, two_sum(m, one));
  const V square = s.high * s.high;
  const V tail = polynomial(square, 0x1.5555555555555p-1, 0x1.9999999999a38p-2,
                            0x1.2492492476cccp-2, 0x1.c71c720159177p-3, 0x1.745cf9048dd95p-3,
                            0x1.3b1c355a8f7a2p-3, 0x1.0fbe95d716020p-3, 0x1.0c039c49989c6p-3);
  return fast_two_sum(s.high + s.high, (s.low + s.low) + (s.high * square) * tail);
}

// The logarithm of a positive finite number.
template <LogBase base, class V>
HD V positive_log(V x) {
  constexpr LogConstants log = log_constants<base>();
  const NearOne<V> parts = scale_near_one(x);
  Pair<V> small = ln_of_mantissa(parts.mantissa);
  if constexpr (base != LogBase::E)
    small = multiply_pairs(small, pair_of<V>(log.of_e_high, log.of_e_low));
  Pair<V> sum = fast_two_sum(parts.exponent * splat<V>(log.of_two_high), small.high);
  sum.low = sum.low + small.low;
  if constexpr (base != LogBase::Two) sum.low = sum.low + parts.exponent * splat<V>(log.of_two_low);
  return sum.high + sum.low;
}

// The logarithm of 2 in 15 bits and the next ones, and that of e as a pair.
struct LogConstantsF32 {
  f32 of_two_high, of_two_low;
  f32 of_e_high, of_e_low;
};
template <LogBase base>
HD constexpr LogConstantsF32 log_constants_f32() {
  if constexpr (base == LogBase::E)
    return {0x1.62e4p-1f, 0x1.7f7d1cp-20f, 1.0f, 0.0f};
  else if constexpr (base == LogBase::Two)
    return {1.0f, 0.0f, 0x1.715476p+0f, 0x1.4ae0c0p-26f};
  else
    return {0x1.344p-2f, 0x1.3509f8p-18f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f};
}

// The logarithm of a positive finite number in lanes of f32.
template <LogBase base, class V>
HD V positive_log_f32(V x) {
  constexpr LogConstantsF32 log = log_constants_f32<base>();
  const NearOne<V> parts = scale_near_one(x);
  const V f = parts.mantissa - splat<V>(1.0f);
  const Pair<V> half_square = two_product(f * splat<V>(0.5f), f);
  const V cube = (half_square.high + half_square.high) * f;
  const V tail =
      cube * polynomial(f, 0x1.5555560000000p-2, -0x1.fffff20000000p-3, 0x1.9999a80000000p-3,
                        -0x1.555c540000000p-3, 0x1.2496880000000p-3, -0x1.fdfb820000000p-4,
                        0x1.c41b8c0000000p-4, -0x1.b4116a0000000p-4, 0x1.af581e0000000p-4,
                        -0x1.fc06e20000000p-5);
  Pair<V> small = fast_two_sum(f, -half_square.high);
  small.low = small.low + (tail - half_square.low);
  if constexpr (base != LogBase::E) {
    const V low = small.low * splat<V>(log.of_e_high) + small.high * splat<V>(log.of_e_low);
    small = two_product(small.high, splat<V>(log.of_e_high));
    small.low = small.low + low;
  }
  const Pair<V> sum = fast_two_sum(parts.exponent * splat<V>(log.of_two_high), small.high);
  V low = sum.low + small.low;
  if constexpr (base != LogBase::Two) low = low + parts.exponent * splat<V>(log.of_two_low);
  return sum.high + low;
}

template <LogBase base, class V>
HD V log_lanes(V x) {
  const V zero = float_constant<V>(0), infinity = float_constant<V>(__builtin_inf());
  V value;
  if constexpr (lane_bits<V> == 32)
    value = positive_log_f32<base>(x);
  else
    value = positive_log<base>(x);
  const V positive = select<V>(x < infinity, value, x);  // NaN stays
  const V nan = float_constant<V>(__builtin_nan(""));
  return select<V>(x <= zero, select<V>(x == zero, -infinity, nan), positive);
}

// The protected form: 0 where there is no logarithm. NaN stays.
template <class V>
HD V log_or_zero_lanes(V x) {
  const V zero = float_constant<V>(0);
  return select<V>(x <= zero, zero, log_lanes<LogBase::E>(x));
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
