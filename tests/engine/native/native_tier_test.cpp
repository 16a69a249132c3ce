// SPDX-License-Identifier: Apache-2.0
// Nothing of the native tier shows in results: reports have the same bytes, wherever a program moves.
#include "engine/native/native_tier.h"

#include "tests/engine/evaluations.h"
#include "tests/engine/native/needs_backend.h"
#include "tests/engine/native/tier_programs.h"

namespace komuz::engine::test {
namespace {

struct Limits {
  const char* name;
  u64 fuel;
  std::optional<u64> budget;
  ScoreKind score;
};
constexpr Limits kLimits[] = {{"much fuel", kTierFuel, {}, ScoreKind::Exact},
                              {"little fuel", 300, {}, ScoreKind::Exact},
                              {"a budget", 2'000, 6'000, ScoreKind::AbsoluteError}};

std::string report(const Limits& limits, const std::string& csv, NativeTier* tier, u32 threads) {
  EvaluateOptions options;
  options.limits.fuel = limits.fuel;
  options.limits.candidate_budget = limits.budget;
  options.ranking.score = limits.score;
  options.machines.native = tier;
  options.machines.threads = threads;
  return report_of(evaluate_all(kTierPrograms, options, csv));
}

TEST(NativeTier, EveryPlaceOfAMoveGivesTheSameBytes) {
  KOMUZ_NEEDS_NATIVE;
  const std::string csv = many_cases(1500);
  for (const Limits& limits : kLimits) {
    const std::string wanted = report(limits, csv, nullptr, 1);
    NativeTier never(NativeChoice::Never);
    EXPECT_EQ(report(limits, csv, &never, 2), wanted) << limits.name;
    EXPECT_EQ(never.stats().compiled, 0u);
    for (u32 job = 0; job < 5; ++job) {
      NativeTier tier(NativeChoice::Auto, {.forced_job = job});
      EXPECT_EQ(report(limits, csv, &tier, 1 + job % 2), wanted)
          << limits.name << ", from job " << job << " on";
      EXPECT_NE(tier.stats().compiled, 0u);
      EXPECT_NE(tier.stats().native_cases, 0u);
      EXPECT_TRUE(tier.reasons().empty());
    }
    NativeTier always(NativeChoice::Always);
    EXPECT_EQ(report(limits, csv, &always, 2), wanted) << limits.name;
    EXPECT_GE(always.stats().compiled, kTierPrograms.size());  // some for single cases, too
    // Whenever it is noticed, and whatever the clock says.
    NativeTier eager(NativeChoice::Auto, {.notice_ns = 0});
    EXPECT_EQ(report(limits, csv, &eager, 2), wanted) << limits.name;
  }
}

TEST(NativeTier, WhatRunsLongIsCompiledBeside) {
  KOMUZ_NEEDS_NATIVE;
  const std::string csv = many_cases(20'000);
  const std::vector<Candidate> fib = {
      {"fib",
       "fn fib(n: i64) -> i64 rec 40 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }\n"
       "pub fn f(n: i64) -> i64 { fib(15 + n % 3) }",
       {}}};
  EvaluateOptions options;
  const std::string wanted = report_of(evaluate_all(fib, options, csv));
  NativeTier tier(NativeChoice::Auto);
  options.machines.native = &tier;
  // The thread beside may get no processor for long. What is compiled stays.
  for (u32 runs = 0; runs < 100 && tier.stats().native_cases == 0; ++runs)
    ASSERT_EQ(report_of(evaluate_all(fib, options, csv)), wanted);
  const TierStats stats = tier.stats();
  EXPECT_EQ(stats.compiled, 1u);
  EXPECT_NE(stats.native_cases, 0u);
  EXPECT_GT(stats.compile_seconds, 0);
  EXPECT_GT(stats.vm_seconds, 0);
}

// Ranking of expressions is what the batch machine is best at.
TEST(NativeTier, ManyExpressionsStartNoCompile) {
  std::vector<std::string> sources;
  std::vector<Candidate> candidates;
  for (u32 k = 0; k < 10'000; ++k)
    sources.push_back("pub fn f(n: i64) -> i64 { (n * " + std::to_string(k) + " + " +
                      std::to_string(k % 7) + ") / (n + 1) - n % " + std::to_string(k + 1) + " }");
  for (const std::string& source : sources) candidates.push_back({"", source, {}});
  NativeTier tier(NativeChoice::Auto);
  EvaluateOptions options;
  options.machines.native = &tier;
  CandidateList list(candidates);
  const CasesTable table = table_of(many_cases(256));
  Results results;
  ASSERT_FALSE(evaluate(list, table, options, results));
  EXPECT_EQ(results.rows.size(), candidates.size());
  const TierStats stats = tier.stats();
  EXPECT_EQ(stats.compiled + stats.refused, 0u);
}

// A program that is refused runs on the virtual machines, and the tier says why.
TEST(NativeTier, ARefusalHasAReason) {
  KOMUZ_NEEDS_NATIVE;
  std::string source = "pub fn f(n: i64) -> i64 { var t = n;\n";
  for (u32 k = 0; k < 8000; ++k) source += "t = (t * 3 + " + std::to_string(k) + ") % 1009;\n";
  source += "t }";
  const std::vector<Candidate> large = {{"large", source, {}}};
  EvaluateOptions options;
  const std::string wanted = report_of(evaluate_all(large, options, many_cases(10)));
  NativeTier tier(NativeChoice::Always);
  options.machines.native = &tier;
  EXPECT_EQ(report_of(evaluate_all(large, options, many_cases(10))), wanted);
  EXPECT_EQ(tier.stats().compiled, 0u);
  EXPECT_EQ(tier.stats().refused, 1u);
  ASSERT_EQ(tier.reasons().size(), 1u);
  EXPECT_TRUE(tier.reasons()[0].starts_with("no native code of `f`: its instructions"))
      << tier.reasons()[0];
}

TEST(NativeTier, AStopDoesNotWaitForACompile) {
  KOMUZ_NEEDS_NATIVE;
  frontend::Compiler compiler;
  frontend::Compilation program;
  compiler.compile(kTierPrograms[0].source, program);
  const CodeView code = program.code.view();
  std::stop_source stop;
  stop.request_stop();
  const std::stop_token token = stop.get_token();
  NativeTier tier(NativeChoice::Always);
  EXPECT_EQ(tier.compile_now(code, 1, Company::Many, &token), nullptr);
}

TEST(NativeTier, SlowerCodeIsLeft) {
  KOMUZ_NEEDS_NATIVE;
  frontend::Compiler compiler;
  frontend::Compilation program;
  compiler.compile(kTierPrograms[0].source, program);
  const CodeView code = program.code.view();
  for (const bool is_slower : {false, true}) {
    NativeTier tier(NativeChoice::Auto);
    const std::shared_ptr<TieredCode> found = tier.compile_now(code, 1, Company::Many, nullptr);
    ASSERT_NE(found, nullptr);
    found->note_vm(1000, 10'000'000);
    found->note_native(10, 1000, is_slower ? 11'000'000 : 9'000'000);
    tier.leave_if_slower(*found);
    EXPECT_EQ(found->native() == nullptr, is_slower);
    EXPECT_EQ(tier.stats().left_again, is_slower ? 1u : 0u);
  }
}

}  // namespace
}  // namespace komuz::engine::test
