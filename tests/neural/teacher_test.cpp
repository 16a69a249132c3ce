// SPDX-License-Identifier: Apache-2.0
// The teacher: windows of code and their trees, short expressions, and what is put in their place.
#include <gtest/gtest.h>

#include "gen/gen.h"
#include "lang/check/check_code.h"
#include "lang/text/code_text.h"
#include "neural/teacher/replace_window.h"
#include "neural/teacher/teach.h"
#include "tests/neural/compiled.h"

namespace komuz::neural {
namespace {

using test::CompiledFunction;

TEST(Windows, TheSameExpressionGivesTheSameCode) {
  // What is read and written again is the code itself, as no node is shared there.
  u32 windows = 0;
  for (u64 seed = 1; seed <= 300; ++seed) {
    frontend::Compiler compiler;
    frontend::Compilation made;
    compiler.compile(gen::generate_program(seed, {.containers = seed % 2 == 0}), made);
    ASSERT_TRUE(made.ok);
    Code code = made.code;
    for (u32 f = 0; f < code.functions.size(); ++f)
      for (const Window& window : find_windows(code.view(), code.functions[f])) {
        ++windows;
        replace_window(code, f, window.begin, window.end, window.expression);
        ASSERT_EQ(code.instructions.size(), made.code.instructions.size());
      }
    for (size_t at = 0; at < code.instructions.size(); ++at) {
      const Instruction &a = code.instructions[at], &b = made.code.instructions[at];
      if (a.op == Op::LoadConst)
        EXPECT_EQ(code.constants[a.b], made.code.constants[b.b]);
      else
        EXPECT_EQ(a, b) << seed << ", instruction " << at;
    }
    EXPECT_EQ(check_code(code.view(), code.functions).reason, "");
  }
  EXPECT_GT(windows, 3000u);
}

TEST(Windows, LazyOperandsAndArmsAreEvaluatedWhereTheyAreTaken) {
  const CompiledFunction f(
      "pub fn f(x: i64, y: i64) -> bool { if y != 0 && x / y > 3 { x % y == 0 } else { x + 1 > y } "
      "}");
  const std::vector<Window> windows =
      find_windows(f.get().code, f.get().code.functions[f.get().function]);
  ASSERT_EQ(windows.size(), 1u);
  const Expression& e = windows[0].expression;
  const auto outcome = [&](i64 x, i64 y) {
    const u64 slots[] = {static_cast<u64>(x), static_cast<u64>(y)};
    return evaluate_expression(e, slots);
  };
  EXPECT_EQ(outcome(8, 2), (ExpressionOutcome{1, Trap::None}));
  EXPECT_EQ(outcome(9, 2), (ExpressionOutcome{0, Trap::None}));
  EXPECT_EQ(outcome(5, 0), (ExpressionOutcome{1, Trap::None}));
  EXPECT_EQ(outcome(INT64_MAX, 0), (ExpressionOutcome{0, Trap::Overflow}));
}

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
    TeachOptions options;
    options.limits = {3, 4'000};
    const Taught result = teach(made.code.view(), function, options);
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
