// SPDX-License-Identifier: Apache-2.0
// a · b + c with one rounding, for machines without the instruction: exact at every input, branch-free, no libm.
//
// f32: the product is exact in f64. The sum is rounded to odd there, which makes the second rounding, to f32, harmless
//      (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd",
//      2008).
// f64: integer arithmetic on a 128-bit fixed-point register. Bits that fall out to the right are "jammed" into its
//      lowest bit: rounding to odd once more.
#pragma once
#include "lang/ops/lanes.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// A pair of lanes as one number of 128 bits.
template <class U>
struct Wide {
  U high, low;
};

template <class U>
HD Mask<U> less(Wide<U> a, Wide<U> b) {
  return (a.high < b.high) | ((a.high == b.high) & (a.low < b.low));
}
template <class U>
HD Wide<U> select_wide(Mask<U> mask, Wide<U> if_true, Wide<U> if_false) {
  return {select<U>(mask, if_true.high, if_false.high), select<U>(mask, if_true.low, if_false.low)};
}
template <class U>
HD Wide<U> add_wide(Wide<U> a, Wide<U> b) {
  const U low = a.low + b.low;
  return {a.high + b.high + select<U>(low < a.low, splat<U>(1), splat<U>(0)), low};
}
template <class U>
HD Wide<U> subtract_wide(Wide<U> a, Wide<U> b) {
  return {a.high - b.high - select<U>(a.low < b.low, splat<U>(1), splat<U>(0)), a.low - b.low};
}
// Shifts by 0 to 63 places; both shift amounts stay below the width.
template <class U>
HD Wide<U> shift_left_wide(Wide<U> x, U n) {
  return {(x.high << n) | ((x.low >> 1) >> (splat<U>(63) - n)), x.low << n};
}
template <class U>
HD Wide<U> shift_right_wide(Wide<U> x, U n) {
  return {x.high >> n, (x.low >> n) | ((x.high << 1) << (splat<U>(63) - n))};
}
// Shift right by n, at most 127, with the lost bits jammed into the lowest.
template <class U>
HD Wide<U> shift_right_jam(Wide<U> x, U n) {
  const Mask<U> far = n >= splat<U>(64);
  const Wide<U> near_part = select_wide<U>(far, {splat<U>(0), x.high}, x);
  const U rest = n & splat<U>(63);
  const Wide<U> shifted = shift_right_wide(near_part, rest);
  const U lost =
      select<U>(far, x.low, splat<U>(0)) | (near_part.low & ((splat<U>(1) << rest) - splat<U>(1)));
  return {shifted.high, shifted.low | select<U>(lost != splat<U>(0), splat<U>(1), splat<U>(0))};
}
// The product of two numbers below 2^53.
template <class U>
HD Wide<U> multiply_wide(U a, U b) {
  const U low_mask = splat<U>(0xFFFF'FFFFu);
  const U a0 = a & low_mask, a1 = a >> 32, b0 = b & low_mask, b1 = b >> 32;
  const U low = a0 * b0;
  const U middle = a0 * b1 + a1 * b0 + (low >> 32);
  return {a1 * b1 + (middle >> 32), (middle << 32) | (low & low_mask)};
}

// A finite value other than zero: mantissa in [2^52, 2^53), value = mantissa · 2^(exponent − 1075).
template <class U>
struct Unpacked {
  U mantissa;
  U exponent;  // two's complement
};
template <class V>
HD Unpacked<UnsignedLanes<V>> unpack(V x) {
  using U = UnsignedLanes<V>;
  const U magnitude = bits_as<U>(x) & splat<U>(~u64{0} >> 1);
  const Mask<U> subnormal = magnitude < splat<U>(u64{1} << 52);
  // 2^54 makes every subnormal a normal number, exactly.
  const U scaled = bits_as<U>(static_cast<V>(bits_as<V>(magnitude) * splat<V>(0x1p54)));
  const U bits = select<U>(subnormal, scaled, magnitude);
  return {(bits & splat<U>((u64{1} << 52) - 1)) | splat<U>(u64{1} << 52),
          (bits >> 52) - select<U>(subnormal, splat<U>(54), splat<U>(0))};
}

// Finite operands other than zero.
template <class V>
HD V fma_of_finite(V a, V b, V c) {
  using U = UnsignedLanes<V>;
  using I = SignedLanes<V>;
  const U zero = splat<U>(0);
  const Unpacked<U> ua = unpack(a), ub = unpack(b), uc = unpack(c);
  const U sign_bit = splat<U>(u64{1} << 63);
  const U product_sign = (bits_as<U>(a) ^ bits_as<U>(b)) & sign_bit;
  const U sum_sign = bits_as<U>(c) & sign_bit;

  // Both terms in the register, with their leading bit at 124 or 125 (product) and 125 (c): value = register · 2^(e −
  // 1128). The product m · 2^(ea + eb − 2150), m < 2^106, is shifted left by 20, and c by 73.
  Wide<U> product = shift_left_wide(multiply_wide(ua.mantissa, ub.mantissa), splat<U>(20));
  const U product_exponent = ua.exponent + ub.exponent - splat<U>(1042);
  Wide<U> addend = {uc.mantissa << 9, zero};
  const U addend_exponent = uc.exponent - splat<U>(20);

  // Align to the larger exponent. A shift beyond 127 leaves only a jammed bit.
  const I distance = bits_as<I>(product_exponent - addend_exponent);
  const Mask<U> product_leads = distance >= splat<I>(0);
  const U apart =
      bits_as<U>(select<I>(product_leads, distance, bits_as<I>(zero - bits_as<U>(distance))));
  const U shift = select<U>(apart < splat<U>(127), apart, splat<U>(127));
  product = select_wide<U>(product_leads, product, shift_right_jam(product, shift));
  addend = select_wide<U>(product_leads, shift_right_jam(addend, shift), addend);
  U exponent = select<U>(product_leads, product_exponent, addend_exponent);

  const Mask<U> opposite = product_sign != sum_sign;
  const Mask<U> addend_larger = less(product, addend);
  const Wide<U> difference =
      select_wide<U>(addend_larger, subtract_wide(addend, product), subtract_wide(product, addend));
  Wide<U> sum = select_wide<U>(opposite, difference, add_wide(product, addend));
  const U sign = select<U>(opposite & addend_larger, sum_sign, product_sign);
  const Mask<U> is_zero = (sum.high | sum.low) == zero;

  // Leading bit to 127: by 64, 32, … 1 places where the top allows it.
  const Mask<U> high_empty = sum.high == zero;
  sum = select_wide<U>(high_empty, {sum.low, zero}, sum);
  exponent = exponent - select<U>(high_empty, splat<U>(64), zero);
  for (u32 places = 32; places != 0; places >>= 1) {
    const Mask<U> empty = (sum.high >> (64 - places)) == zero;
    sum = select_wide<U>(empty, shift_left_wide(sum, splat<U>(places)), sum);
    exponent = exponent - select<U>(empty, splat<U>(places), zero);
  }
  U top = sum.high | select<U>(sum.low != zero, splat<U>(1), zero);

  // value = top · 2^(exponent − 1064). Its biased exponent is `biased`; below 1 the result is subnormal.
  const I biased = bits_as<I>(exponent + splat<U>(22));
  const I too_small = splat<I>(1) - biased;
  const Mask<U> subnormal = too_small > splat<I>(0);
  const U down = bits_as<U>(select<I>(too_small < splat<I>(63), too_small, splat<I>(63)));
  const U denormal_shift = select<U>(subnormal, down, zero);
  const U lost = top & ((splat<U>(1) << denormal_shift) - splat<U>(1));
  top = (top >> denormal_shift) | select<U>(lost != zero, splat<U>(1), zero);

  // Keep 53 bits, round to nearest even; the carry runs into the exponent, up to infinity.
  const U kept = top >> 11;
  const U rest = top & splat<U>(0x7FF);
  const Mask<U> up =
      (rest > splat<U>(0x400)) | ((rest == splat<U>(0x400)) & ((kept & splat<U>(1)) != zero));
  const U field = select<U>(subnormal, zero, (bits_as<U>(biased) - splat<U>(1)) << 52);
  const U rounded = field + kept + select<U>(up, splat<U>(1), zero);
  const U infinity = splat<U>(u64{0x7FF} << 52);
  const Mask<U> overflow = (biased > splat<I>(2046)) | (rounded > infinity);
  const U magnitude = select<U>(overflow, infinity, rounded);
  return bits_as<V>(select<U>(is_zero, zero, magnitude | sign));
}

template <class V>
HD Mask<V> is_finite_lanes(V x) {
  const V infinity = splat<V>(static_cast<Element<V>>(__builtin_inf()));
  return (x < infinity) & (x > -infinity);
}

template <class V>
HD V soft_fma_double(V a, V b, V c) {
  const Mask<V> factors_finite = is_finite_lanes(a) & is_finite_lanes(b);
  const Mask<V> c_finite = is_finite_lanes(c);
  const V product = a * b;
  const V zero = splat<V>(0.0);
  // If the product is exact (a zero, infinity or NaN) or nothing is added, the plain operations round once.
  const V plain =
      select<V>(c == zero, select<V>((a == zero) | (b == zero), product + c, product), product + c);
  const Mask<V> is_plain = (!factors_finite) | (a == zero) | (b == zero) | (c == zero);
  const V sum = select<V>(is_plain, plain, fma_of_finite(a, b, c));
  return select<V>(factors_finite & (!c_finite), c, sum);
}

// N lanes of f64; the sum rounded to odd.
template <class V>
HD V add_to_odd(V a, V b) {
  using U = UnsignedLanes<V>;
  const V sum = a + b;
  const V b_part = sum - a;
  const V error = (a - (sum - b_part)) + (b - b_part);  // exact (Knuth's TwoSum)
  const U bits = bits_as<U>(sum);
  const Mask<V> away = ((error > splat<V>(0.0)) & (sum > splat<V>(0.0))) |
                       ((error < splat<V>(0.0)) & (sum < splat<V>(0.0)));
  const Mask<V> inexact = (error > splat<V>(0.0)) | (error < splat<V>(0.0));
  const U odd = select<U>(away, bits + splat<U>(1), bits - splat<U>(1));
  const Mask<U> adjust = inexact & ((bits & splat<U>(1)) == splat<U>(0));
  return bits_as<V>(select<U>(adjust, odd, bits));
}

template <class V>
HD V soft_fma(V a, V b, V c) {
  if constexpr (std::is_same_v<Element<V>, f32>) {
    using D = LanesAs<V, f64>;
    const D product = convert_lanes<D>(a) * convert_lanes<D>(b);
    return convert_lanes<V>(add_to_odd(product, convert_lanes<D>(c)));
  } else {
    return soft_fma_double(a, b, c);
  }
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
