// SPDX-License-Identifier: Apache-2.0
// The mathematical functions of ops.def: the kernel for each operation. Kernels work on lanes of f64 and on lanes of
// f32, with polynomials of fewer terms. Only fmod, which is exact, takes f32 as lanes of f64.
//
// A kernel is + − · / √, comparisons and operations on bits in a fixed order, for scalars, vectors and devices alike.
// Kernels have no traps. Special cases are those of C99 (annex F). Errors: docs/measurements.md.
#pragma once
#include "lang/ops.h"
#include "lang/ops/math/arcs.h"
#include "lang/ops/math/erf.h"
#include "lang/ops/math/exp.h"
#include "lang/ops/math/fmod.h"
#include "lang/ops/math/hyperbolic.h"
#include "lang/ops/math/log.h"
#include "lang/ops/math/pow.h"
#include "lang/ops/math/roots.h"
#include "lang/ops/math/trigonometry.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <Op op, class D>
HD D function_lanes(D x) {
  if constexpr (op == Op::Exp) {
    return exp_lanes(x);
  } else if constexpr (op == Op::Exp2) {
    return exp2_lanes(x);
  } else if constexpr (op == Op::Log) {
    return log_lanes<LogBase::E>(x);
  } else if constexpr (op == Op::Log2) {
    return log_lanes<LogBase::Two>(x);
  } else if constexpr (op == Op::Log10) {
    return log_lanes<LogBase::Ten>(x);
  } else if constexpr (op == Op::Log0) {
    return log_or_zero_lanes(x);
  } else if constexpr (op == Op::Sin) {
    return sin_lanes(x);
  } else if constexpr (op == Op::Cos) {
    return cos_lanes(x);
  } else if constexpr (op == Op::Tan) {
    return tan_lanes(x);
  } else if constexpr (op == Op::Asin) {
    return asin_lanes(x);
  } else if constexpr (op == Op::Acos) {
    return acos_lanes(x);
  } else if constexpr (op == Op::Atan) {
    return atan_lanes(x);
  } else if constexpr (op == Op::Sinh) {
    return sinh_lanes(x);
  } else if constexpr (op == Op::Cosh) {
    return cosh_lanes(x);
  } else if constexpr (op == Op::Tanh) {
    return tanh_lanes(x);
  } else if constexpr (op == Op::Cbrt) {
    return cbrt_lanes(x);
  } else {
    static_assert(op == Op::Erf, "no function of one argument");
    return erf_lanes(x);
  }
}
template <Op op, class D>
HD D function_lanes(D x, D y) {
  if constexpr (op == Op::Pow) {
    return power_lanes(x, y);
  } else if constexpr (op == Op::Atan2) {
    return atan2_lanes(x, y);
  } else if constexpr (op == Op::Hypot) {
    return hypot_lanes(x, y);
  } else {
    static_assert(op == Op::Fmod, "no function of two arguments");
    return fmod_lanes(x, y);
  }
}

// The kernel's lanes for operands of type T.
template <Op op, class T>
using KernelElement = std::conditional_t<op == Op::Fmod, f64, T>;

// f(x…) for the operation f on floats.
template <Op op, class V, class... Rest>
HD Evaluated<V> evaluate_function(V x, Rest... rest) {
  using Lane = KernelElement<op, Element<V>>;
  const auto kernel = [](auto first, auto... others) {
    using W = decltype(first);
    using D = LanesAs<W, Lane>;
    return convert_lanes<W>(
        function_lanes<op>(convert_lanes<D>(first), convert_lanes<D>(others)...));
  };
  return {by_registers<Lane>(
      [kernel](auto... operands) { return out_of_line(kernel, operands...); }, x, rest...)};
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
