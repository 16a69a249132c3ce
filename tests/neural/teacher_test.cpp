// SPDX-License-Identifier: Apache-2.0
// The teacher: what it finds for windows of code, and what is put in their place.
#include <gtest/gtest.h>

#include "gen/gen.h"
#include "lang/check/check_code.h"
#include "lang/text/code_text.h"
#include "neural/teacher/teach.h"
#include "tests/neural/compiled.h"

namespace komuz::neural {
namespace {

using test::CompiledFunction;

// Small types are proved by all inputs, so these need no solver.
Taught taught(std::string_view source) {
  const CompiledFunction f(source);
  return teach(f.get().code, f.get().function, {});
}
std::string text_of(const Taught& result) { return disassemble(result.code.view()); }

TEST(Teacher, FindsCheaperCodeAndProvesIt) {
  struct {
    std::string_view source, operation;
  } const kCases[] = {
      {"pub fn f(a: u8, b: u8) -> u8 { if a < b { a } else { b } }", "MIN"},
      {"pub fn f(a: u8, b: u8) -> u8 { if b == 0 { 0 } else { a / b } }", "DIV0"},
      {"pub fn f(a: bool, b: bool) -> bool { if a { !b } else { b } }", "bool"},
      {"pub fn f(a: u8) -> bool { a >= 1 && a != 0 }", "COMPARE"},
  };
  for (const auto& [source, operation] : kCases) {
    const CompiledFunction f(source);
    const Taught result = teach(f.get().code, f.get().function, {});
    ASSERT_FALSE(result.replacements.empty()) << source;
    const std::string text = text_of(result);
    EXPECT_NE(text.find(operation), std::string::npos) << text;
    EXPECT_EQ(text.find("JUMP"), std::string::npos) << text;
    const Result<Equality> equal =
        compare(f.get(), {result.code.view(), f.get().function}, {.fuel = FuelRule::Same});
    ASSERT_FALSE(equal.problem());
    EXPECT_EQ(equal.value().verdict, Verdict::Proved) << text;
  }
}

// A window ends where control meets it that comes from before: behind a lazy operator, and behind the arms of an `if`.
TEST(Teacher, WindowsEndWhereWaysMeet) {
  for (const std::string_view source :
       {"fn g(x: u8) -> bool rec 9 { if x < 3 { true } else { g(x / 2) && x != 200 } }\n"
        "pub fn f(x: u8, y: u8) -> bool { !(g(x) && x < y) }",
        "fn g(x: u8) -> u8 rec 9 { if x < 3 { x } else { g(x / 2) } }\n"
        "pub fn f(c: bool, x: u8, y: u8) -> u8 { (if c { g(x) } else { x & y }) & y }"}) {
    const CompiledFunction f(source);
    const Taught result = teach(f.get().code, f.get().function, {});
    EXPECT_FALSE(result.is_given_up) << source;
    const Result<Equality> equal =
        compare(f.get(), {result.code.view(), f.get().function}, {.fuel = FuelRule::Same});
    ASSERT_FALSE(equal.problem());
    EXPECT_EQ(equal.value().verdict, Verdict::Proved) << text_of(result);
  }
}

TEST(Teacher, LeavesWhatIsCheapAndWhatItCannotProve) {
  const Taught cheap = taught("pub fn f(a: u8, b: u8) -> u8 { min(a, b) }");
  EXPECT_TRUE(cheap.replacements.empty());
  // The traps differ: a sum that overflows is no maximum.
  const Taught traps = taught("pub fn f(a: u8, b: u8) -> u8 { (a + b) - b }");
  EXPECT_TRUE(traps.replacements.empty()) << text_of(traps);
}

TEST(Teacher, RandomProgramsKeepTheirOutcomes) {
  u32 replaced = 0;
  for (u64 seed = 1; seed <= 40; ++seed) {
    frontend::Compiler compiler;
    frontend::Compilation made;
    compiler.compile(
        gen::generate_program(
            seed, {.functions = 2, .constants = 1, .statements = 2, .depth = 3, .tests = false}),
        made);
    ASSERT_TRUE(made.ok);
    const engine::EntryChoice entry = engine::choose_entry(made.code.view(), "");
    ASSERT_EQ(entry.refusal, "");
    const u32 function = static_cast<u32>(entry.function);
    const Taught result = teach(made.code.view(), function, {});
    replaced += static_cast<u32>(result.replacements.size());
    EqualityOptions by;
    by.fuel = FuelRule::Same;
    by.uses_solver = false;
    by.ticks = 10'000;
    const Result<Equality> equal =
        compare({made.code.view(), function}, {result.code.view(), function}, by);
    ASSERT_FALSE(equal.problem());
    EXPECT_NE(equal.value().verdict, Verdict::Refuted) << "seed " << seed;
  }
  EXPECT_GT(replaced, 0u);
}

}  // namespace
}  // namespace komuz::neural
