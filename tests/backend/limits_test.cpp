// SPDX-License-Identifier: Apache-2.0
// Where native code ends: budgets, stops, deep recursion, large frames; and what the backend refuses, with its reason.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/backend/child_process.h"
#include "tests/backend/native_agreement.h"
#include "tests/backend/no_code_memory.h"

namespace komuz::test {
namespace {

// All that counts ticks, calls and keeps memory in a way of its own.
constexpr Making kLimitWays[] = {{backend::Effort::Quick},
                                 {backend::Effort::Normal},
                                 {backend::Effort::Full},
                                 {backend::Effort::Normal, "native", {8}},
                                 {backend::Effort::Normal, "native", {16}},
                                 {backend::Effort::Normal, "x86-64", {8}}};

// f(n) = n < 1 ? 0 : 1 + f(n - 1)
Code recursion(u16 rec) {
  CodeBuilder b;
  b.function("f", {Scalar::I64}, {Scalar::I64}, rec);
  b.load(0).i64_constant(1).op(Op::Lt, Scalar::I64).if_().i64_constant(0).else_(1);
  b.load(0).i64_constant(1).op(Op::Sub, Scalar::I64).emit(Op::Call, Scalar::None, 0);
  b.i64_constant(1).op(Op::Add, Scalar::I64).end_if().end_function();
  return b.code;
}

// Counts for ever.
Code endless() {
  CodeBuilder b;
  b.function("f", {Scalar::I64}, {Scalar::I64});
  b.loop().bool_constant(true).break_if_false().tick();
  b.load(0).i64_constant(1).op(Op::AddWrap, Scalar::I64).store(0);
  b.end_loop().load(0).end_function();
  return b.code;
}

// Takes `ticks` at once.
Code ticking() {
  CodeBuilder b;
  b.function("f", {Scalar::I64}, {Scalar::I64});
  b.load(0).emit(Op::Ticks).tick().load(0).end_function();
  return b.code;
}

TEST(NativeLimits, BudgetsEndAtTheTickOfTheReference) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  // Around the slices in which ticks are counted.
  for (const u64 budget : {0u, 1u, 2u, 3u, 16383u, 16384u, 16385u, 16386u, 32769u, 49153u})
    ASSERT_TRUE(agreement.expect(endless(), {{0, 5}}, 0, 1, budget, kLimitWays)) << budget;
  const i64 counts[] = {-1,
                        0,
                        1,
                        2,
                        16382,
                        16383,
                        16384,
                        16385,
                        40'000,
                        i64{1} << 40,
                        std::numeric_limits<i64>::min(),
                        std::numeric_limits<i64>::max()};
  std::vector<u64> row;
  for (const i64 count : counts) row.push_back(cell(count));
  for (const u64 budget : {u64{0}, u64{1}, u64{2}, u64{16384}, u64{16385}, u64{16386}, u64{40'002},
                           ~u64{0} >> 1, ~u64{0}})
    ASSERT_TRUE(agreement.expect(ticking(), {row}, 0, 1, budget, kLimitWays)) << budget;
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

TEST(NativeLimits, RecursionUpToItsBoundAndBeyond) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  for (const u32 rec : {1u, 2u, 1000u})
    ASSERT_TRUE(
        agreement.expect(recursion(static_cast<u16>(rec)), {{0, 1, 2, 998, 999, 1000, 5000}}));
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

// Lanes that recurse differently; frames of many vectors take more of the stack.
TEST(NativeLimits, RecursionInLanes) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  for (const u32 rec : {1u, 2u, 50u})
    ASSERT_TRUE(agreement.expect(recursion(static_cast<u16>(rec)),
                                 {{0, 1, 2, 48, 49, 50, 5000, 3, cell(-1), 17}}, 0, 1, kDefaultFuel,
                                 kLaneWays));
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
  const CaseRun deep(recursion(2700), {{0}});
  ASSERT_TRUE(deep.is_checked());
  const auto made =
      native_backend()->compile(deep.job().code, 0, backend::Effort::Normal, "native", {32});
  EXPECT_NE(made.problem().text().find("bytes of the stack"), std::string::npos)
      << made.problem().text();
}

// Cells are moved as memory, so code does not become longer with them.
TEST(NativeLimits, LargeArraysInLanes) {
  KOMUZ_NEEDS_BACKEND;
  CodeBuilder b;
  b.function("f", {Scalar::I64}, {Scalar::I64});
  const u32 slots = 1000;
  const u16 area = b.variables(Scalar::I64, slots), other = b.variables(Scalar::I64, slots);
  std::vector<u64> numbers(slots);
  for (u32 k = 0; k < slots; ++k) numbers[k] = k * 7;
  b.load(0).repeat(1, slots).store_slots(area, slots).constants(Scalar::I64, numbers);
  b.store_slots(other, slots).load(0).i64_constant(3).op(Op::Lt).if_();
  b.load_slots(other, slots).store_slots(area, slots).constants(Scalar::I64, numbers);
  b.store_slots(other, slots).end_if();
  // Most lanes move other cells than their neighbours.
  b.load(0).load_at(area, slots, 400).load(0).i64_constant(5).op(Op::Add);
  b.store_at(other, slots, 400);
  b.load(0).load_at(other, slots).load(0).i64_constant(9).op(Op::Add).load_at(other, slots);
  b.op(Op::Add).load_slots(area, slots).load_slots(other, slots);
  b.eq_cells(Scalar::I64, 20, 20, 1020).project(1, u16(2 * slots + 1), u16(2 * slots));
  b.if_().i64_constant(1).else_(1).i64_constant(0).end_if().op(Op::Add).end_function();
  NativeAgreement agreement;
  EXPECT_TRUE(agreement.expect(b.code, {{0, 1, 2, 3, 4, 594, 595, 596, 600, 601, cell(-1), 7}}, 0,
                               1, kDefaultFuel, kLimitWays));
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

TEST(NativeLimits, AStopEndsARun) {
  KOMUZ_NEEDS_BACKEND;
  for (const Making& making : kLimitWays) {
    CaseRun stopped(endless(), {{0}}, 0, 1, ~u64{0} >> 1);
    const auto native = native_backend()->compile(stopped.job().code, 0, making.effort,
                                                  making.processor, making.shape);
    ASSERT_EQ(native.problem().text(), "");
    std::stop_source stop;
    const std::stop_token token = stop.get_token();
    std::jthread other([&stop] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      stop.request_stop();
    });
    // It would take centuries else.
    native.value().run({stopped.job().cases, ~u64{0} >> 1, &token}, stopped.outcomes());
  }
}

// Areas that are too large for the stack lie in the scratch memory of each frame.
TEST(NativeLimits, LargeFramesOfRecursion) {
  KOMUZ_NEEDS_BACKEND;
  CodeBuilder b;
  b.function("f", {Scalar::I64}, {Scalar::I64}, 7);
  const u32 slots = 520;
  const u16 area = b.variables(Scalar::I64, slots);
  b.i64_constant(7).emit(Op::Repeat, Scalar::None, 1, slots).store_slots(area, slots);
  b.load(0).load(0).store_at(area, slots, 1);
  b.load(0).i64_constant(1).op(Op::Lt, Scalar::I64).if_().i64_constant(0).else_(1);
  b.load(0).i64_constant(1).op(Op::Sub, Scalar::I64).emit(Op::Call, Scalar::None, 0).end_if();
  b.load(0).load_at(area, slots, 1).op(Op::Add, Scalar::I64);
  b.i64_constant(3).load_at(area, slots, 1).op(Op::Add, Scalar::I64).end_function();
  NativeAgreement agreement;
  EXPECT_TRUE(agreement.expect(b.code, {{0, 1, 3, 5, 6, 7, 8, 519, 520, cell(-1)}}, 0, 1,
                               kDefaultFuel, kLimitWays));
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

// More parameters and results than registers.
TEST(NativeLimits, ManyParametersAndResults) {
  KOMUZ_NEEDS_BACKEND;
  for (const u32 count : {8u, 9u, 60u, 100u}) {
    CodeBuilder b;
    const std::vector<Scalar> cells(count, Scalar::U8);
    b.function("turn", cells, cells);
    for (u32 k = count; k-- > 0;) b.load(static_cast<u16>(k));
    b.end_function();
    b.function("f", cells, cells);
    b.load_slots(0, count).emit(Op::Call, Scalar::None, 0).emit(Op::Call, Scalar::None, 0);
    b.emit(Op::Call, Scalar::None, 0).end_function();
    std::vector<std::vector<u64>> rows;
    for (u32 k = 0; k < count; ++k) rows.push_back({k % 256, (k * 7 + 1) % 256});
    NativeAgreement agreement;
    EXPECT_TRUE(agreement.expect(b.code, rows, 1, 1, kDefaultFuel, kLimitWays)) << count;
    EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
  }
}

TEST(NativeLimits, WhatIsTooLargeIsRefusedWithAReason) {
  KOMUZ_NEEDS_BACKEND;
  CodeBuilder b;
  b.function("f", {}, {});
  for (u32 k = 0; k < 10'001; ++k) b.i64_constant(1).project(0, 1, 0);
  b.end_function();
  const CaseRun run(b.code, {});
  const auto native = native_backend()->compile(run.job().code, 0, backend::Effort::Quick);
  EXPECT_NE(native.problem().text().find("native code is made for at most"), std::string::npos)
      << native.problem().text();
  // A small frame of bytecode whose values are many: without passes each has a place of its own on the stack.
  CodeBuilder deep;
  deep.function("f", {Scalar::I64}, {}, 4096).load(0);
  for (u32 k = 0; k < 60; ++k) deep.op(Op::Neg, Scalar::I64);
  deep.emit(Op::Call, Scalar::None, 0).end_function();
  const CaseRun deep_run(deep.code, {{0}});
  const auto refused = native_backend()->compile(deep_run.job().code, 0, backend::Effort::Quick);
  EXPECT_NE(refused.problem().text().find("bytes of the stack"), std::string::npos)
      << refused.problem().text();
}

TEST(NativeLimits, WithoutMemoryForCodeTheReasonIsSaid) {
  KOMUZ_NEEDS_BACKEND;
  const CaseRun run(recursion(10), {{0}});
  ASSERT_TRUE(run.is_checked());
  const std::string said = in_child([&] {
    if (!refuse_code_memory()) return std::string("the kernel does not do it");
    const vm::Job job = run.job();
    const auto made = native_backend()->compile(job.code, 0, backend::Effort::Normal);
    // Files are made all the same.
    const auto file = native_backend()->emit(job.code, 0, {.symbol = "f_case"});
    return made.problem().text() + "; " + file.problem().text();
  });
  if (said == "the kernel does not do it") GTEST_SKIP() << said;
  EXPECT_EQ(said, "the system gives no memory for code: Permission denied; ");
}

TEST(NativeLimits, UnknownProcessorsAreNamed) {
  KOMUZ_NEEDS_BACKEND;
  const CaseRun run(endless(), {{0}});
  const auto made =
      native_backend()->emit(run.job().code, 0, {.symbol = "f_case", .processor = "z80"});
  EXPECT_NE(made.problem().text().find("`z80`"), std::string::npos) << made.problem().text();
}

// As GPUs run it, a budget has a sign: what is more than that is as much as there is.
TEST(NativeLimits, BudgetsWithoutSlices) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  for (const u64 budget : {u64{1}, u64{40'002}, ~u64{0} >> 1, u64{1} << 63, ~u64{0}})
    ASSERT_TRUE(agreement.expect(ticking(), {{0, 5, 40'000, u64{1} << 40, cell(-1)}}, 0, 1, budget,
                                 kDeviceWays))
        << budget;
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

TEST(NativeLimits, WhatNoShapeHasIsRefused) {
  KOMUZ_NEEDS_BACKEND;
  const Code code = endless();
  const auto refusal = [&](const backend::EmitRequest& request) {
    const Result<std::string> made = native_backend()->emit(code.view(), 0, request);
    return made.problem() ? made.problem().message() : std::string("none");
  };
  const auto with = [](std::span<const backend::CFunction> functions, backend::Shape shape) {
    backend::EmitRequest request;
    request.symbol = "f_case", request.c_functions = functions, request.shape = shape;
    return request;
  };
  backend::CellRun run = {0, 1, 0, 0, backend::kNoGuard, 0, 0, backend::kNoLimit};
  const backend::CObject number = {&run, 1, 1, 8, 1};
  backend::CFunction f = {0, 1, &number, number, kDefaultFuel, 0, 0, "f"};
  EXPECT_EQ(refusal(with({&f, 1}, {})), "none");
  EXPECT_EQ(refusal(with({&f, 1}, {8})), "functions for C run one case at a time, not 8");
  EXPECT_EQ(refusal(with({&f, 1}, {1, true})), "there are no functions for C in code for GPUs");
  EXPECT_EQ(refusal(with({}, {16, true})), "code for GPUs has one case a thread, not 16");
  EXPECT_NE(refusal(with({}, {4})).find("8, 16 or 32"), std::string::npos);
  // A name that the code itself needs, and one that LLVM would change.
  for (const char* const name : {"malloc", "memset", "llvm.trap"}) {
    f.symbol = name;
    EXPECT_NE(refusal(with({&f, 1}, {})), "none") << name;
  }
}

}  // namespace
}  // namespace komuz::test
