// SPDX-License-Identifier: Apache-2.0
// The largest errors of a mathematical function on seeded samples: all exponents, the relevant arguments, and the
// neighbourhoods of special points. For the tests and, with more samples, for bench/math_errors.cpp.
#pragma once
#include "lang/types.h"
#include "tests/vm/exact_functions.h"

namespace komuz::test {

struct LargestError {
  f64 units = 0;
  f64 x = 0, y = 0;

  void add(f64 error, f64 at_x, f64 at_y) {
    if (error > units) *this = {error, at_x, at_y};
  }
};
// In units of the last place (ExactFunction::error); subnormal results count separately.
struct FunctionErrors {
  LargestError normal, subnormal;
};

[[nodiscard]] FunctionErrors measure_errors(Op op, Scalar type, u64 samples, u64 seed);

}  // namespace komuz::test
