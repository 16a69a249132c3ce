// SPDX-License-Identifier: Apache-2.0
// Programs, as bytecode, that the benchmarks of the machines run: expressions, and loops that diverge.
#pragma once
#include "base/random.h"
#include "tests/vm/sample_programs.h"

namespace komuz::test {

// Random trees of 15 operators over three variables and constants.
class Expressions {
 public:
  Expressions(Scalar type, std::vector<Op> operators)
      : type_(type), operators_(std::move(operators)) {}

  u64 nodes = 0;  // of the last expression

  Code make(bool compares) {
    CodeBuilder b;
    b.function("f", {type_, type_, type_}, {compares ? Scalar::Bool : type_});
    nodes = 0;
    if (compares) {
      tree(b, 7);
      tree(b, 7);
      b.op(Op::Lt, type_);
      ++nodes;
    } else {
      tree(b, 15);
    }
    b.end_function();
    return b.code;
  }

 private:
  void tree(CodeBuilder& b, u32 operators) {
    ++nodes;
    if (operators == 0) {
      if (random_.below(5) != 0)
        b.load(u16(random_.below(3)));
      else
        b.constant(type_, type_ == Scalar::F32   ? cell_f32(1.5f)
                          : type_ == Scalar::F64 ? cell_f64(1.5)
                                                 : 3);
      return;
    }
    // Integers are divided only by variables and constants, which are not 0. So no lane traps.
    const bool divides = type_ == Scalar::I64 && operators_[0] == Op::Div;
    const u32 left = divides ? operators - 1 : random_.below(operators);
    tree(b, left);
    tree(b, operators - 1 - left);
    b.op(operators_[random_.below(u32(operators_.size()))], type_);
  }

  Scalar type_;
  std::vector<Op> operators_;
  Random random_{17};
};

// Arguments for three parameters of the type: small numbers, none of them 0.
inline std::vector<std::vector<u64>> arguments(Scalar type, u32 cases) {
  Random random(3);
  std::vector<std::vector<u64>> rows(3, std::vector<u64>(cases));
  for (auto& row : rows)
    for (u64& cell : row) {
      const u32 x = 1 + random.below(9);
      cell = type == Scalar::F32   ? cell_f32(f32(x) / 4)
             : type == Scalar::F64 ? cell_f64(x / 4.0)
                                   : x;
    }
  return rows;
}

// A loop that runs n times. Half of the lanes take the arm, and each iteration has others. It sums the squares of
// even numbers, or counts the odd ones.
inline Code divergent_sum(bool squares) {
  constexpr Scalar I = Scalar::I64;
  CodeBuilder b;
  b.function("sum", {I, I}, {I});
  const u16 sum = b.variable(I), next = b.variable(I), bound = b.variable(I), k = b.variable(I);
  b.i64_constant(0).store(sum).load(1).store(next);
  b.load(1).load(0).op(Op::Add).store(bound);
  b.loop().for_next(next).tick();
  b.load(k).i64_constant(2).op(Op::Rem).i64_constant(squares ? 0 : 1).op(Op::Eq).if_();
  b.load(sum);
  if (squares)
    b.load(k).load(k).op(Op::Mul);
  else
    b.i64_constant(1);
  b.op(Op::Add).store(sum).end_if().end_loop();
  b.load(sum).end_function();
  return b.code;
}

// The sum of a list of f64, the argument. Every lane's list has the same length. The loop counts through it.
inline Code sum_of_list(u32 length) {
  constexpr Scalar I = Scalar::I64, F = Scalar::F64;
  CodeBuilder b;
  b.function("sum", std::vector<Scalar>(length, F), {F});
  const u16 next = b.variables(I, 3), sum = b.variable(F);
  b.f64_constant(0).store(sum).i64_constant(0).store(next);
  b.i64_constant(length).store(u16(next + 1));
  b.loop().for_next(next).tick();
  b.load(sum).load(u16(next + 2)).load_at(0, length).op(Op::Add, F).store(sum).end_loop();
  b.load(sum).end_function();
  return b.code;
}

// How often each of 16 numbers comes in 64 steps of a generator, which starts at the argument. Each lane counts in
// bins of its own.
inline Code histogram() {
  constexpr Scalar I = Scalar::I64;
  constexpr u32 kBins = 16;
  CodeBuilder b;
  b.function("histogram", {I}, std::vector<Scalar>(kBins, I));
  const u16 next = b.variables(I, 3), bin = b.variable(I), bins = b.variables(I, kBins);
  for (u32 k = 0; k < kBins; ++k) b.i64_constant(0);
  b.store_slots(bins, kBins).i64_constant(0).store(next).i64_constant(64).store(u16(next + 1));
  b.loop().for_next(next).tick();
  b.load(0).i64_constant(0x5851'F42D'4C95'7F2D).op(Op::MulWrap);
  b.i64_constant(0x1405'7B7E'F767'814F).op(Op::AddWrap).store(0);
  b.load(0).i64_constant(40).op(Op::Shr, I, I).i64_constant(kBins - 1).op(Op::And).store(bin);
  b.load(bin).load_at(bins, kBins).i64_constant(1).op(Op::Add).load(bin).store_at(bins, kBins);
  b.end_loop().load_slots(bins, kBins).end_function();
  return b.code;
}

// Repeats as often as the argument says: a list of constants, and a list that is filled with the argument, are
// stored to variables and compared. It uses operations on many cells, or one operation for each cell.
inline Code many_cells(u32 length, bool at_once) {
  constexpr Scalar I = Scalar::I64;
  CodeBuilder b;
  b.function("cells", {I}, {Scalar::Bool});
  const u16 next = b.variables(I, 3), equal = b.variable(Scalar::Bool);
  const u16 listed = b.variables(I, length), filled = b.variables(I, length);
  std::vector<u64> values(length);
  for (u32 k = 0; k < length; ++k) values[k] = k;
  b.bool_constant(true).store(equal).i64_constant(0).store(next).load(0).store(u16(next + 1));
  b.loop().for_next(next).tick();
  if (at_once) {
    b.constants(I, values).store_slots(listed, length);
    b.load(u16(next + 2)).i64_constant(1).op(Op::Add).repeat(1, length);
    b.store_slots(filled, length).load_slots(listed, length).load_slots(filled, length);
    b.eq_cells(I, u16(length), u16(length), 0).store(equal).project(0, u16(2 * length), 0);
  } else {
    for (u32 k = 0; k < length; ++k) b.i64_constant(k).store(u16(listed + k));
    for (u32 k = 0; k < length; ++k)
      b.load(u16(next + 2)).i64_constant(1).op(Op::Add).store(u16(filled + k));
    for (u32 k = 0; k < length; ++k) {
      b.load(u16(listed + k)).load(u16(filled + k)).op(Op::Eq);
      if (k != 0) b.op(Op::And, Scalar::Bool);
    }
    b.store(equal);
  }
  b.end_loop().load(equal).end_function();
  return b.code;
}

}  // namespace komuz::test
