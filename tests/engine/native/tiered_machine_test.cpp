// SPDX-License-Identifier: Apache-2.0
// The machine that moves, against the reference: random code, and single cases that move in the middle.
#include "engine/native/tiered_machine.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "engine/testing/single_run.h"
#include "frontend_gpu/frontend.h"
#include "tests/engine/native/needs_backend.h"
#include "tests/vm/random_code.h"

namespace komuz::engine::test {
namespace {

using komuz::test::CaseRun;

void expect_same(CaseRun& run, CaseRun& wanted, u64 seed, u32 job) {
  EXPECT_EQ(run.values, wanted.values) << "seed " << seed << ", job " << job;
  EXPECT_EQ(run.traps, wanted.traps) << "seed " << seed << ", job " << job;
  EXPECT_EQ(run.places, wanted.places) << "seed " << seed << ", job " << job;
  EXPECT_EQ(run.depths, wanted.depths) << "seed " << seed << ", job " << job;
  EXPECT_EQ(run.fuel, wanted.fuel) << "seed " << seed << ", job " << job;
}

TEST(TieredMachine, RandomCodeMovesBetweenAnyJobs) {
  KOMUZ_NEEDS_NATIVE;
  const char* const stated = std::getenv("KOMUZ_SEEDS");
  const u64 seeds = stated != nullptr ? std::strtoull(stated, nullptr, 10) : 40;
  u64 native_cases = 0;
  for (u64 seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    const komuz::test::GeneratedCode made = komuz::test::generate_code(seed, 60);
    NativeTier tier(NativeChoice::Auto, {.forced_job = static_cast<u32>(seed % 3)});
    TieredMachine machine(&tier);
    machine.begin();
    for (u32 job = 0; job < 4; ++job) {
      const u32 cases = job == 1 ? 1 : 40;
      const u64 budget = job == 2 ? 30 : 2000;
      const auto rows = komuz::test::random_cases(made.code, made.entry, cases, seed * 10 + job);
      CaseRun run(made.code, rows, made.entry, cases, budget);
      CaseRun wanted(made.code, rows, made.entry, cases, budget);
      ASSERT_TRUE(run.is_checked());
      wanted.reference();
      machine.run(run.job(), TieredMachine::kUnknown, run.outcomes());
      expect_same(run, wanted, seed, job);
    }
    native_cases += tier.stats().native_cases;
  }
  EXPECT_GT(native_cases, 40 * seeds);
}

// What was noticed before somebody asked for native code becomes native all the same.
TEST(TieredMachine, WhatWasNoticedMovesOnceItIsWanted) {
  KOMUZ_NEEDS_NATIVE;
  constexpr u32 kRows = 40;
  const komuz::test::GeneratedCode made = komuz::test::generate_code(3, 60);
  NativeTier tier(NativeChoice::Auto, {.notice_ns = 0});
  TieredMachine machine(&tier);
  machine.begin();
  const auto rows = komuz::test::random_cases(made.code, made.entry, kRows, 1);
  CaseRun run(made.code, rows, made.entry, kRows, 2000);
  ASSERT_TRUE(run.is_checked());
  machine.run(run.job(), 0, run.outcomes());
  EXPECT_EQ(tier.stats().compiled, 0u);
  tier.choose(NativeChoice::Always);
  machine.run(run.job(), 0, run.outcomes());
  EXPECT_EQ(tier.stats().compiled, 1u);
  EXPECT_EQ(tier.stats().native_cases, kRows);
}

constexpr const char* kLong = R"(
pub fn count(n: i64) -> i64 { var t = 0; for i in 0..n { t = (t * 31 + i) % 10007; } t }
pub fn endless(n: i64) -> i64 { var t = n; while t != -1 { t = (t + 1) % 1000; } t }
pub fn overflows(n: i64) -> i64 { var t = 1; for i in 0..n { if i == n - 3 { t = t << 62; t = t * 8; } } t }
fn down(n: i64) -> i64 rec 50 { if n == 0 { 0 } else { 1 + down(n - 1) } }
pub fn deep(n: i64) -> i64 { var t = 0; for i in 0..n { t += down(i % 50 + i / (n - 1)); } t }
pub fn asserts(n: i64) -> i64 { for i in 0..n { assert i * 2 != n; } n }
)";

// A case that runs alone begins again natively in the middle: the outcome is that of the whole budget.
TEST(TieredMachine, ALongCaseMovesInTheMiddle) {
  KOMUZ_NEEDS_NATIVE;
  frontend::Compiler compiler;
  frontend::Compilation program;
  compiler.compile(kLong, program);
  ASSERT_TRUE(program.ok);
  const CodeView code = program.code.view();
  for (const u64 fuel : {u64{1'500}, u64{40'000}, u64{400'000}})
    for (u32 function = 0; function < code.functions.size(); ++function) {
      if (!code.functions[function].is_public) continue;
      SingleRun wanted;
      run_single(code, function, std::vector<u64>{20'000}, fuel, wanted);
      for (const bool is_forced : {true, false}) {
        NativeTier tier(NativeChoice::Auto, {.notice_ns = 0,
                                             .first_ticks = 3'000,
                                             .long_ticks = 3'000,
                                             .forces_long_cases = is_forced});
        SingleRun run;
        run_single(code, function, std::vector<u64>{20'000}, fuel, run, nullptr, &tier);
        const std::string at =
            std::string(code.name(code.functions[function])) + ", fuel " + std::to_string(fuel);
        EXPECT_EQ(run.value, wanted.value) << at;
        EXPECT_EQ(run.trap, wanted.trap) << at;
        EXPECT_EQ(run.place, wanted.place) << at;
        EXPECT_EQ(run.depth, wanted.depth) << at;
        EXPECT_EQ(run.fuel, wanted.fuel) << at;
        EXPECT_EQ(run.compared.has_value(), wanted.compared.has_value()) << at;
        const bool must_move = is_forced && fuel > 3'000;
        if (must_move) {
          EXPECT_EQ(tier.stats().native_cases, 1u) << at;
        }
      }
    }
}

// Without an end in sight, on the batch machine or natively.
TEST(TieredMachine, AStopEndsALongCase) {
  KOMUZ_NEEDS_NATIVE;
  frontend::Compiler compiler;
  frontend::Compilation program;
  compiler.compile(kLong, program);
  const CodeView code = program.code.view();
  const auto endless = static_cast<u32>(code.find_function("endless"));
  for (const NativeChoice choice : {NativeChoice::Auto, NativeChoice::Always}) {
    NativeTier tier(choice);
    std::stop_source stop;
    const std::stop_token token = stop.get_token();
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      stop.request_stop();
    });
    SingleRun run;
    run_single(code, endless, std::vector<u64>{0}, u64{1} << 60, run, &token, &tier);
    later.join();
  }
}

}  // namespace
}  // namespace komuz::engine::test
