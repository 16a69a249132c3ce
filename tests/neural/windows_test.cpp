// SPDX-License-Identifier: Apache-2.0
// Windows: which stretches of code they are, taking them out, and putting other code in their place.
#include <gtest/gtest.h>

#include <algorithm>

#include "gen/gen.h"
#include "lang/check/check_code.h"
#include "lang/copy_code.h"
#include "lang/text/code_text.h"
#include "neural/equal/equality.h"
#include "neural/windows/windows.h"
#include "tests/neural/compiled.h"

namespace komuz::neural {
namespace {

using test::CompiledFunction;

std::vector<LoneWindow> windows_of(const CompiledFunction& f) {
  std::vector<LoneWindow> lone;
  for (const CodeWindow& window : find_code_windows(f.get().code, f.get().function))
    lone.push_back(lone_window(f.get().code, window));
  return lone;
}
u32 inputs_of(const LoneWindow& window) { return window.code.functions[0].parameter_slots; }
u32 locals_of(const LoneWindow& window) {
  return window.code.functions[0].slots - window.code.functions[0].parameter_slots;
}

TEST(CodeWindows, AFunctionOfScalarsIsOneWindow) {
  const CompiledFunction f(
      "pub fn f(x: i64, y: i64) -> i64 { let a = x * y; if a < 3 && y != 0 { x / y } else { let b "
      "= a - x; b * b + a } }");
  const std::vector<LoneWindow> windows = windows_of(f);
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(inputs_of(windows[0]), 2u);
  EXPECT_EQ(locals_of(windows[0]), 2u);
  // Taken out it is the function itself.
  const Result<Equality> equal = compare(f.get(), {windows[0].code.view(), 0}, {});
  ASSERT_FALSE(equal.problem());
  EXPECT_EQ(equal.value().verdict, Verdict::Proved);
}

TEST(CodeWindows, LoopsAndCallsEndThem) {
  const CompiledFunction f(
      "fn g(x: i64) -> i64 rec 3 { if x > 0 { g(x - 1) } else { x } }\n"
      "pub fn f(x: i64, n: i64) -> i64 { var s = x * 2; for i in 0..n { s = s * 3 + i; } g(s + "
      "n) - x * n }");
  const std::vector<LoneWindow> windows = windows_of(f);
  ASSERT_EQ(windows.size(), 4u);
  for (const LoneWindow& window : windows) EXPECT_EQ(locals_of(window), 0u);
}

TEST(CodeWindows, SlotsThatOthersReadAreNoneOfTheirOwn) {
  // `a` is read in the loop, so the window ends before it is stored.
  const CompiledFunction f(
      "pub fn f(x: i64, n: i64) -> i64 { let a = x * 2; var s = a + 1; for i in 0..n { s = s + "
      "a; } s }");
  for (const LoneWindow& window : windows_of(f)) EXPECT_EQ(locals_of(window), 0u);
}

TEST(CodeWindows, LongCodeIsCutIntoWindows) {
  std::string sum = "x";
  for (u32 k = 0; k < 200; ++k) sum = "(" + sum + " ^ " + std::to_string(k + 1) + ")";
  const CompiledFunction f("pub fn f(x: u64) -> u64 { " + sum + " }", test::Optimised::No);
  const std::vector<CodeWindow> windows = find_code_windows(f.get().code, f.get().function);
  ASSERT_FALSE(windows.empty());
  const auto code = f.get().code.instructions;
  const u32 first = f.get().code.functions[f.get().function].code_begin;
  for (const CodeWindow& window : windows)
    EXPECT_LE(count_words(code.subspan(first + window.begin, window.end - window.begin)) + 1,
              kMostWindowWords);
}

// Windows of random programs are sound by themselves, do not overlap, and give the same code when they are put back.
TEST(CodeWindows, WhatIsPutBackIsTheCodeItself) {
  u32 windows = 0, with_locals = 0, with_arms = 0;
  for (u64 seed = 1; seed <= 300; ++seed) {
    frontend::Compiler compiler;
    frontend::Compilation made;
    compiler.compile(gen::generate_program(seed, {.containers = seed % 2 == 0}), made);
    ASSERT_TRUE(made.ok);
    Code code = copy_code(made.code.view());
    for (u32 f = 0; f < code.functions.size(); ++f) {
      u32 before = 0;
      for (const CodeWindow& window : find_code_windows(code.view(), f)) {
        ++windows;
        ASSERT_LE(before, window.begin);
        before = window.end;
        const LoneWindow lone = lone_window(code.view(), window);
        ASSERT_EQ(lone.code.functions.size(), 1u) << seed;
        ASSERT_LE(inputs_of(lone), kMostInputs);
        ASSERT_LE(locals_of(lone), kMostLocals);
        with_locals += locals_of(lone) != 0;
        with_arms += std::ranges::any_of(lone.code.instructions,
                                         [](Instruction i) { return i.op == Op::JumpIfFalse; });
        put_window(code, window, lone, lone.code.view());
        ASSERT_EQ(find_code_windows(code.view(), f), find_code_windows(made.code.view(), f));
      }
    }
    ASSERT_EQ(code.instructions.size(), made.code.instructions.size());
    for (size_t at = 0; at < code.instructions.size(); ++at) {
      const Instruction &a = code.instructions[at], &b = made.code.instructions[at];
      // Of equal constants the first one is taken.
      const bool is_equal =
          a.op == Op::LoadConst && b.op == Op::LoadConst
              ? a.type == b.type && code.constants[a.b] == made.code.constants[b.b]
              : a == b;
      EXPECT_TRUE(is_equal) << seed << ", instruction " << at;
    }
    EXPECT_EQ(code.constants, made.code.constants);
    EXPECT_EQ(code.slot_types, made.code.slot_types);
    EXPECT_EQ(check_code(code.view(), code.functions).reason, "");
  }
  EXPECT_GT(windows, 3000u);
  EXPECT_GT(with_locals, 50u);
  EXPECT_GT(with_arms, 50u);
}

// Code that is longer, or has slots of its own, moves what is behind it.
TEST(CodeWindows, LongerCodeWithNewSlotsMovesWhatIsBehind) {
  u32 put = 0;
  for (u64 seed = 1; seed <= 120; ++seed) {
    frontend::Compiler compiler;
    frontend::Compilation made;
    compiler.compile(gen::generate_program(seed), made);
    ASSERT_TRUE(made.ok);
    Code code = copy_code(made.code.view());
    for (u32 f = 0; f < code.functions.size(); ++f) {
      const std::vector<CodeWindow> windows = find_code_windows(code.view(), f);
      // The last one first: the others stay where they are.
      for (auto window = windows.rbegin(); window != windows.rend(); ++window) {
        const LoneWindow lone = lone_window(code.view(), *window);
        Code longer = copy_code(lone.code.view());
        Function& g = longer.functions[0];
        // Its value goes through a slot of its own.
        const Scalar type = static_cast<Scalar>(longer.types.back());
        longer.slot_types.push_back(static_cast<u8>(type));
        const Instruction way[] = {{Op::StoreVar, type, g.slots, 0},
                                   {Op::LoadVar, type, g.slots, 0}};
        longer.instructions.insert(longer.instructions.end() - 1, std::begin(way), std::end(way));
        longer.places.resize(longer.instructions.size());
        g.code_end += 2;
        ++g.slots;
        put_window(code, *window, lone, longer.view());
        ++put;
      }
    }
    ASSERT_EQ(check_code(code.view(), code.functions).reason, "") << seed;
    const engine::EntryChoice entry = engine::choose_entry(code.view(), "");
    const u32 function = static_cast<u32>(entry.function);
    const Result<Equality> equal =
        compare({made.code.view(), function}, {code.view(), function},
                {.fuel = FuelRule::Same, .inputs = 200, .uses_solver = false});
    ASSERT_FALSE(equal.problem());
    EXPECT_NE(equal.value().verdict, Verdict::Refuted) << seed;
  }
  EXPECT_GT(put, 1000u);
}

}  // namespace
}  // namespace komuz::neural
