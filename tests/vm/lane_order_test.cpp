// SPDX-License-Identifier: Apache-2.0
// Lanes that change places (vm/lane_order.h): loops that lanes leave after very different numbers of iterations, with
// every kind of state that a lane can have, always against the reference, on every SIMD level.
#include "base/random.h"
#include "tests/vm/agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

constexpr Scalar I = Scalar::I64;
constexpr u32 kCounts[] = {40, 64, 200, 256, 600};

// Numbers of iterations: most lanes are done early.
std::vector<u64> iterations(u32 count, u64 seed) {
  Random random(seed);
  std::vector<u64> cells(count);
  for (u64& cell : cells) cell = random.below(4) == 0 ? random.below(400) : random.below(40);
  return cells;
}

// Starts a loop of as many iterations as slot `n` says, which counts down.
void count_down(CodeBuilder& b, u16 n) {
  b.loop().load(n).i64_constant(0).op(Op::Gt).break_if_false().tick();
  b.load(n).i64_constant(1).op(Op::Sub).store(n);
}

// Slots 1, 2, … of every type, and one step of what is done with each.
void add_variables(CodeBuilder& b) {
  for (Scalar type : kScalars) b.constant(type, 1).store(b.variable(type));
}
void step_variables(CodeBuilder& b, u16 first) {
  for (Scalar type : kScalars) {
    b.load(first).constant(
        type, is_float(type) ? (type == Scalar::F32 ? cell_f32(1.25f) : cell_f64(0.75)) : 1);
    b.op(type == Scalar::Bool ? Op::Xor
         : is_float(type)     ? Op::Add
                              : Op::AddWrap,
         type)
        .store(first);
    ++first;
  }
}
void load_variables(CodeBuilder& b, u16 first) {
  for (u32 k = 0; k < std::size(kScalars); ++k) b.load(u16(first + k));
}
const std::vector<Scalar> kAllTypes(std::begin(kScalars), std::end(kScalars));

TEST(LaneOrder, CellsOfEveryTypeGoWithTheirLane) {
  std::vector<Scalar> results = kAllTypes;
  results.insert(results.begin(), I);
  CodeBuilder b;
  b.function("steps", {I}, results);
  add_variables(b);
  b.load(0);  // an operand below the loop, which changes the variable
  count_down(b, 0);
  step_variables(b, 1);
  b.end_loop();
  load_variables(b, 1);
  b.end_function();
  Agreement agreement;
  for (u32 count : kCounts) ASSERT_TRUE(agreement.expect(b.code, {iterations(count, count)}));
}

// The caller has variables, operands on the stack and an arm whose value waits, while lanes
// change places in the callee.
TEST(LaneOrder, CellsOfCallersGoToo) {
  CodeBuilder b;
  b.function("inner", {I, I}, {I});
  const u16 sum = b.variable(I);
  b.i64_constant(0).store(sum);
  count_down(b, 0);
  b.load(sum).load(1).op(Op::AddWrap).store(sum);
  b.end_loop().load(sum).end_function();

  b.function("outer", {I, I}, kAllTypes);
  add_variables(b);  // from slot 2 on
  b.load(1).i64_constant(100).op(Op::Lt).if_();
  step_variables(b, 2);
  b.load(1).i64_constant(3).op(Op::Mul).else_(1);
  b.load(1).i64_constant(11).op(Op::Mul).load(1).load(0).load(1).call(0);
  b.op(Op::AddWrap).op(Op::Xor).end_if();
  const u16 kept = b.variable(I);
  b.store(kept);
  load_variables(b, 2);
  const u16 last = u16(2 + std::size(kScalars) - 1);
  ASSERT_EQ(kScalars[std::size(kScalars) - 1], Scalar::F64);
  b.load(kept)
      .load(0)
      .load(kept)
      .call(0)
      .op(Op::Xor)
      .op(Op::Convert, Scalar::F64, I)
      .op(Op::Add, Scalar::F64);
  b.load(last).op(Op::Add, Scalar::F64).end_function();
  Agreement agreement;
  for (u32 count : kCounts)
    ASSERT_TRUE(agreement.expect(b.code, {iterations(count, 3), small_column(count, 200, 4)}, 1));
}

// Lanes wait for the merge of an arm, behind loops inside of loops, for the next iteration, and for the function's end.
TEST(LaneOrder, LanesThatWaitGoToo) {
  CodeBuilder b;
  b.function("waits", {I, I}, {I, I});
  const u16 outer = b.variable(I), sum = b.variable(I), n = b.variable(I);
  b.i64_constant(0).store(sum).load(1).store(outer);
  count_down(b, outer);
  b.load(outer).i64_constant(3).op(Op::Rem).i64_constant(0).op(Op::Eq).if_();
  b.load(0).store(n);
  count_down(b, n);
  b.load(sum).load(n).op(Op::AddWrap).store(sum);
  b.load(n).load(outer).op(Op::Eq).if_().continue_(1).end_if();
  b.load(sum).i64_constant(20'000).op(Op::Gt).if_().break_(1).end_if();
  b.load(sum).i64_constant(4321).op(Op::Eq).if_().load(sum).load(n).emit(Op::Return).end_if();
  b.end_loop();
  b.else_().load(sum).i64_constant(7).op(Op::AddWrap).store(sum).end_if();
  b.load(sum).load(outer).op(Op::Xor).store(sum);
  b.end_loop();
  b.load(sum).load(outer).end_function();
  Agreement agreement;
  for (u32 count : kCounts)
    ASSERT_TRUE(agreement.expect(b.code, {iterations(count, 5), small_column(count, 30, 6)}));
}

// Traps name the case that they are of; fuel is counted for each, also where lanes have used different amounts.
TEST(LaneOrder, TrapsAndFuelFindTheirCase) {
  CodeBuilder b;
  b.function("traps", {I, I}, {I});
  const u16 n = b.variable(I), sum = b.variable(I), extra = b.variable(I);
  b.i64_constant(0).store(sum).load(0).store(n);
  count_down(b, n);
  b.load(n).load(1).op(Op::Rem).i64_constant(1).op(Op::Eq).if_();  // DIV_ZERO
  b.i64_constant(2).store(extra);
  count_down(b, extra);
  b.end_loop().end_if();
  b.load(n).i64_constant(57).op(Op::Eq).load(1).i64_constant(5).op(Op::Gt).op(Op::And,
                                                                              Scalar::Bool);
  b.op(Op::Not, Scalar::Bool).emit(Op::Assert);
  b.load(sum).load(n).op(Op::Add).store(sum);
  b.end_loop().load(sum).end_function();
  Agreement agreement;
  for (u32 count : kCounts)
    for (u64 budget : {u64{37}, u64{150}, u64{400}, kDefaultFuel})
      ASSERT_TRUE(agreement.expect(b.code, {iterations(count, 7), small_column(count, 9, 8)}, 0, 1,
                                   budget));
}

// Frames so large that a tile has 64 or 128 lanes only.
TEST(LaneOrder, SmallTiles) {
  Agreement agreement;
  for (u32 variables : {20, 60}) {
    CodeBuilder b;
    b.function("wide", {I}, {I});
    for (u32 k = 0; k < variables; ++k) b.i64_constant(k).store(b.variable(I));
    count_down(b, 0);
    for (u32 k = 1; k < variables; ++k)
      b.load(u16(k)).load(u16(k + 1)).op(Op::AddWrap).store(u16(k));
    b.end_loop().load(1).end_function();
    for (u32 count : kCounts) ASSERT_TRUE(agreement.expect(b.code, {iterations(count, variables)}));
  }
}

}  // namespace
}  // namespace komuz::test
