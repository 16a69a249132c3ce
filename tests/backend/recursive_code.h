// SPDX-License-Identifier: Apache-2.0
// Programs that call themselves, each with one parameter `n` and one result, both i64.
#pragma once
#include "tests/vm/code_builder.h"

namespace komuz::test {

namespace recursive_code {
// n < 1 ? 0 : …, then what follows is the second arm.
inline void open_step(CodeBuilder& b) {
  b.load(0).i64_constant(1).op(Op::Lt, Scalar::I64).if_().i64_constant(0).else_(1);
}
inline void call_with_less(CodeBuilder& b, i64 less, u32 function) {
  b.load(0).i64_constant(less).op(Op::Sub, Scalar::I64);
  b.emit(Op::Call, Scalar::None, static_cast<u16>(function));
}
}  // namespace recursive_code

// f(n) = n < 1 ? 0 : n + f(n - 1)
inline Code count_down(u16 rec) {
  CodeBuilder b;
  b.function("f", {Scalar::I64}, {Scalar::I64}, rec);
  recursive_code::open_step(b);
  b.load(0);
  recursive_code::call_with_less(b, 1, 0);
  b.op(Op::Add, Scalar::I64).end_if().end_function();
  return b.code;
}

// f(n) = n < 1 ? 0 : 1 + f(n - 1) + f(n - 2), 14 calls deep at most
inline Code fibonacci() {
  CodeBuilder b;
  b.function("f", {Scalar::I64}, {Scalar::I64}, 14);
  recursive_code::open_step(b);
  b.i64_constant(1);
  recursive_code::call_with_less(b, 1, 0);
  recursive_code::call_with_less(b, 2, 0);
  b.op(Op::Add, Scalar::I64).op(Op::Add, Scalar::I64).end_if().end_function();
  return b.code;
}

// Two functions that call each other, with different frames.
inline Code even_and_odd() {
  CodeBuilder b;
  b.function("even", {Scalar::I64}, {Scalar::I64}, 60);
  recursive_code::open_step(b);
  b.load(0).load(0).op(Op::Mul, Scalar::I64);
  recursive_code::call_with_less(b, 1, 1);
  b.op(Op::Sub, Scalar::I64).end_if().end_function();
  b.function("odd", {Scalar::I64}, {Scalar::I64}, 60);
  recursive_code::open_step(b);
  recursive_code::call_with_less(b, 1, 0);
  b.load(0).i64_constant(3).op(Op::Mul, Scalar::I64).op(Op::Add, Scalar::I64);
  b.end_if().end_function();
  return b.code;
}

// Each frame has an array, whose cells it reads behind its call.
inline Code frames_with_areas() {
  CodeBuilder b;
  constexpr u32 kCells = 24;
  b.function("f", {Scalar::I64}, {Scalar::I64}, 50);
  const u16 xs = b.variables(Scalar::I64, kCells), got = b.variable(Scalar::I64);
  b.load(0).emit(Op::Repeat, Scalar::None, 1, kCells).store_slots(xs, kCells);
  b.i64_constant(7).load(0).i64_constant(7).op(Op::And, Scalar::I64).store_at(xs, kCells);
  recursive_code::open_step(b);
  recursive_code::call_with_less(b, 1, 0);
  b.end_if().store(got);
  b.load(0).i64_constant(15).op(Op::And, Scalar::I64).load_at(xs, kCells);
  b.load(got).op(Op::Add, Scalar::I64).load(xs).op(Op::Add, Scalar::I64).end_function();
  return b.code;
}

// f(n) = Σ f(n / 2 - k) for k = 0, 1, 2 and for n > 0, plus n: calls in a loop that goes on behind them
inline Code recursion_in_a_loop() {
  CodeBuilder b;
  b.function("f", {Scalar::I64}, {Scalar::I64}, 9);
  const u16 next = b.variables(Scalar::I64, 3), sum = b.variable(Scalar::I64);
  b.load(0).store(sum).i64_constant(0).store(next).i64_constant(3).store(u16(next + 1));
  b.loop().for_next(next).tick();
  b.load(0).i64_constant(1).op(Op::Lt, Scalar::I64).if_().break_().end_if();
  b.load(0).i64_constant(2).op(Op::Div, Scalar::I64).load(u16(next + 2));
  b.op(Op::Sub, Scalar::I64).emit(Op::Call, Scalar::None, 0);
  b.load(sum).op(Op::Add, Scalar::I64).store(sum).end_loop();
  b.load(sum).end_function();
  return b.code;
}

}  // namespace komuz::test
