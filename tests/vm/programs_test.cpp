// SPDX-License-Identifier: Apache-2.0
// Hand-written programs on the reference interpreter and on the batch machine at every SIMD level: values, traps,
// places, depths and fuel.
#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

#include "tests/vm/sample_programs.h"
#include "vm/count_instructions.h"

namespace komuz::test {
namespace {

constexpr Scalar I = Scalar::I64;

void expect_value(const CaseRun& run, u32 row, i64 value, u64 fuel) {
  EXPECT_EQ(run.traps[row], Trap::None) << "row " << row;
  EXPECT_EQ(static_cast<i64>(run.value(row)), value) << "row " << row;
  EXPECT_EQ(run.fuel[row], fuel) << "row " << row;
  EXPECT_EQ(run.places[row], 0u);
  EXPECT_EQ(run.depths[row], 0u);
}
void expect_trap(const CaseRun& run, u32 row, Trap trap, u32 place, u32 depth, u64 fuel) {
  EXPECT_EQ(run.traps[row], trap) << "row " << row;
  EXPECT_EQ(run.places[row], place) << "row " << row;
  EXPECT_EQ(run.depths[row], depth) << "row " << row;
  EXPECT_EQ(run.fuel[row], fuel) << "row " << row;
  EXPECT_EQ(run.value(row), 0u) << "row " << row;
}

class Programs : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam()))
      GTEST_SKIP() << "this processor has no " << machine_name(GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Machines, Programs, testing::ValuesIn(kMachines),
                         [](const auto& of) { return machine_name(of.param); });

TEST_P(Programs, ArgumentsOfEveryTypeComeCanonical) {
  const Scalar types[] = {Scalar::Bool, Scalar::I32, Scalar::I64, Scalar::U8,
                          Scalar::U32,  Scalar::U64, Scalar::F32, Scalar::F64};
  const u64 cells[] = {1,       cell(-5),       cell(-6),      250, 0xFFFF'FFFEu,
                       ~u64{0}, cell_f32(1.5f), cell_f64(-0.0)};
  for (u32 i = 0; i < 8; ++i) {
    CodeBuilder b;
    b.function("identity", {types[i]}, {types[i]}).load(0).end_function();
    const CaseRun run = CaseRun(b.code, {{0, cells[i]}}).on(GetParam());
    EXPECT_EQ(run.value(0), 0u);
    EXPECT_EQ(run.value(1), cells[i]);
  }
  CodeBuilder b;
  b.function("identity", {Scalar::F64}, {Scalar::F64}).load(0).end_function();
  EXPECT_EQ(CaseRun(b.code, {{0xFFF8'0000'0000'0042u}}).on(GetParam()).value(0), kCanonicalNan64);
}

TEST(CountInstructions, CountsWhatIsExecuted) {
  CodeBuilder b;
  b.function("quotient_if", {Scalar::Bool, I, I}, {I}).load(0);
  b.if_().load(1).load(2).op(Op::Div, I).else_(1).load(1).end_if().end_function();
  // The test and its jump; two operands, the quotient and a jump, or one operand; RETURN. A trap ends a case.
  const CaseRun run(b.code, {{1, 0, 1}, {cell(6), cell(6), cell(6)}, {cell(2), cell(2), cell(0)}});
  EXPECT_EQ(vm::count_instructions(run.job()), (2u + 4 + 1) + (2 + 1 + 1) + (2 + 3));
}

TEST_P(Programs, TrapOfAnOperationNamesItsInstruction) {
  CodeBuilder b;
  b.function("quotient", {I, I}, {I});
  b.load(0).load(1).op(Op::Div).end_function();
  const CaseRun run =
      CaseRun(b.code, {{7, cell(std::numeric_limits<i64>::min()), 7}, {2, cell(-1), 0}})
          .on(GetParam());
  expect_value(run, 0, 3, 1);
  expect_trap(run, 1, Trap::Overflow, 2, 1, 1);
  expect_trap(run, 2, Trap::DivZero, 2, 1, 1);
}

TEST_P(Programs, WhileLoopWithLimit) {
  const Code code = collatz();
  const u32 limit_at = 9;
  ASSERT_EQ(code.instructions[limit_at].op, Op::Limit);
  const CaseRun run =
      CaseRun(code, {{27, 1, 6, 6, 1, 6}, {1000, 1000, 8, 7, cell(-3), cell(-3)}}).on(GetParam());
  expect_value(run, 0, 111, 112);
  expect_value(run, 1, 0, 1);
  expect_value(run, 2, 8, 9);  // a limit that is reached, not exceeded
  expect_trap(run, 3, Trap::Limit, limit_at, 1, 8);
  expect_value(run, 4, 0, 1);
  expect_trap(run, 5, Trap::Limit, limit_at, 1, 1);
}

TEST_P(Programs, FuelEndsExactlyAtTheBudget) {
  const Code code = collatz();
  const u32 tick_at = 10;
  ASSERT_EQ(code.instructions[tick_at].op, Op::Tick);
  expect_value(CaseRun(code, {{6}, {100}}, 0, 1, 9).on(GetParam()), 0, 8, 9);
  expect_trap(CaseRun(code, {{6}, {100}}, 0, 1, 8).on(GetParam()), 0, Trap::Fuel, tick_at, 1, 8);
  // The entry's own tick: its place is the entry's first instruction.
  expect_trap(CaseRun(code, {{6}, {100}}, 0, 1, 0).on(GetParam()), 0, Trap::Fuel, 0, 1, 0);
  // LIMIT comes before the tick.
  expect_trap(CaseRun(code, {{6}, {0}}, 0, 1, 1).on(GetParam()), 0, Trap::Limit, tick_at - 1, 1, 1);
}

// Mostly a tick stands right behind what tests an iteration, and is done with it; not so one that a constant is before.
TEST_P(Programs, FuelEndsAtTheTickWhereverItStands) {
  for (const bool is_apart : {false, true}) {
    for (const bool counts : {false, true}) {
      SCOPED_TRACE(counts);
      CodeBuilder b;
      b.function("count", {I}, {I});
      const u16 next = b.variables(I, 3), count = b.variable(I);
      b.i64_constant(0).store(next).load(0).store(u16(next + 1)).i64_constant(0).store(count);
      b.loop();
      if (counts)
        b.for_next(next);
      else
        b.load(count).load(0).op(Op::Lt).break_if_false();
      if (is_apart) b.i64_constant(1);
      const auto tick_at = u32(b.code.instructions.size());
      b.tick();
      if (!is_apart) b.i64_constant(1);
      b.load(count).op(Op::Add).store(count).end_loop().load(count).end_function();
      const CaseRun run = CaseRun(b.code, {{3, 9, 2, 5}}, 0, 1, 5).on(GetParam());
      expect_value(run, 0, 3, 4);
      expect_trap(run, 1, Trap::Fuel, tick_at, 1, 5);
      expect_value(run, 2, 2, 3);
      expect_trap(run, 3, Trap::Fuel, tick_at, 1, 5);
    }
  }
}

TEST_P(Programs, ForLoopsOverEveryKindOfRange) {
  for (bool inclusive : {false, true}) {
    CodeBuilder b;  // the sum of a range, as 10 · sum + count
    b.function("sum", {Scalar::U8, Scalar::U8}, {I});
    const u16 next = b.variable(Scalar::U8);
    b.variable(Scalar::U8);
    const u16 x = b.variable(Scalar::U8), sum = b.variable(I);
    b.load(0).store(next).load(1).store(u16(next + 1)).i64_constant(0).store(sum);
    b.loop().for_next(next, inclusive).tick();
    b.load(sum).load(x).op(Op::Convert, I, Scalar::U8).op(Op::Add).store(sum);
    b.end_loop().load(sum).end_function();
    const CaseRun run = CaseRun(b.code, {{0, 5, 7, 253}, {5, 5, 3, 255}}).on(GetParam());
    expect_value(run, 0, inclusive ? 15 : 10, inclusive ? 7 : 6);
    expect_value(run, 1, inclusive ? 5 : 0, inclusive ? 2 : 1);
    expect_value(run, 2, 0, 1);
    // Up to the largest value of the type: the loop ends all the same.
    expect_value(run, 3, inclusive ? 253 + 254 + 255 : 253 + 254, inclusive ? 4 : 3);
  }
}

TEST_P(Programs, BreakAndContinueByDepth) {
  // for i in 0..n { for j in 0..n { if j == 3 { continue outer; } if i == 2 { break outer; }
  // s += 10·i + j } s += 1000 }
  CodeBuilder b;
  b.function("nested", {I}, {I});
  const u16 i = b.variable(I);
  b.variable(I);
  const u16 i_now = b.variable(I), j = b.variable(I);
  b.variable(I);
  const u16 j_now = b.variable(I), s = b.variable(I);
  b.i64_constant(0).store(s).i64_constant(0).store(i).load(0).store(u16(i + 1));
  b.loop().for_next(i).tick();
  b.i64_constant(0).store(j).load(0).store(u16(j + 1));
  b.loop().for_next(j).tick();
  b.load(j_now).i64_constant(3).op(Op::Eq).if_().continue_(1).end_if();
  b.load(i_now).i64_constant(2).op(Op::Eq).if_().break_(1).end_if();
  b.load(s).load(i_now).i64_constant(10).op(Op::Mul).op(Op::Add).load(j_now).op(Op::Add).store(s);
  b.end_loop();
  b.load(s).i64_constant(1000).op(Op::Add).store(s);
  b.end_loop();
  b.load(s).end_function();
  const CaseRun run = CaseRun(b.code, {{0, 1, 2, 3, 9}}).on(GetParam());
  expect_value(run, 0, 0, 1);
  expect_value(run, 1, 1000, 3);
  expect_value(run, 2, 2000 + 0 + 1 + 10 + 11, 7);
  // n = 3: i = 0 and 1 run three j each (no j == 3), i = 2 breaks at its first j.
  expect_value(run, 3, 2000 + 3 + 33, 1 + 3 + 3 + 3 + 1);
  // n = 9: i = 0 and 1 continue at j = 3; nothing adds 1000.
  expect_value(run, 4, 3 + 33, 1 + 3 + 4 + 4 + 1);
}

TEST_P(Programs, ExitsDropTheOperandsOfTheBody) {
  // 7, loop { x = 100 + (if x > 9 { break } else { 11 }) }, + 1: the 100 goes when the loop is left, the 7 stays.
  CodeBuilder b;
  b.function("operands", {I}, {I});
  b.i64_constant(7);
  b.loop().tick();
  b.i64_constant(100);
  b.load(0).i64_constant(9).op(Op::Gt).if_().break_().end_if();
  b.i64_constant(11).op(Op::Add).store(0);
  b.end_loop();
  b.i64_constant(1).op(Op::Add).end_function();
  const CaseRun run = CaseRun(b.code, {{0, 5}}).on(GetParam());
  expect_value(run, 0, 8, 3);
  expect_value(run, 1, 8, 3);
}

TEST_P(Programs, EarlyReturnFromNestedLoops) {
  // The caller is in a loop of its own; the callee returns from within two, with operands on its stack.
  CodeBuilder b;
  b.function("callee", {I}, {I});
  b.loop().tick().loop();
  b.i64_constant(99).load(0).i64_constant(2).op(Op::Mul).emit(Op::Return).project(0, 1, 0);
  b.end_loop().end_loop();
  b.i64_constant(0).end_function();
  b.function("caller", {I}, {I});
  const u16 next = b.variable(I);
  b.variable(I);
  const u16 x = b.variable(I), s = b.variable(I);
  b.i64_constant(0).store(s).i64_constant(0).store(next).load(0).store(u16(next + 1));
  b.loop().for_next(next).tick();
  b.load(s).load(x).call(0).op(Op::Add).store(s);
  b.end_loop().load(s).end_function();
  const CaseRun run = CaseRun(b.code, {{0, 1, 5}}, 1).on(GetParam());
  expect_value(run, 0, 0, 1);
  expect_value(run, 1, 0, 4);
  expect_value(run, 2, 20, 16);
}

TEST_P(Programs, LazyOperatorsSkipTheRightSide) {
  // a != 0 && 10 / a > 2   |   a == 0 || 10 / a > 2
  CodeBuilder b;
  b.function("lazy", {I}, {Scalar::Bool, Scalar::Bool});
  b.load(0).i64_constant(0).op(Op::Ne).and_then();
  b.i64_constant(10).load(0).op(Op::Div).i64_constant(2).op(Op::Gt).end_lazy();
  b.load(0).i64_constant(0).op(Op::Eq).or_else();
  b.i64_constant(10).load(0).op(Op::Div).i64_constant(2).op(Op::Gt).end_lazy();
  b.end_function();
  const CaseRun run = CaseRun(b.code, {{0, 2, 9}}).on(GetParam());
  for (u32 row = 0; row < 3; ++row) EXPECT_EQ(run.traps[row], Trap::None);
  EXPECT_EQ(run.value(0, 0), 0u);
  EXPECT_EQ(run.value(0, 1), 1u);
  EXPECT_EQ(run.value(1, 0), 1u);
  EXPECT_EQ(run.value(1, 1), 1u);
  EXPECT_EQ(run.value(2, 0), 0u);
  EXPECT_EQ(run.value(2, 1), 0u);
}

TEST_P(Programs, TuplesAndProject) {
  CodeBuilder b;
  b.function("order", {I, I}, {I, I});  // (smaller, larger)
  b.load(0)
      .load(1)
      .op(Op::Lt)
      .if_()
      .load(0)
      .load(1)
      .else_(2)
      .load(1)
      .load(0)
      .end_if()
      .end_function();
  b.function("spread", {I, I, I}, {I});  // 1000 · p + larger, by PROJECT
  b.load(2).i64_constant(1000).op(Op::Mul);
  b.load(0).load(1).call(0).project(1, 2, 1).op(Op::Add).end_function();
  b.function("middle", {I, I, I}, {I, I});  // of four cells the two in the middle
  b.i64_constant(-1).load(0).load(1).load(2).project(2, 4, 1).end_function();
  const CaseRun pair = CaseRun(b.code, {{3, 9}, {5, 4}}, 0).on(GetParam());
  EXPECT_EQ(pair.values, (std::vector<u64>{3, 4, 5, 9}));  // column by column
  expect_value(CaseRun(b.code, {{9}, {4}, {2}}, 1).on(GetParam()), 0, 2009, 2);
  const CaseRun middle = CaseRun(b.code, {{1}, {2}, {3}}, 2).on(GetParam());
  EXPECT_EQ(middle.values, (std::vector<u64>{1, 2}));
}

// Copies of computed cells stay what they are when the cells below them move or change.
TEST_P(Programs, Copies) {
  CodeBuilder b;
  b.function("moved", {I, I}, {I, I, I});
  b.load(0).load(1).op(Op::Add).load(0).load(1).op(Op::Mul);  // sum, product
  b.copy(I, 1).copy(I, 1).copy(I, 3);                         // sum, product, sum, product, sum
  b.project(3, 5, 1).end_function();
  b.function("changed", {I}, {I, I});
  b.load(0).copy(I, 0).i64_constant(1).op(Op::Add).store(0);  // the old value stays below
  b.load(0).end_function();
  b.function("branched", {I}, {I});
  b.load(0).i64_constant(3).op(Op::Mul).copy(I, 0).i64_constant(9).op(Op::Lt).if_();
  b.load(0).else_(1).i64_constant(-1).end_if().op(Op::Sub).end_function();
  const CaseRun moved = CaseRun(b.code, {{3, 5}, {4, 6}}, 0).on(GetParam());
  EXPECT_EQ(moved.values, (std::vector<u64>{12, 30, 7, 11, 12, 30}));
  const CaseRun changed = CaseRun(b.code, {{3, 5}}, 1).on(GetParam());
  EXPECT_EQ(changed.values, (std::vector<u64>{3, 5, 4, 6}));
  const CaseRun branched = CaseRun(b.code, {{2, 5}}, 2).on(GetParam());
  EXPECT_EQ(branched.values, (std::vector<u64>{4, 16}));
}

// fn down(n) rec 5 { if n == 0 { 0 } else { 1 + down(n - 1) } }, called by main behind one frame.
Code recursion(u16 rec) {
  CodeBuilder b;
  b.function("down", {I}, {I}, rec);
  b.load(0).i64_constant(0).op(Op::Eq).if_();
  b.i64_constant(0);
  b.else_(1);
  b.i64_constant(1).load(0).i64_constant(1).op(Op::Sub).call(0).op(Op::Add);
  b.end_if().end_function();
  b.function("main", {I}, {I});
  b.load(0).call(0).load(0).call(0).op(Op::Add).end_function();
  return b.code;
}

TEST_P(Programs, RecursionUpToItsBound) {
  const Code code = recursion(5);
  u32 call_at = 0;
  while (code.instructions[call_at].op != Op::Call) ++call_at;
  const CaseRun direct = CaseRun(code, {{0, 4, 5, 100}}, 0).on(GetParam());
  expect_value(direct, 0, 0, 1);
  expect_value(direct, 1, 4, 5);
  expect_trap(direct, 2, Trap::Depth, call_at, 5, 5);
  expect_trap(direct, 3, Trap::Depth, call_at, 5, 5);
  // From outside the cycle one frame more is live; frames that have returned do not count.
  const CaseRun outside = CaseRun(code, {{4, 5}}, 1).on(GetParam());
  expect_value(outside, 0, 8, 11);
  expect_trap(outside, 1, Trap::Depth, call_at, 6, 6);
}

TEST_P(Programs, DepthComesBeforeFuelAtACall) {
  const Code code = recursion(5);
  u32 call_at = 0;
  while (code.instructions[call_at].op != Op::Call) ++call_at;
  expect_trap(CaseRun(code, {{9}}, 0, 1, 5).on(GetParam()), 0, Trap::Depth, call_at, 5, 5);
  expect_trap(CaseRun(code, {{9}}, 0, 1, 4).on(GetParam()), 0, Trap::Fuel, call_at, 4, 4);
}

TEST_P(Programs, MutualRecursionSharesOneCount) {
  CodeBuilder b;
  for (u16 other : {u16{1}, u16{0}}) {
    b.function(other == 1 ? "even" : "odd", {I}, {Scalar::Bool}, 4);
    b.load(0).i64_constant(0).op(Op::Eq).if_().bool_constant(other == 1);
    b.else_(1).load(0).i64_constant(1).op(Op::Sub).call(other).end_if().end_function();
  }
  const CaseRun run = CaseRun(b.code, {{0, 1, 2, 3, 4}}, 0).on(GetParam());
  for (u32 row = 0; row < 4; ++row) expect_value(run, row, row % 2 == 0, row + 1);
  EXPECT_EQ(run.traps[4], Trap::Depth);
  EXPECT_EQ(run.depths[4], 4u);
}

TEST_P(Programs, AssertAndTrapNow) {
  CodeBuilder b;
  b.function("positive", {I}, {});
  b.load(0).i64_constant(0).op(Op::Gt).emit(Op::Assert).end_function();
  b.function("hole", {}, {I});
  b.emit(Op::TrapNow, Scalar::None, u16(Trap::Hole)).i64_constant(0).end_function();
  const CaseRun asserted = CaseRun(b.code, {{1, 0}}, 0).on(GetParam());
  EXPECT_EQ(asserted.traps[0], Trap::None);
  EXPECT_EQ(asserted.traps[1], Trap::Assert);
  EXPECT_EQ(asserted.places[1], 3u);
  expect_trap(CaseRun(b.code, {}, 1).on(GetParam()), 0, Trap::Hole, 5, 1, 1);
}

// Behind arms that all trap nothing runs, but something is lowered: the end of the function.
TEST_P(Programs, ArmsThatAllTrap) {
  CodeBuilder b;
  const auto hole = [&] { b.emit(Op::TrapNow, Scalar::None, u16(Trap::Hole)).i64_constant(0); };
  b.function("called", {I}, {I});
  b.load(0).i64_constant(0).op(Op::Le).if_();
  hole();
  b.else_(1);
  hole();
  b.end_if().end_function();
  b.function("entry", {I}, {I});
  b.load(0).call(0).i64_constant(1).op(Op::Add).end_function();
  for (const u32 entry : {0u, 1u}) {
    const CaseRun run = CaseRun(b.code, {{1, 0}}, entry).on(GetParam());
    for (u32 row = 0; row < 2; ++row) EXPECT_EQ(run.traps[row], Trap::Hole);
  }
}

TEST_P(Programs, NothingIsLeftOverFromTheCaseBefore) {
  // A case that traps deep in a recursion, between two that do not.
  const Code code = recursion(3);
  const CaseRun run = CaseRun(code, {{2, 50, 2, 1}}, 0).on(GetParam());
  expect_value(run, 0, 2, 3);
  EXPECT_EQ(run.traps[1], Trap::Depth);
  expect_value(run, 2, 2, 3);
  expect_value(run, 3, 1, 2);
}

// Halving 0 never ends. Case 1 ends at once, so that its lane waits for the others.
constexpr u64 kEndless[] = {0, 1, 0, 27, 0};

TEST_P(Programs, AStopThatNobodyRequestsChangesNothing) {
  if (warp_device(GetParam()) != nullptr) GTEST_SKIP() << "a launch looks at no stop token";
  const std::stop_source nobody;
  const u64 budget = 3 * vm::kTicksBetweenLooks + 5;
  const std::vector<std::vector<u64>> rows = {{std::begin(kEndless), std::end(kEndless)}};
  CaseRun run(collatz(i64{1} << 40), rows, 0, 1, budget);
  run.stop = nobody.get_token();
  run.on(GetParam());
  expect_value(run, 1, 0, 1);
  expect_value(run, 3, 111, 112);
  for (u32 row : {0, 2, 4}) {
    EXPECT_EQ(run.traps[row], Trap::Fuel);
    EXPECT_EQ(run.fuel[row], budget);
  }
}

TEST_P(Programs, AStopEndsAnEndlessRun) {
  if (warp_device(GetParam()) != nullptr) GTEST_SKIP() << "a launch looks at no stop token";
  std::stop_source source;
  const std::vector<std::vector<u64>> rows = {{std::begin(kEndless), std::end(kEndless)}};
  CaseRun run(collatz(std::numeric_limits<i64>::max()), rows, 0, 1, u64{1} << 62);
  run.stop = source.get_token();
  const std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.request_stop();
  });
  run.on(GetParam());
  EXPECT_TRUE(source.stop_requested());
}

}  // namespace
}  // namespace komuz::test
