// SPDX-License-Identifier: Apache-2.0
// Programs that more than one test or benchmark of the machines runs, as bytecode.
#pragma once
#include <optional>

#include "tests/vm/code_builder.h"

namespace komuz::test {

// fn collatz(n) { var steps = 0; while n != 1 limit l { … ; steps += 1 } steps }. Without a given limit, the limit is
// a second parameter.
inline Code collatz(std::optional<i64> limit = {}) {
  constexpr Scalar I = Scalar::I64;
  CodeBuilder b;
  b.function("collatz", limit ? std::vector{I} : std::vector{I, I}, {I});
  const u16 left = b.variable(I), steps = b.variable(I);
  if (limit)
    b.i64_constant(*limit);
  else
    b.load(1);
  b.store(left).i64_constant(0).store(steps);
  b.loop();
  b.load(0).i64_constant(1).op(Op::Ne).break_if_false();
  b.emit(Op::Limit, Scalar::None, left).tick();
  b.load(0).i64_constant(2).op(Op::Rem).i64_constant(0).op(Op::Eq).if_();
  b.load(0).i64_constant(2).op(Op::Div);
  b.else_(1);
  b.load(0).i64_constant(3).op(Op::Mul).i64_constant(1).op(Op::Add);
  b.end_if().store(0);
  b.load(steps).i64_constant(1).op(Op::Add).store(steps);
  b.end_loop();
  b.load(steps).end_function();
  return b.code;
}

// Euclid's algorithm, recursive, as function 0.
inline CodeBuilder gcd(u16 rec) {
  constexpr Scalar I = Scalar::I64;
  CodeBuilder b;
  b.function("gcd", {I, I}, {I}, rec);
  b.load(1).i64_constant(0).op(Op::Eq).if_().load(0).else_(1);
  b.load(1).load(0).load(1).op(Op::Rem).call(0).end_if().end_function();
  return b;
}

}  // namespace komuz::test
