// SPDX-License-Identifier: Apache-2.0
// The exponential of all kernels, for vectors and for a number of a device's thread.
#pragma once
#include "lang/ops/lanes_x86.h"

namespace komuz::neural {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class Lanes>
HD Lanes larger(Lanes a, Lanes b) {
  return a > b ? a : b;
}

// e^x for x of at most 0; zero below -87, where it would be no normal number. x = n ln 2 + r with |r| < 0.35, and
// e^r = 1 + r + r² p(r) (coefficients of S. Moshier's Cephes). Off by less than 2e-7 of it.
template <class Lanes>
HD Lanes exponential(Lanes x) {
  using I = SignedLanes<Lanes>;
  const Lanes least = splat<Lanes>(-87.0f);
  const Lanes y = larger(x, least);
  // The sum has n in its lowest bits, and is exact.
  const Lanes shifted = fma_lanes(y, splat<Lanes>(0x1.715476p+0f), splat<Lanes>(0x1.8p23f));
  const Lanes n = shifted - splat<Lanes>(0x1.8p23f);
  Lanes r = fma_lanes(n, splat<Lanes>(-0x1.62e4p-1f), y);
  r = fma_lanes(n, splat<Lanes>(-0x1.7f7d1cp-20f), r);
  Lanes p = splat<Lanes>(1.9875691500e-4f);
  p = fma_lanes(p, r, splat<Lanes>(1.3981999507e-3f));
  p = fma_lanes(p, r, splat<Lanes>(8.3334519073e-3f));
  p = fma_lanes(p, r, splat<Lanes>(4.1665795894e-2f));
  p = fma_lanes(p, r, splat<Lanes>(1.6666665459e-1f));
  p = fma_lanes(p, r, splat<Lanes>(5.0000001201e-1f));
  p = fma_lanes(p, r * r, r) + splat<Lanes>(1.0f);
  const I scaled = bits_as<I>(p) + (bits_as<I>(shifted) << 23);
  return x < least ? Lanes{} : bits_as<Lanes>(scaled);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::neural
