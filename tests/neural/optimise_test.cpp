// SPDX-License-Identifier: Apache-2.0
// Judging proposals, and cheaper code for whole programs.
#include "neural/optimise/optimise.h"

#include <gtest/gtest.h>

#include <numeric>

#include "gen/gen.h"
#include "lang/copy_code.h"
#include "lang/text/code_text.h"
#include "neural/teacher/costs.h"
#include "tests/neural/changed_code.h"
#include "tests/neural/compiled.h"

namespace komuz::neural {
namespace {

using test::CompiledFunction;

// A function of scalars without loops and calls is a lone function.
Code lone(std::string_view source) {
  const CompiledFunction f(source);
  EXPECT_EQ(f.get().code.functions.size(), 1u) << source;
  return copy_code(f.get().code);
}
Proposal proposal(std::string_view source) {
  Proposal made{lone(source), Author::Model, 0};
  made.cost = cost_of_code(made.code.view(), 0);
  return made;
}
Judgement judged(const Code& reference, std::span<const Proposal> proposals,
                 const JudgeOptions& options = {}) {
  return judge(reference.view(), cost_of_code(reference.view(), 0), proposals, options);
}

constexpr std::string_view kSmaller = "pub fn f(a: u8, b: u8) -> u8 { if a < b { a } else { b } }";

TEST(Judge, TakesTheCheapestThatIsProved) {
  const Code reference = lone(kSmaller);
  const Proposal proposals[] = {
      proposal("pub fn f(a: u8, b: u8) -> u8 { a }"),          // wrong, and the cheapest
      proposal("pub fn f(a: u8, b: u8) -> u8 { max(a, b) }"),  // wrong
      proposal("pub fn f(a: u8, b: u8) -> u8 { min(min(a, b), b) }"),
      proposal("pub fn f(a: u8, b: u8) -> u8 { min(b, a) }"),
  };
  const Judgement out = judged(reference, proposals);
  ASSERT_TRUE(out.choice);
  EXPECT_EQ(*out.choice, 3u);
  EXPECT_EQ(out.equality.verdict, Verdict::Proved);
  EXPECT_EQ(out.refuted, 2u);
  EXPECT_EQ(out.unproved, 0u);
}

TEST(Judge, LeavesWhatIsNotCheaper) {
  const Proposal proposals[] = {
      proposal(kSmaller), proposal("pub fn f(a: u8, b: u8) -> u8 { min(min(a, b), min(b, a)) }")};
  const Code reference = lone("pub fn f(a: u8, b: u8) -> u8 { min(a, b) }");
  const Judgement out = judged(reference, proposals);
  EXPECT_FALSE(out.choice);
  EXPECT_EQ(out.refuted + out.unproved, 0u);
}

// What guided inputs do not find the solver does: one value of 2^64 makes the difference.
TEST(Judge, TheSolversArgumentsRefuteTheOthersToo) {
#ifndef KOMUZ_HAVE_Z3
  GTEST_SKIP() << "built without Z3";
#endif
  const Code reference = lone(
      "pub fn f(a: u64, b: u64) -> u64 { if a > 1000 && (a *% 0x9E3779B97F4A7C15) ^ b == 77 { 1 } "
      "else { 2 } }");
  const Proposal proposals[] = {proposal("pub fn f(a: u64, b: u64) -> u64 { 2 }")};
  const Judgement out = judged(reference, proposals);
  EXPECT_FALSE(out.choice);
  EXPECT_EQ(out.refuted, 1u);
  // Without a solver nobody finds it, and what is only tested is not taken.
  JudgeOptions tests;
  tests.resources = 0;
  EXPECT_FALSE(judged(reference, proposals, tests).choice);
  EXPECT_EQ(judged(reference, proposals, tests).refuted, 0u);
  EXPECT_EQ(judged(reference, proposals, tests).unproved, 1u);
  // But where a risk may be taken.
  tests.risk = 0.001;
  const Judgement taken = judged(reference, proposals, tests);
  ASSERT_TRUE(taken.choice);
  EXPECT_EQ(taken.equality.verdict, Verdict::Tested);
  EXPECT_LE(taken.equality.bound, 0.001);
}

TEST(Judge, SoManyInputsAsTheBoundNeeds) {
  for (const f64 risk : {0.1, 0.01, 0.001})
    for (const f64 confidence : {0.9, 0.95, 0.999}) {
      const u64 inputs = inputs_for(risk, confidence);
      EXPECT_LE(difference_bound(inputs, confidence), risk);
      EXPECT_GT(difference_bound(inputs - 1, confidence), risk);
    }
}

// Wrong code is never proved: mutants that other inputs than the judge's tell apart are not taken.
TEST(Judge, MutantsAreTakenOnlyIfTheyAreEqual) {
  u32 taken = 0, wrong = 0;
  for (u64 seed = 1; seed <= 60; ++seed) {
    frontend::Compiler compiler;
    frontend::Compilation made;
    compiler.compile(gen::generate_program(seed), made);
    ASSERT_TRUE(made.ok);
    for (u32 f = 0; f < made.code.functions.size(); ++f)
      for (const CodeWindow& window : find_code_windows(made.code.view(), f)) {
        const LoneWindow reference = lone_window(made.code.view(), window);
        std::vector<Proposal> proposals;
        Random random(seed);
        for (u32 k = 0; k < 4; ++k) {
          // Said to be cheaper, so that it is judged.
          if (std::optional<Code> mutant = test::mutant(reference.code, 0, random))
            proposals.push_back({std::move(*mutant), Author::Model, 0});
        }
        JudgeOptions options;
        options.resources = 100'000;
        const Judgement out = judge(reference.code.view(), 1, proposals, options);
        wrong += out.refuted;
        if (!out.choice) continue;
        ++taken;
        const Result<Equality> equal =
            compare({reference.code.view(), 0}, {proposals[*out.choice].code.view(), 0},
                    {.fuel = FuelRule::Same, .inputs = 20'000, .seed = 99, .uses_solver = false});
        ASSERT_FALSE(equal.problem());
        EXPECT_NE(equal.value().verdict, Verdict::Refuted) << seed;
      }
  }
  EXPECT_GT(taken, 20u);
  EXPECT_GT(wrong, 200u);
}

std::vector<u32> all_functions(const CodeView& code) {
  std::vector<u32> functions(code.functions.size());
  std::iota(functions.begin(), functions.end(), 0u);
  return functions;
}

TEST(Optimise, WindowsInLoopsAndArms) {
  const CompiledFunction f(
      "pub fn g(x: i64, n: i64) -> i64 { var s = 0; for i in 0..n { s = s ^ (if i < x { i } else { "
      "x }); } s }");
  const Optimised made = optimise(f.get().code, all_functions(f.get().code), {});
  EXPECT_EQ(made.refusal, "");
  ASSERT_EQ(made.cheaper.size(), 1u);
  EXPECT_LT(made.cheaper[0].cost_after, made.cheaper[0].cost_before);
  EXPECT_NE(disassemble(made.code.view()).find("MIN"), std::string::npos);
  const ExecutedInstructions executed =
      count_executed(f.get().code, made.code.view(), f.get().function, 64, 0, 10'000);
  EXPECT_LT(executed.after, executed.before);
}

// Any number of threads gives the same code and the same rows.
TEST(Optimise, ThreadsChangeNothing) {
  const CompiledFunction f(
      "fn a(x: u8, y: u8) -> u8 { if x < y { x } else { y } }\n"
      "fn b(x: u8, y: u8) -> bool { !(x < y) }\n"
      "fn c(x: bool, y: bool) -> bool { if x { !y } else { y } }\n"
      "pub fn f(x: u8, y: u8) -> u8 { if b(a(x, y), y) && c(x == y, x > y) { x & x } else { y } }");
  OptimiseOptions options;
  options.threads = 1;
  const Optimised alone = optimise(f.get().code, all_functions(f.get().code), options);
  options.threads = 4;
  const Optimised together = optimise(f.get().code, all_functions(f.get().code), options);
  EXPECT_GE(alone.cheaper.size(), 2u);
  EXPECT_EQ(alone.cheaper.size(), together.cheaper.size());
  EXPECT_EQ(disassemble(alone.code.view()), disassemble(together.code.view()));
}

TEST(Optimise, AStopLeavesTheCodeAsItWas) {
  const CompiledFunction f(kSmaller);
  std::stop_source stop;
  stop.request_stop();
  const engine::Watch watch(stop.get_token());
  OptimiseOptions options;
  options.watch = &watch;
  const Optimised made = optimise(f.get().code, all_functions(f.get().code), options);
  EXPECT_TRUE(made.is_interrupted);
  EXPECT_TRUE(made.cheaper.empty());
  EXPECT_TRUE(std::ranges::equal(made.code.instructions, f.get().code.instructions));
}

TEST(Optimise, RandomProgramsKeepTheirOutcomesAndTicks) {
  u64 cheaper = 0;
  OptimiseOptions options;
  options.by_teacher = false;
  for (u64 seed = 1; seed <= 60; ++seed) {
    frontend::Compiler compiler;
    frontend::Compilation made;
    compiler.compile(gen::generate_program(seed, {.containers = seed % 2 == 0}), made);
    ASSERT_TRUE(made.ok);
    const Optimised better = optimise(made.code.view(), all_functions(made.code.view()), options);
    EXPECT_EQ(better.refusal, "") << seed;
    cheaper += better.cheaper.size();
    const engine::EntryChoice entry = engine::choose_entry(made.code.view(), "");
    const u32 function = static_cast<u32>(entry.function);
    const Result<Equality> equal =
        compare({made.code.view(), function}, {better.code.view(), function},
                {.fuel = FuelRule::Same, .inputs = 500, .seed = 5, .uses_solver = false});
    if (equal.problem()) continue;
    EXPECT_NE(equal.value().verdict, Verdict::Refuted) << seed;
  }
  EXPECT_GT(cheaper, 0u);
}

}  // namespace
}  // namespace komuz::neural
