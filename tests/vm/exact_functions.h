// SPDX-License-Identifier: Apache-2.0
// The mathematical functions of ops.def in 180 bits (MPFR), for measuring errors.
#pragma once
#include <mpfr.h>

#include <string_view>
#include <vector>

#include "lang/ops.h"

namespace komuz::test {

// The functions with an exact counterpart; Op::Pow is one of them.
[[nodiscard]] std::vector<Op> exact_functions();
[[nodiscard]] std::string_view function_name(Op op);

// One function, and memory for its values. Not for several threads at once.
class ExactFunction {
 public:
  explicit ExactFunction(Op op);
  ~ExactFunction();
  ExactFunction(const ExactFunction&) = delete;
  ExactFunction& operator=(const ExactFunction&) = delete;

  // The distance of `value` from op(x) or op(x, y), in units of the last place of the exact value: the spacing of
  // floats in its binade, or the smallest number for subnormal ones. 0 if an infinity, a NaN or an exact zero is
  // matched, and infinite if one is missed.
  [[nodiscard]] f64 error(f32 x, f32 y, f32 value);
  [[nodiscard]] f64 error(f64 x, f64 y, f64 value);

 private:
  void compute(f64 x, f64 y);
  [[nodiscard]] f64 distance(f64 value, long digits, long lowest, long highest);

  Op op_;
  mpfr_t x_, y_, exact_, off_;
};

}  // namespace komuz::test
