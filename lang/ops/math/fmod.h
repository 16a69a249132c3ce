// SPDX-License-Identifier: Apache-2.0
// fmod: x − n · y with n = x / y towards zero, exactly, by long division of the mantissas. A step shifts in as many
// bits as 64 bits leave room for. Lanes go on together until the last one has no bits left.
#pragma once
#include "lang/ops/lanes_divide.h"
#include "lang/ops/math/exponents.h"
#include "lang/ops/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
HD V fmod_lanes(V x, V y) {
  using U = UnsignedLanes<V>;
  using I = SignedLanes<V>;
  const V size = magnitude(x), divisor = magnitude(y);
  const V infinity = splat<V>(static_cast<f64>(__builtin_inf()));
  const Mask<V> divides = (size >= divisor) & (size < infinity) & (divisor > splat<V>(0.0));
  const Unpacked<U> a = unpack(size), b = unpack(divisor);
  I places = select<I>(divides, bits_as<I>(a.exponent - b.exponent), splat<I>(0));
  U rest = select<U>(a.mantissa >= b.mantissa, a.mantissa - b.mantissa, a.mantissa);
  while_any([&] { return places > splat<I>(0); },
            [&] {
              const I step = select<I>(places < splat<I>(11), places, splat<I>(11));
              const U shifted = rest << bits_as<U>(step);
              rest = shifted - divide_lanes(shifted, b.mantissa) * b.mantissa;
              places = places - step;
            },
            rest, places);
  // The rest is below 2^53, and a multiple of the smallest number: nothing is rounded.
  const V exponent = convert_lanes<V>(bits_as<I>(b.exponent)) - splat<V>(1075.0);
  const V value = copy_sign(scale(convert_lanes<V>(rest), exponent), x);
  const Mask<V> has_rest = (size < infinity) & (divisor > splat<V>(0.0));  // and y is a number
  const V finite = select<V>(divides, value, x);
  return select<V>(has_rest, finite, splat<V>(static_cast<f64>(__builtin_nan(""))));
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
