// SPDX-License-Identifier: Apache-2.0
// Native code for many cases at a time against the reference.
#include <gtest/gtest.h>

#include "tests/backend/native_agreement.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

TEST(NativeLanes, RandomCodeAgreesWithReference) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  const Seeds chosen = seeds({1, 40, 1013});
  for (u64 n = 0; n < chosen.count; ++n) {
    const u64 seed = chosen.first + n * chosen.stride;
    constexpr u32 kSizes[] = {12, 40, 120};
    const GeneratedCode program = generate_code(
        seed, kSizes[seed % 3], seed % 4 == 3 ? ProgramKind::Loops : ProgramKind::Any);
    // The last vectors are not full.
    const u32 cases = 77;
    const auto rows = random_cases(program.code, program.entry, cases, seed);
    constexpr u64 kBudgets[] = {20'000, 7, 100, 40'000};
    if (!agreement.expect(program.code, rows, program.entry, cases, kBudgets[seed / 3 % 4],
                          kLaneWays)) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
  EXPECT_LE(agreement.refused() * 20, agreement.compared()) << agreement.last_refusal();
}

// What happens to a counter that indexes an area, so that some lanes come back with another number, or none does.
enum class Stepping : u8 {
  Plain,
  Twice,
  ContinueBefore,
  ContinueBehind,
  BreakBefore,
  InArm,
  InInnerLoop,
  ByOther,
  kCount
};

// f(n): xs[k] = k · k + n for each k, then the sum of xs[j] for j from 0 on, while j < n or so.
Code counting(Stepping stepping) {
  constexpr Scalar I = Scalar::I64;
  constexpr u32 kSlots = 8;
  CodeBuilder b;
  b.function("f", {I}, {I});
  const u16 next = b.variables(I, 3), k = u16(next + 2), j = b.variable(I), sum = b.variable(I),
            inner = b.variables(I, 3), xs = b.variables(I, kSlots);
  for (u32 n = 0; n < kSlots; ++n) b.i64_constant(0);
  b.store_slots(xs, kSlots)
      .i64_constant(0)
      .store(next)
      .i64_constant(kSlots - 1)
      .store(u16(next + 1));
  b.loop().for_next(next, true).tick();
  b.load(k).load(k).op(Op::Mul).load(0).op(Op::Add).load(k).store_at(xs, kSlots).end_loop();
  b.i64_constant(0).store(sum).i64_constant(0).store(j);
  b.loop().load(j).load(0).op(Op::Lt).break_if_false().tick();
  const auto step = [&] { b.load(j).i64_constant(1).op(Op::Add).store(j); };
  const auto is_odd = [&] { b.load(sum).i64_constant(1).op(Op::And).i64_constant(1).op(Op::Eq); };
  b.load(sum).load(j).load_at(xs, kSlots).op(Op::Add).store(sum);
  switch (stepping) {
    case Stepping::Plain: step(); break;
    case Stepping::Twice:
      step();
      b.load(sum).load(j).load_at(xs, kSlots).op(Op::Sub).store(sum);
      b.i64_constant(2).load(j).op(Op::Add).store(j);
      break;
    case Stepping::ContinueBefore:
      is_odd();
      b.if_().load(sum).i64_constant(1).op(Op::Add).store(sum).continue_().end_if();
      step();
      break;
    case Stepping::ContinueBehind:
      step();
      is_odd();
      b.if_().load(sum).i64_constant(1).op(Op::Add).store(sum).continue_().end_if();
      b.load(sum).i64_constant(3).op(Op::Add).store(sum);
      break;
    case Stepping::BreakBefore:
      is_odd();
      b.if_().break_().end_if();
      step();
      break;
    case Stepping::InArm:
      is_odd();
      b.if_();
      step();
      b.end_if();
      step();
      break;
    case Stepping::InInnerLoop:
      b.i64_constant(0).store(inner).load(0).i64_constant(3).op(Op::And).store(u16(inner + 1));
      b.loop().for_next(inner).tick();
      step();
      b.load(sum).load(u16(inner + 2)).load_at(xs, kSlots).op(Op::Add).store(sum).end_loop();
      step();
      break;
    case Stepping::ByOther:
    case Stepping::kCount: b.load(j).load(0).op(Op::Add).store(j); break;
  }
  b.end_loop().load(sum).load(j).i64_constant(7).op(Op::And).load_at(xs, kSlots).op(Op::Add);
  b.end_function();
  return b.code;
}

TEST(NativeLanes, CountersThatLanesShareOrNot) {
  KOMUZ_NEEDS_BACKEND;
  NativeAgreement agreement;
  std::vector<u64> row;
  for (i64 n = -2; n < 38; ++n) row.push_back(cell(n * 5 % 13));
  for (u8 n = 0; n < static_cast<u8>(Stepping::kCount); ++n)
    for (const u64 budget : {u64{25}, kDefaultFuel})
      ASSERT_TRUE(
          agreement.expect(counting(static_cast<Stepping>(n)), {row}, 0, 1, budget, kLaneWays))
          << u32{n};
  EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
}

TEST(NativeLanes, NoInstructionIsLoose) {
  KOMUZ_NEEDS_BACKEND;
  const GeneratedCode program = generate_code(5, 120);
  const CaseRun run(program.code, random_cases(program.code, program.entry, 1, 5), program.entry);
  for (const u32 lanes : {8u, 16u, 32u}) {
    const auto made = native_backend()->emit(run.job().code, program.entry,
                                             {.form = backend::Form::Ir,
                                              .symbol = "f_lanes",
                                              .processor = "x86-64-v4",
                                              .shape = {lanes}});
    EXPECT_EQ(made.problem().text(), "");
    if (made.problem()) return;
    expect_strict(made.value(), std::to_string(lanes) + " lanes");
  }
}

TEST(NativeLanes, OnlySomeNumbersOfThem) {
  KOMUZ_NEEDS_BACKEND;
  const CaseRun run(counting(Stepping::Plain), {{0}});
  const auto made =
      native_backend()->compile(run.job().code, 0, backend::Effort::Normal, "native", {12});
  EXPECT_NE(made.problem().text().find("12 cases at a time"), std::string::npos)
      << made.problem().text();
}

}  // namespace
}  // namespace komuz::test
