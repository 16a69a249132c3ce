// SPDX-License-Identifier: Apache-2.0
// Compiling within a budget, and compiling interrupted by a stop.
#include <gtest/gtest.h>

#include "frontend_gpu/columns/work_meter.h"
#include "frontend_gpu/frontend.h"

namespace komuz::frontend {
namespace {

std::string long_program(u32 statements) {
  std::string text = "pub fn f(x: f64) -> f64 {\n";
  for (u32 k = 0; k < statements; ++k)
    text += "let a" + std::to_string(k) + " = x * 2.0 + " + std::to_string(k) + ".5\n";
  return text + "x\n}\n";
}
DiagnosticCode refusal_of(const std::string& text, const CompileBudget& budget) {
  Compiler compiler({.budget = budget});
  Compilation out;
  compiler.compile(text, out);
  EXPECT_NE(out.ok, !out.diagnostics.empty());
  return out.diagnostics.empty() ? DiagnosticCode::None : out.diagnostics[0].code();
}

// For a program in compact columns, and for a longer one.
TEST(CompileBudget, IsMetByStepsAndBytesToTheLast) {
  for (const u32 statements : {20u, 2000u}) {
    const std::string text = long_program(statements);
    Compiler compiler;
    Compilation out;
    compiler.compile(text, out);
    ASSERT_TRUE(out.ok);
    const u64 work = compiler.work();
    EXPECT_LT(work, text.size() * kMostWorkOfByte);
    EXPECT_EQ(refusal_of(text, {text.size(), work}), DiagnosticCode::None);
    EXPECT_EQ(refusal_of(text, {text.size(), work - 1}), DiagnosticCode::OverWorkBudget);
    EXPECT_EQ(refusal_of(text, {text.size() - 1, work}), DiagnosticCode::OverByteBudget);
  }
}

// A search for duplicates lexes a text only once, which counts all the same.
TEST(CompileBudget, IsTheSameForATextThatWasIdentifiedBefore) {
  for (const u32 statements : {20u, 2000u}) {
    const std::string text = long_program(statements);
    Compiler compiler;
    Compilation out;
    compiler.compile(text, out);
    const u64 work = compiler.work();
    const TextHash identity = out.identity;
    EXPECT_EQ(compiler.identify(text), identity);
    compiler.compile(text, out);
    EXPECT_EQ(compiler.work(), work);
  }
}

TEST(CompileBudget, KeepsTheIdentityOfWhatItRefuses) {
  const std::string text = long_program(2000);
  Compiler compiler({.budget = {text.size(), 10'000}});
  const TextHash identity = compiler.identify(text);
  Compilation out;
  compiler.compile(text, out);
  EXPECT_EQ(out.identity, identity);
  compiler.compile("pub fn f(x: f64) -> f64 { x }", out);
  EXPECT_TRUE(out.ok);  // within it
}

// Wherever a pass is left, the next program is compiled as by a fresh compiler. A stop leaves passes in the same way.
TEST(CompileBudget, ThatEndsInAnyPassLeavesNothingBehind) {
  constexpr u64 kEnds = 60;
  const std::string text = long_program(6000), other = long_program(1);
  Compiler fresh;
  Compilation whole, next;
  fresh.compile(text, whole);
  ASSERT_TRUE(whole.ok);
  const u64 work = fresh.work();
  fresh.compile(other, next);
  ASSERT_LT(fresh.work(), work / kEnds);
  for (u64 end = 1; end < kEnds; ++end) {
    const u64 steps = work * end / kEnds;
    Compiler compiler({.budget = {text.size(), steps}});
    Compilation out;
    compiler.compile(text, out);
    ASSERT_EQ(out.diagnostics.size(), 1) << end;
    EXPECT_EQ(out.diagnostics[0].code(), DiagnosticCode::OverWorkBudget);
    EXPECT_GT(compiler.work(), steps);
    EXPECT_LT(compiler.work(), work);
    compiler.compile(other, out);
    EXPECT_TRUE(out.ok) << end;
    EXPECT_EQ(out.identity, next.identity);
    EXPECT_EQ(out.code.instructions, next.code.instructions) << end;
    EXPECT_EQ(out.code.constants, next.code.constants) << end;
  }
}

TEST(CompileBudget, AStopCutsALongProgramShortAndTheNextOneIsWhole) {
  const std::string text = long_program(8000);
  std::stop_source stop;
  Compiler compiler;
  compiler.stop_when(stop.get_token());
  Compilation out;
  compiler.compile(text, out);
  EXPECT_FALSE(out.stopped);
  EXPECT_TRUE(out.ok);
  stop.request_stop();
  compiler.compile(text, out);
  EXPECT_TRUE(out.stopped);
  EXPECT_FALSE(out.ok);
  EXPECT_TRUE(out.diagnostics.empty());
  EXPECT_LT(compiler.work(), 3 * WorkMeter::kBetweenLooks);
  EXPECT_EQ(compiler.identify(text), TextHash{});
  compiler.stop_when({});
  compiler.compile(text, out);
  EXPECT_FALSE(out.stopped);
}

}  // namespace
}  // namespace komuz::frontend
