// SPDX-License-Identifier: Apache-2.0
// Loops whose iterations are shared among lanes when there are few cases (vm/lane_elements.h), as bytecode, for tests
// and benchmarks.
#pragma once
#include <limits>

#include "tests/vm/code_builder.h"

namespace komuz::test {

// A function of n, and of m, which its loop over 0..n does not change. It returns `made`.
//
//   NumberLoop l;             // variables before the loop: l.starting_at(…), or by l.b
//   l.open();
//   …                         // the body of an iteration
//   const Code code = l.end();
struct NumberLoop {
  static constexpr Scalar I = Scalar::I64;
  CodeBuilder b;
  u16 counter, variable, made;

  explicit NumberLoop(i64 start = 5) {
    b.function("f", {I, I}, {I});
    counter = b.variables(I, 3);
    variable = static_cast<u16>(counter + 2);
    made = starting_at(start);
  }
  u16 starting_at(i64 value) {
    const u16 slot = b.variable(I);
    b.i64_constant(value).store(slot);
    return slot;
  }
  void open() {
    b.i64_constant(0).store(counter).load(0).store(static_cast<u16>(counter + 1));
    b.loop().for_next(counter).tick();
  }
  // Pushes (i · i + m) mod 97.
  void push_value() {
    b.load(variable).load(variable).op(Op::Mul).load(1).op(Op::Add).i64_constant(97).op(Op::Rem);
  }
  // `made` becomes `op` of itself and the value on the stack.
  void fold(Op op) { b.load(made).op(op).store(made); }
  // Continues with the next iteration if the number is not `wanted` modulo 3.
  void skip_unless(i64 wanted) {
    b.load(variable).i64_constant(3).op(Op::Rem).i64_constant(wanted).op(Op::Ne);
    b.if_().continue_(0).end_if();
  }
  Code end() {
    b.end_loop().load(made).end_function();
    return b.code;
  }
};

inline Code sum_of_elements() {
  NumberLoop l;
  l.open();
  l.push_value();
  l.fold(Op::Add);
  return l.end();
}

// A chain of `map`, `filter` and `sum`.
inline Code sum_of_some_elements() {
  NumberLoop l;
  l.open();
  l.skip_unless(2);
  l.push_value();
  l.fold(Op::Add);
  return l.end();
}

inline Code count_of_elements() {
  NumberLoop l;
  l.open();
  l.push_value();
  l.b.i64_constant(40).op(Op::Lt).if_();
  l.b.load(l.made).i64_constant(2).op(Op::Add).store(l.made).end_if();
  return l.end();
}

// The step of `argmin` for the value on the stack.
inline void note_smallest(CodeBuilder& b, Scalar type, u16 smallest, u16 count, u16 place) {
  b.load(count).i64_constant(1).op(Op::AddWrap).store(count);
  b.load(smallest).op(Op::Min, type).copy(type, 0).load(smallest).op(Op::Cmp, type);
  b.i64_constant(0).op(Op::Ne).if_().load(count).store(place).end_if().store(smallest);
}

inline Code argmin_of_elements() {
  NumberLoop l(50);
  const u16 count = l.starting_at(-1), place = l.starting_at(-1);
  l.open();
  l.push_value();
  note_smallest(l.b, Scalar::I64, l.made, count, place);
  l.b.end_loop().load(place).i64_constant(1000).op(Op::MulWrap).load(count).op(Op::AddWrap);
  l.b.load(l.made).op(Op::Xor).end_function();
  return l.b.code;
}

// Each item goes to the one of 64 bins in which it leaves the least room. A bin that is nearly full is replaced by
// one that is nearly empty.
inline Code best_fit() {
  constexpr Scalar I = Scalar::I64, F = Scalar::F64;
  constexpr u32 kBins = 64;
  constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
  NumberLoop items(0);
  CodeBuilder& b = items.b;
  const u16 bins = b.variables(F, kBins), counter = b.variables(I, 3);
  const u16 count = b.variable(I), place = b.variable(I);
  const u16 item = b.variable(F), room = b.variable(F), smallest = b.variable(F);
  b.f64_constant(100).repeat(1, kBins).store_slots(bins, kBins);
  items.open();
  b.load(items.variable).i64_constant(23).op(Op::Rem).op(Op::Convert, F, I).store(item);
  b.f64_constant(kInfinity).store(smallest).i64_constant(-1).store(count).i64_constant(0);
  b.store(place).i64_constant(0).store(counter).i64_constant(kBins);
  b.store(static_cast<u16>(counter + 1)).loop().for_next(counter).tick();
  b.load(static_cast<u16>(counter + 2)).load_at(bins, kBins).store(room);
  b.load(room).load(item).op(Op::Ge, F).if_();
  b.load(room).load(item).op(Op::Sub, F).f64_constant(1).load(room).op(Op::Add, F).op(Op::Div, F);
  b.else_(1).f64_constant(kInfinity).end_if();
  note_smallest(b, F, smallest, count, place);
  b.end_loop().f64_constant(101).load(place).load_at(bins, kBins).load(item).op(Op::Sub, F);
  b.op(Op::Sub, F).load(place).store_at(bins, kBins);
  b.load(items.made).load(place).op(Op::AddWrap).store(items.made);
  return items.end();
}

}  // namespace komuz::test
