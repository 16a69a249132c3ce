// SPDX-License-Identifier: Apache-2.0
// Jobs with one case, for which the batch machine has special handlers if there is a loop: always the reference's
// results.
#include <gtest/gtest.h>

#include "tests/vm/agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"
#include "tests/vm/element_loops.h"
#include "tests/vm/sample_programs.h"

namespace komuz::test {
namespace {

constexpr Scalar I = Scalar::I64;

// Each of the cases as a job.
bool expect_each(std::vector<vm::BatchMachine>& machines, const Code& code,
                 const std::vector<std::vector<u64>>& rows, u64 budget = kDefaultFuel,
                 u32 function = 0) {
  const CaseRun wanted = [&] {
    CaseRun run(code, rows, function, 1, budget);
    run.reference();
    return run;
  }();
  const u32 count = u32(wanted.traps.size());
  for (u32 row = 0; row < count; ++row) {
    std::vector<std::vector<u64>> own;
    for (const std::vector<u64>& column : rows) own.push_back({column[row]});
    for (vm::BatchMachine& machine : machines) {
      CaseRun run(code, own, function, 1, budget);
      machine.run(run.job(), run.outcomes());
      bool agrees = run.traps[0] == wanted.traps[row] && run.places[0] == wanted.places[row] &&
                    run.depths[0] == wanted.depths[row] && run.fuel[0] == wanted.fuel[row];
      for (u32 k = 0; k < run.values.size(); ++k) agrees &= run.values[k] == wanted.value(row, k);
      if (agrees) continue;
      ADD_FAILURE() << simd_level_name(machine.level()) << ", case " << row << ": "
                    << trap_name(run.traps[0]) << " at " << run.places[0] << ", fuel "
                    << run.fuel[0] << "; the reference has " << trap_name(wanted.traps[row])
                    << " at " << wanted.places[row] << ", fuel " << wanted.fuel[row];
      return false;
    }
  }
  return true;
}

std::vector<vm::BatchMachine> machines() {
  std::vector<vm::BatchMachine> machines;
  for (const SimdLevel level : supported_levels()) machines.emplace_back(level);
  return machines;
}

// Operands in the frame, one of them a constant, or all of them.
TEST(OneLane, EveryOperationInALoop) {
  std::vector<vm::BatchMachine> all = machines();
  for (const Instruction& i : all_operations()) {
    const std::vector<Scalar> parameters = operand_types(i);
    const u32 operands = u32(parameters.size());
    for (u32 constant = 0; constant <= operands; ++constant) {
      CodeBuilder b;
      b.function("operation", parameters, {result_type(i)});
      const u16 kept = b.variable(result_type(i));
      b.constant(result_type(i), 0).store(kept).loop().tick();
      for (u32 k = 0; k < operands; ++k)
        if (k == constant)
          b.constant(parameters[k], edges(parameters[k])[1]);
        else
          b.load(u16(k));
      b.emit(i.op, i.type, i.a, i.b).store(kept).break_().end_loop().load(kept).end_function();
      std::vector<std::vector<u64>> rows;
      for (u32 k = 0; k < operands; ++k) rows.push_back(edge_column(parameters[k], 20, 3 * k + 1));
      if (!expect_each(all, b.code, rows)) FAIL() << operation_text(i) << ' ' << constant;
    }
  }
}

// A loop whose test is a comparison, with a LIMIT or without, that an inner one, CONTINUE and a return go out of.
Code tested_loop(Op comparison, Scalar type, bool has_limit) {
  CodeBuilder b;
  b.function("tested", {type, type, I}, {I});
  const u16 count = b.variable(I), left = b.variable(I);
  b.i64_constant(0).store(count).i64_constant(9).store(left);
  b.loop().load(0).load(1).op(comparison, type).break_if_false();
  if (has_limit) b.emit(Op::Limit, Scalar::None, left);
  b.tick();
  b.load(count).i64_constant(1).op(Op::Add).store(count);
  b.load(count).load(2).op(Op::Eq).if_().load(count).emit(Op::Return).end_if();
  b.load(count).i64_constant(3).op(Op::Rem).i64_constant(0).op(Op::Eq).if_().continue_().end_if();
  b.loop().load(count).i64_constant(5).op(Op::Lt).if_().break_().end_if().continue_(1).end_loop();
  b.load(1).store(0).end_loop().load(count).end_function();
  return b.code;
}

TEST(OneLane, LoopsThatStartWithATest) {
  std::vector<vm::BatchMachine> all = machines();
  for (const Op comparison : {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge})
    for (const Scalar type : kScalars)
      for (const bool has_limit : {false, true}) {
        if ((op_row(comparison).types & type_bit(type)) == 0) continue;
        const std::vector<std::vector<u64>> rows = {
            edge_column(type, 12, 1), edge_column(type, 12, 2), small_column(12, 12, 3)};
        const Code code = tested_loop(comparison, type, has_limit);
        for (const u64 budget : {4u, 60u})
          ASSERT_TRUE(expect_each(all, code, rows, budget))
              << op_row(comparison).mnemonic << ' ' << scalar_name(type) << ' ' << has_limit;
      }
}

TEST(OneLane, CountingLoops) {
  std::vector<vm::BatchMachine> all = machines();
  for (const Scalar type : {Scalar::I32, I, Scalar::U8, Scalar::U32, Scalar::U64})
    for (const bool inclusive : {false, true}) {
      CodeBuilder b;
      b.function("counts", {type, type}, {I, type});
      const u16 next = b.variable(type), bound = b.variable(type), variable = b.variable(type),
                count = b.variable(I);
      b.load(0).store(next).load(1).store(bound).load(0).store(variable).i64_constant(0).store(
          count);
      b.loop().for_next(next, inclusive).tick();
      b.load(count).i64_constant(1).op(Op::Add).store(count).end_loop();
      b.load(count).load(variable).end_function();
      ASSERT_TRUE(
          expect_each(all, b.code, {edge_column(type, 40, 1), edge_column(type, 40, 2)}, 300))
          << scalar_name(type) << ' ' << inclusive;
    }
}

TEST(OneLane, CallsAndRecursion) {
  std::vector<vm::BatchMachine> all = machines();
  CodeBuilder b = gcd(12);
  b.function("main", {I, I}, {I});
  b.load(0).load(1).call(0).load(1).load(0).call(0).op(Op::Add).end_function();
  const Code loops = collatz();
  for (const u64 budget : {u64{1}, u64{2}, u64{5}, u64{9}, kDefaultFuel}) {
    for (const u32 function : {0u, 1u})
      ASSERT_TRUE(expect_each(all, b.code, {small_column(30, 5000, 8), small_column(30, 5000, 9)},
                              budget, function));
    ASSERT_TRUE(
        expect_each(all, loops, {small_column(30, 10'000, 5), small_column(30, 400, 6)}, budget));
  }
}

// Handlers that go on by themselves may not take memory for it.
TEST(OneLane, ManyTicks) {
  std::vector<vm::BatchMachine> all = machines();
  CodeBuilder b;
  b.function("endless", {I}, {I})
      .loop()
      .bool_constant(true)
      .break_if_false()
      .tick()
      .load(0)
      .i64_constant(0)
      .op(Op::Add)
      .store(0);
  b.end_loop().load(0).end_function();
  for (vm::BatchMachine& machine : all) {
    CaseRun run(b.code, {{7}}, 0, 1, 5'000'000);
    machine.run(run.job(), run.outcomes());
    EXPECT_EQ(run.traps[0], Trap::Fuel);
    EXPECT_EQ(run.fuel[0], 5'000'000u);
  }
}

}  // namespace
}  // namespace komuz::test
