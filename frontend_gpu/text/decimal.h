// SPDX-License-Identifier: Apache-2.0
// Converts decimal text to the nearest float, ties to even, for every length and exponent, on every machine. It
// calls no library function, so all groups share one definition.
//
// The first 19 digits times a power of ten are computed in 128 bits, rounded down, with a bound on the error. This
// follows Clinger (1990) and Lemire ("Number parsing at a gigabyte per second", 2021), but with a table of 27
// powers and one more multiplication instead of a table of 651. Where the error could change the rounding, or there
// are more digits, the text is compared in exact big integers with the middle of the two floats around it.
#pragma once
#include <bit>

#include "base/hash.h"

namespace komuz::frontend {

// Significands have p bits. The smallest normal number is 2^min_exponent; the largest is below 2^(max_exponent +
// 1).
template <class F>
struct FloatFormat;
template <>
struct FloatFormat<f64> {
  static constexpr i32 kBits = 53, kMinExponent = -1022, kMaxExponent = 1023;
};
template <>
struct FloatFormat<f32> {
  static constexpr i32 kBits = 24, kMinExponent = -126, kMaxExponent = 127;
};

// The value of digits: `first` · 10^exponent. `first` holds at most 19 significant digits; if there are more,
// `is_cut` is set. `last` is the exponent of the last significant digit.
struct Decimal {
  static constexpr u32 kFirst = 19;
  u64 first = 0;
  i32 exponent = 0, last = 0;
  bool is_cut = false;
};

// Reads digits with `_`, one `.` and an exponent, as the lexer lets them through. They have been checked to be
// correct.
HD Decimal read_decimal(const u8* p, u32 length) {
  Decimal d;
  u32 significant = 0, k = 0;
  bool dot = false;
  for (; k < length && (p[k] | 32) != 'e'; ++k) {
    if (p[k] == '.') dot = true;
    if (p[k] == '.' || p[k] == '_') continue;
    significant += significant != 0 || p[k] != '0';
    d.last -= dot;
    if (significant <= Decimal::kFirst) {
      d.first = d.first * 10 + (p[k] - '0');
      d.exponent -= dot;
    } else {
      d.exponent += !dot;
      d.is_cut = d.is_cut || p[k] != '0';
    }
  }
  i32 scale = 0;
  const bool minus = k + 1 < length && p[k + 1] == '-';
  for (++k; k < length; ++k)
    if (p[k] >= '0' && p[k] <= '9' && scale < 100'000) scale = scale * 10 + (p[k] - '0');
  d.exponent += minus ? -scale : scale;
  d.last += minus ? -scale : scale;
  return d;
}

// significand · 2^exponent. The highest bit of the significand is set.
struct WideFloat {
  u64 high = 0, low = 0;
  i32 exponent = 0;
};
HD WideFloat multiply_down(const WideFloat& a, u64 factor) {
  const i32 shift = std::countl_zero(factor);
  const WideProduct upper = multiply_wide(a.high, factor << shift);
  const WideProduct lower = multiply_wide(a.low, factor << shift);
  WideFloat r{upper.high, upper.low + lower.high, a.exponent + 64 - shift};
  r.high += r.low < lower.high;
  if (r.high >> 63 == 0) {
    r.high = r.high << 1 | r.low >> 63;
    r.low = r.low << 1 | lower.low >> 63;
    --r.exponent;
  }
  return r;
}

struct PowerOfFive {
  u64 high, low;
  i32 exponent;
};
HD_TABLE PowerOfFive kPowersOfFive[] = {
#define POWER(q, high, low, exponent) {high##u, low##u, exponent},
#include "frontend_gpu/text/powers_of_five.def"
};
inline constexpr i32 kPowerStep = 27, kLowestPower = -14 * kPowerStep;

HD u64 small_power_of_five(u32 q) {
  u64 power = 1;
  for (; q != 0; --q) power *= 5;
  return power;
}

// digits · 10^exponent, too small by at most kWideError units of `low`. Exponents go from -350 to 310.
inline constexpr u64 kWideError = 16;
HD WideFloat scaled_down(u64 digits, i32 exponent) {
  const u32 from_lowest = static_cast<u32>(exponent - kLowestPower);
  const PowerOfFive& power = kPowersOfFive[from_lowest / kPowerStep];
  WideFloat r{power.high, power.low, power.exponent + exponent};
  r = multiply_down(r, small_power_of_five(from_lowest % kPowerStep));
  return multiply_down(r, digits);
}

// A natural number of up to kWords · 32 bits, the lowest word first. That is enough for kMaxFloatDigits digits
// beside the smallest f64, and for the largest f64.
inline constexpr u32 kMaxFloatDigits = 512;
struct BigNatural {
  static constexpr u32 kWords = 96;
  u32 words[kWords];
  u32 size = 0;  // the highest word is not 0

  HD void multiply_add(u32 factor, u32 addend) {
    u64 carry = addend;
    for (u32 k = 0; k < size; ++k) {
      carry += u64{words[k]} * factor;
      words[k] = static_cast<u32>(carry);
      carry >>= 32;
    }
    if (carry != 0) words[size++] = static_cast<u32>(carry);
  }
  HD void multiply_by_power_of_five(u32 q) {
    for (; q >= 13; q -= 13) multiply_add(1'220'703'125, 0);
    for (; q != 0; --q) multiply_add(5, 0);
  }
  HD void shift_left(u32 bits) {
    const u32 whole = bits / 32, part = bits % 32;
    multiply_add(1u << part, 0);
    if (size == 0 || whole == 0) return;
    for (u32 k = size; k-- > 0;) words[k + whole] = words[k];
    for (u32 k = 0; k < whole; ++k) words[k] = 0;
    size += whole;
  }
};
// Compares two numbers: -1, 0, 1.
HD i32 compare(const BigNatural& a, const BigNatural& b) {
  if (a.size != b.size) return a.size < b.size ? -1 : 1;
  for (u32 k = a.size; k-- > 0;)
    if (a.words[k] != b.words[k]) return a.words[k] < b.words[k] ? -1 : 1;
  return 0;
}

// Compares the text with odd · 2^exponent exactly: -1, 0, 1.
HD_COLD i32 compare_decimal(const u8* p, u32 length, i32 last, u64 odd, i32 exponent) {
  BigNatural text, middle;
  for (u32 k = 0; k < length && (p[k] | 32) != 'e'; ++k)
    if (p[k] != '.' && p[k] != '_' && (text.size != 0 || p[k] != '0'))
      text.multiply_add(10, static_cast<u32>(p[k] - '0'));
  middle.multiply_add(0, static_cast<u32>(odd >> 32));
  middle.multiply_add(1u << 31, 0);
  middle.multiply_add(2, static_cast<u32>(odd));
  const bool scales_text = last >= 0;
  (scales_text ? text : middle)
      .multiply_by_power_of_five(static_cast<u32>(scales_text ? last : -last));
  const i32 twos = last - exponent;  // powers of two in the text
  (twos >= 0 ? text : middle).shift_left(static_cast<u32>(twos >= 0 ? twos : -twos));
  return compare(text, middle);
}

struct NearestFloat {
  u64 bits = 0;
  bool is_in_range = true;  // false: no zero, but it rounds to zero or to infinity
};

// The nearest F of the decimal at p, which has at most kMaxFloatDigits digits.
template <class F>
HD NearestFloat nearest_float(const Decimal& d, const u8* p, u32 length) {
  using Format = FloatFormat<F>;
  if (d.first == 0) return {};
  if (d.exponent > 310 || d.exponent < -350) return {0, false};
  const WideFloat wide = scaled_down(d.first, d.exponent);
  const i32 exponent = wide.exponent + 127;  // of the highest bit
  if (exponent > Format::kMaxExponent) return {0, false};
  const i32 below = Format::kMinExponent - exponent;  // bits that a subnormal number lacks
  const i32 kept = Format::kBits - (below > 0 ? below : 0);
  if (kept < -1) return {0, false};  // -1: what seems to be below half of the smallest number
  const u32 shift = static_cast<u32>(kept > 0 ? kept : 0);
  const u64 significand = shift == 0 ? 0 : wide.high >> (64 - shift);
  // The bits that are dropped, from the highest on, and what may be missing in them.
  const u64 rest_high = shift == 0 ? wide.high : wide.high << shift | wide.low >> (64 - shift);
  const u64 rest_low = wide.low << shift;
  const u64 error = kWideError << shift;
  constexpr u64 kHalf = 1ull << 63;
  const bool is_certain =
      kept >= 0 && !d.is_cut &&
      (rest_high > kHalf || (rest_high == kHalf && rest_low > error) || rest_high < kHalf - 1 ||
       (rest_high == kHalf - 1 && rest_low < 0 - 2 * error));
  bool up = kept >= 0 && rest_high >= kHalf;
  if (!is_certain) {
    const i32 order = compare_decimal(p, length, d.last, significand * 2 + 1, exponent - kept);
    up = order > 0 || (order == 0 && (significand & 1) != 0);
  }
  // A carry out of the significand makes the exponent one larger, which is correct.
  const u64 biased = below > 0 ? 0 : static_cast<u64>(exponent - Format::kMinExponent);
  const u64 bits = (biased << (Format::kBits - 1)) + significand + up;
  const u64 infinity = static_cast<u64>(2 * Format::kMaxExponent + 1) << (Format::kBits - 1);
  return {bits, bits != 0 && bits < infinity};
}

}  // namespace komuz::frontend
