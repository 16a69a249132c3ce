// SPDX-License-Identifier: Apache-2.0
// Losses of one number that need more than a line, on a scalar or on lanes (lang/ops/lanes.h): both give the same bits. A
// NaN stays a NaN.
#pragma once
#include "lang/ops/math/exp.h"
#include "lang/ops/math/log.h"

namespace komuz::engine {

inline namespace KOMUZ_ISA_NAMESPACE {

// ½ d² up to `delta`, and from there on the tangent (Huber, 1964).
HD f64 huber_loss(f64 distance, f64 delta) {
  return distance <= delta ? distance * (distance * 0.5) : delta * (distance - delta * 0.5);
}

// max(0, 1 − margin)
HD f64 hinge_loss(f64 margin) { return margin >= 1 ? 0.0 : 1 - margin; }

// ln(1 + t) for t from 0 to 1. What 1 + t loses in rounding is added again: near 1 the slope of ln is 1 / (1 + t).
template <class V>
HD V log_of_one_and(V t) {
  const V one = splat<V>(1.0), sum = one + t;
  return log_lanes<LogBase::E>(sum) + (t - (sum - one)) / sum;
}

// ln cosh x for x >= 0, which neither overflows nor cancels:
//   small x   ln(1 + s), where s = cosh x − 1 = g² / (2 (1 + g)), g = e^x − 1
//   others    (x − ln 2) + ln(1 + e^(−2x))
template <class V>
HD V log_cosh_lanes(V x) {
  constexpr f64 kHalfLn2 = 0x1.62e42fefa39efp-2;
  const Mask<V> is_small = x <= splat<V>(kHalfLn2);
  const V zero = splat<V>(0.0);
  const Pair<V> less_one = exp_less_one(Pair<V>{select<V>(is_small, x, zero), zero});
  const V g = less_one.high + less_one.low;
  const V near = g * g / (splat<V>(2.0) * (splat<V>(1.0) + g));
  const V log = log_of_one_and(select<V>(is_small, near, exp_lanes(splat<V>(-2.0) * x)));
  return select<V>(is_small, log, (x - splat<V>(2 * kHalfLn2)) + log);
}

// ln(1 + e^−m) = max(0, −m) + ln(1 + e^−|m|), which does not overflow.
template <class V>
HD V logistic_loss_lanes(V margin) {
  const V zero = splat<V>(0.0);
  const Mask<V> is_wrong = margin < zero;
  return select<V>(is_wrong, -margin, zero) +
         log_of_one_and(exp_lanes(select<V>(is_wrong, margin, -margin)));
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::engine
