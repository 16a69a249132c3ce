// SPDX-License-Identifier: Apache-2.0
// The batch machine on hand-assembled programs: always the reference's results, on every SIMD level.
#include <cstdlib>

#include "tests/vm/agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"
#include "tests/vm/sample_programs.h"

namespace komuz::test {
namespace {

constexpr Scalar I = Scalar::I64;
constexpr u32 kCounts[] = {1, 7, 8, 63, 64, 65, 255, 256, 257, 1000};

TEST(BatchMachine, EveryOperationAtEveryType) {
  Agreement agreement;
  for (const Instruction& i : all_operations()) {
    const std::vector<Scalar> parameters = operand_types(i);
    CodeBuilder b;
    b.function("operation", parameters, {result_type(i)});
    for (u32 k = 0; k < parameters.size(); ++k) b.load(u16(k));
    b.emit(i.op, i.type, i.a, i.b).end_function();
    // More cases than a tile holds, and fewer.
    for (const u32 count : {333, 101}) {
      std::vector<std::vector<u64>> rows;
      for (u32 k = 0; k < parameters.size(); ++k)
        rows.push_back(edge_column(parameters[k], count, 7 * k + 1));
      if (!agreement.expect(b.code, rows)) FAIL() << operation_text(i);
    }
  }
}

// All lanes of an arm may leave a loop by a test in it, while others wait for the arm's end, or for the other arm.
TEST(BatchMachine, ATestInAnArmLeavesOthersInTheLoop) {
  Agreement agreement;
  // Which arm the test is in, and whether that arm is in another one.
  for (const bool has_second : {false, true})
    for (const bool in_second : {false, true})
      for (const bool is_nested : {false, true}) {
        if (in_second && !has_second) continue;
        CodeBuilder b;
        b.function("f", {I, I, I}, {Scalar::Bool});
        const u16 made = b.variable(I), rounds = b.variable(I);
        b.i64_constant(0).store(made).i64_constant(0).store(rounds);
        b.loop().load(rounds).load(2).op(Op::Lt).break_if_false().tick();
        b.load(rounds).i64_constant(1).op(Op::AddWrap).store(rounds);
        if (is_nested) b.load(2).i64_constant(1).op(Op::Gt).if_();
        b.load(0).i64_constant(0).op(Op::Gt).if_();
        const auto leave = [&] {
          b.load(made).i64_constant(10).op(Op::AddWrap).store(made);
          b.load(rounds).load(1).op(Op::Lt).break_if_false();
        };
        const auto stay = [&] { b.load(made).i64_constant(1).op(Op::AddWrap).store(made); };
        in_second || !has_second ? leave() : stay();
        if (has_second) {
          b.else_();
          in_second ? stay() : leave();
        }
        b.end_if();
        if (is_nested) b.end_if();
        b.load(made).i64_constant(100).op(Op::AddWrap).store(made);
        b.end_loop().load(made).i64_constant(150).op(Op::Lt).end_function();
        for (const u32 count : {2u, 9u, 333u}) {
          std::vector<std::vector<u64>> rows(3);
          for (u32 k = 0; k < count; ++k) {
            rows[0].push_back(k % 2);
            rows[1].push_back(k / 2 % 4);
            rows[2].push_back(k / 8 % 3 + 1);
          }
          EXPECT_TRUE(agreement.expect(b.code, rows, 0, count))
              << has_second << in_second << is_nested << ", " << count << " cases";
        }
      }
}

// The operands in frame cells, over which the result is written, and one of them a constant.
TEST(BatchMachine, EveryOperationOverItsOperands) {
  Agreement agreement;
  for (const Instruction& i : all_operations()) {
    const std::vector<Scalar> parameters = operand_types(i);
    const u32 operands = u32(parameters.size());
    const Scalar result = result_type(i);
    CodeBuilder b;
    b.function("operation", parameters, {result});
    const u16 test = b.variable(Scalar::Bool), kept = b.variable(result);
    b.constant(result, 0).store(kept);
    b.load(0).load(0).op(Op::Eq, parameters[0]).store(test);
    b.load(test).if_();
    for (u32 k = 0; k < operands; ++k) {  // by way of an arm: a value in its home cell
      b.load(test).if_().load(u16(k)).else_(1);
      b.constant(parameters[k], edges(parameters[k])[1]).end_if();
    }
    b.emit(i.op, i.type, i.a, i.b).store(kept).end_if().load(kept).end_function();
    std::vector<std::vector<u64>> rows;
    for (u32 k = 0; k < operands; ++k) rows.push_back(edge_column(parameters[k], 200, 3 * k + 5));
    if (!agreement.expect(b.code, rows)) FAIL() << operation_text(i);
  }
}

// A random expression without control over the variables [0, variables).
void add_expression(CodeBuilder& b, Random& random, Scalar type, u16 variables, u32 operators) {
  constexpr Op kBinary[] = {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Add, Op::Sub};
  if (operators == 0) {
    if (random.below(5) != 0)
      b.load(u16(random.below(variables)));
    else
      b.constant(type, edges(type)[random.below(u32(edges(type).size()))]);
  } else if (random.below(6) == 0) {
    add_expression(b, random, type, variables, operators - 1);
    b.op(random.below(2) == 0 ? Op::Neg : Op::Abs, type);
  } else {
    const u32 left = random.below(operators);
    add_expression(b, random, type, variables, left);
    add_expression(b, random, type, variables, operators - 1 - left);
    b.op(kBinary[random.below(6)], type);
  }
}

// Pairs of operations, variables that stand for others, parameters that are stored to while they are on the stack.
TEST(BatchMachine, StraightCode) {
  Agreement agreement;
  Random random(23);
  for (u32 round = 0; round < 400; ++round) {
    constexpr Scalar kTypes[] = {Scalar::F32, Scalar::F64, Scalar::I64, Scalar::I32};
    const Scalar type = kTypes[round % 4];
    CodeBuilder b;
    b.function("straight", {type, type, type}, {type, type});
    const u16 first = b.variable(type), second = b.variable(type);
    const u16 stored[] = {first, second, u16(random.below(5)), u16(random.below(5))};
    u16 variables = 3;
    for (const u16 slot : stored) {
      add_expression(b, random, type, variables, random.below(6));
      b.store(slot);
      if (variables < 5) ++variables;
    }
    b.load(u16(random.below(5)));
    add_expression(b, random, type, 5, random.below(4));
    b.store(u16(random.below(5)));
    add_expression(b, random, type, 5, random.below(12));
    b.end_function();
    constexpr u32 kFew[] = {1, 63, 200, 256};
    const u32 count = kFew[random.below(4)];
    ASSERT_TRUE(
        agreement.expect(b.code, {edge_column(type, count, round), edge_column(type, count, 7),
                                  edge_column(type, count, 8)}))
        << "round " << round;
  }
}

TEST(BatchMachine, CaseCountsAndTails) {
  Agreement agreement;
  for (Scalar type : kScalars) {
    CodeBuilder b;
    b.function("pair", {type, type}, {type, Scalar::Bool});
    b.load(0).load(0).load(1).op(Op::Ne, type).end_function();
    for (u32 count : kCounts)
      ASSERT_TRUE(
          agreement.expect(b.code, {edge_column(type, count, 1), edge_column(type, count, 2)}));
  }
  CodeBuilder none;
  none.function("constant", {}, {I}).i64_constant(5).end_function();
  for (u32 count : kCounts) ASSERT_TRUE(agreement.expect(none.code, {}, 0, count));
}

TEST(BatchMachine, NoCases) {
  CodeBuilder b;
  b.function("identity", {I}, {I}).load(0).end_function();
  CaseRun run(b.code, {{}});
  vm::BatchMachine machine;
  machine.run(run.job(), run.outcomes());
  EXPECT_TRUE(run.values.empty());
}

TEST(BatchMachine, LoopsThatDiverge) {
  Agreement agreement;
  const Code code = collatz();
  for (u32 count : kCounts)
    ASSERT_TRUE(
        agreement.expect(code, {small_column(count, 10'000, 3), small_column(count, 400, 4)}));
  // Fuel runs out in some lanes, on different iterations.
  for (u64 budget : {0, 1, 2, 50, 100})
    ASSERT_TRUE(agreement.expect(code, {small_column(300, 10'000, 5), small_column(300, 400, 6)}, 0,
                                 1, budget));
}

TEST(BatchMachine, RecursionToDifferentDepths) {
  CodeBuilder b = gcd(12);
  b.function("main", {I, I}, {I});
  b.load(0).load(1).call(0).load(1).load(0).call(0).op(Op::Add).end_function();
  Agreement agreement;
  for (u32 count : kCounts)
    for (u32 function : {0, 1})
      ASSERT_TRUE(agreement.expect(
          b.code, {small_column(count, 5000, 8), small_column(count, 5000, 9)}, function));
  for (u64 budget : {1, 2, 5, 9})
    ASSERT_TRUE(agreement.expect(b.code, {small_column(99, 5000, 8), small_column(99, 5000, 9)}, 1,
                                 1, budget));
}

TEST(SimdLevel, CanBeForcedDown) {
  for (SimdLevel level : supported_levels()) {
    ASSERT_EQ(setenv("KOMUZ_SIMD", std::string(simd_level_name(level)).c_str(), 1), 0);
    EXPECT_EQ(best_simd_level(), level);
    EXPECT_EQ(vm::BatchMachine().level(), level);
  }
  unsetenv("KOMUZ_SIMD");
  EXPECT_EQ(best_simd_level(), supported_levels().back());
}

}  // namespace
}  // namespace komuz::test
