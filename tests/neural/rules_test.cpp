// SPDX-License-Identifier: Apache-2.0
// The rules of the teacher: each is proved for each type that it is for, also where values that may trap stand for its
// variables; and code that they make does the same.
#include <gtest/gtest.h>

#include <algorithm>

#include "gen/gen.h"
#include "lang/text/code_text.h"
#include "neural/teacher/costs.h"
#include "neural/teacher/rewrite.h"
#include "neural/windows/windows.h"
#include "tests/neural/compiled.h"
#include "tests/neural/rule_code.h"

namespace komuz::neural {
namespace {

using test::CompiledFunction;
using test::free_variables;
using test::is_proved;

// What a rule is called in messages.
std::string text_of(u32 row) {
  const RuleRow& r = rule_rows()[row];
  return std::string(r.types) + ": " + std::string(r.from) + " -> " + std::string(r.to);
}

TEST(Rules, AreReadAndUsed) {
  for (u32 row = 0; row < rule_rows().size(); ++row) {
    std::string problem;
    const std::vector<Rule> rules = parse_rule(rule_rows()[row], row, problem);
    EXPECT_EQ(problem, "") << text_of(row);
    EXPECT_FALSE(rules.empty()) << "of no use for any type: " << text_of(row);
  }
}

TEST(Rules, WhatIsWrongWithARuleIsSaid) {
  const auto problem_of = [](std::string_view from, std::string_view to) {
    std::string problem;
    EXPECT_TRUE(parse_rule({RuleKind::Cheaper, "i64", from, to, ""}, 0, problem).empty());
    return problem;
  };
  EXPECT_EQ(problem_of("Foo(x)", "x"), "no such operation: Foo");
  EXPECT_EQ(problem_of("Add(x)", "x"), "a wrong number of operands: Add");
  EXPECT_EQ(problem_of("Add(x, y", "x"), "a `)` is missing");
  EXPECT_EQ(problem_of("Add(x, p)", "x"), "operands of different types");
  EXPECT_EQ(problem_of("Add(x, 0)", "y"), "a variable that the pattern does not have");
  EXPECT_EQ(problem_of("Lt(x, x)", "x"), "two sides of different types");
  // Not cheaper.
  EXPECT_EQ(problem_of("Neg(x)", "Sub(0, x)"), "");
}

// All sets of variables that may trap, each in its own way; then those that do it alike, for one type, as that is a matter of
// what is evaluated. What is shown for a set need
// not be shown for a smaller one, as a variable that may trap may also not trap.
void prove_all(const Rule& rule, bool is_first) {
  const u32 free = free_variables(rule);
  std::vector<u32> shown;
  for (const test::Trapping how : {test::Trapping::Each, test::Trapping::Alike}) {
    if (how == test::Trapping::Alike && !is_first) continue;
    for (u32 trapping = free; trapping != 0; trapping = (trapping - 1) & free) {
      if (!keeps_traps(rule, test::traps_of_variables(trapping, how))) continue;
      if (std::ranges::any_of(shown, [&](u32 set) { return (set & trapping) == trapping; }))
        continue;
      shown.push_back(trapping);
      EXPECT_TRUE(is_proved(rule, trapping, how))
          << text_of(rule.row) << ", " << scalar_name(rule.root().type)
          << ", variables that trap: " << trapping;
    }
  }
  if (shown.empty() || test::power_type(rule) != Scalar::None) {
    EXPECT_TRUE(is_proved(rule, 0)) << text_of(rule.row) << ", " << scalar_name(rule.root().type);
  }
}

// Rows in several parts, so that they run side by side.
class ProvedRules : public testing::TestWithParam<u32> {};
constexpr u32 kParts = 8;
TEST_P(ProvedRules, OfAllTypesAndWithTraps) {
#ifndef KOMUZ_HAVE_Z3
  GTEST_SKIP() << "no solver";
#endif
  for (u32 row = GetParam(); row < rule_rows().size(); row += kParts) {
    const std::vector<Rule> rules = rules_of(row);
    for (size_t k = 0; k < rules.size(); ++k) prove_all(rules[k], k == 0);
  }
}
INSTANTIATE_TEST_SUITE_P(Part, ProvedRules, testing::Range(0u, kParts));

TEST(Rules, OperandsCommuteWhereTheTableSaysSo) {
  u32 shown = 0;
  for (u32 number = 0; number < kOpCount; ++number)
    for (u32 t = 1; t < kScalarCount; ++t) {
      const Op op = static_cast<Op>(number);
      const Scalar type = static_cast<Scalar>(t);
      if ((op_row(op).types & type_bit(type)) == 0 || !is_commutative(op, type)) continue;
      // The same rule in both orders.
      Rule rule;
      rule.variables = 2;
      for (u8 v = 0; v < 2; ++v) rule.nodes.push_back({.type = type, .variable = v});
      for (u8 side = 0; side < 2; ++side)
        rule.nodes.push_back({.kind = PatternKind::Operation,
                              .type = result_type(op_row(op).form, type),
                              .operands = 2,
                              .operand = {side, static_cast<u8>(1 - side), 0},
                              .instruction = {op, type, 0, 0}});
      rule.from = 2;
      rule.to = 3;
      ++shown;
      EXPECT_TRUE(is_proved(rule, 0)) << op_row(op).mnemonic << " " << scalar_name(type);
    }
  EXPECT_GT(shown, 40u);
}

// The code that rules make of a function, which is one window.
std::string rewritten(std::string_view source) {
  const CompiledFunction f(source, test::Optimised::No);
  const std::vector<CodeWindow> windows = find_code_windows(f.get().code, f.get().function);
  EXPECT_EQ(windows.size(), 1u) << source;
  const LoneWindow lone = lone_window(f.get().code, windows[0]);
  const Code better = rewrite(lone.code.view());
  const Result<Equality> equal =
      compare({lone.code.view(), 0}, {better.view(), 0}, {.fuel = FuelRule::Same});
  EXPECT_FALSE(equal.problem());
#ifdef KOMUZ_HAVE_Z3
  EXPECT_EQ(equal.value().verdict, Verdict::Proved) << source;
#endif
  std::string operations;
  for (const Instruction i : better.instructions) {
    if (i.op == Op::Return) break;
    operations += std::string(op_row(i.op).mnemonic) + " ";
  }
  return operations;
}

TEST(Rewrite, OperationsThatBothArmsHaveStandBehindThem) {
  EXPECT_EQ(
      rewritten(
          "pub fn f(c: bool, x: i64, y: i64, z: i64) -> i64 { if c { x + y } else { x + z } }"),
      "LOAD_VAR JUMP_IF_FALSE LOAD_VAR JUMP LOAD_VAR LOAD_VAR BINARY_ADD ");
}
TEST(Rewrite, ArmsKnowTheirCondition) {
  EXPECT_EQ(rewritten("pub fn f(x: i64, y: i64) -> i64 { if x < y { if x < y { x ^ y } "
                      "else { 5 } } else { if x < y { y ^ x } else { 7 } } }"),
            "LOAD_VAR LOAD_VAR COMPARE_LT JUMP_IF_FALSE LOAD_VAR LOAD_VAR BINARY_XOR JUMP "
            "LOAD_CONST ");
}
TEST(Rewrite, ValuesOfSeveralUsesAreKept) {
  EXPECT_EQ(rewritten("pub fn f(x: i64, y: i64) -> i64 { (x / y) ^ (x / y +% 1) }"),
            "LOAD_VAR LOAD_VAR BINARY_DIV STORE_VAR LOAD_VAR LOAD_VAR LOAD_CONST ADD_WRAP "
            "BINARY_XOR ");
}
TEST(Rewrite, LetsGoWhereTheyAreUsedIfTrapsStayWhatTheyWere) {
  EXPECT_EQ(rewritten("pub fn f(x: i64, y: i64) -> i64 { let v = x / y; v - y }"),
            "LOAD_VAR LOAD_VAR BINARY_DIV LOAD_VAR BINARY_SUB ");
  // In one arm alone it would not trap in the other one.
  EXPECT_EQ(
      rewritten(
          "pub fn f(c: bool, x: i64, y: i64) -> i64 { let v = x / y; if c { v } else { y } }"),
      "LOAD_VAR LOAD_VAR BINARY_DIV STORE_VAR LOAD_VAR JUMP_IF_FALSE LOAD_VAR JUMP LOAD_VAR ");
}
TEST(Rewrite, ARuleThatWouldLoseATrapIsNotApplied) {
  EXPECT_EQ(rewritten("pub fn f(x: i64, y: i64) -> i64 { (x / y) & 0 }"),
            "LOAD_VAR LOAD_VAR BINARY_DIV LOAD_CONST BINARY_AND ");
}

// The windows of a program.
template <class Use>
void for_each_window(const Code& code, const Use& use) {
  for (u32 f = 0; f < code.functions.size(); ++f)
    for (const CodeWindow& window : find_code_windows(code.view(), f))
      use(lone_window(code.view(), window));
}

TEST(Rewrite, RandomWindowsKeepTheirOutcomes) {
  u32 windows = 0, cheaper = 0;
  Rewriter rewriter;
  for (u64 seed = 1; seed <= 300; ++seed) {
    frontend::Options plain;
    plain.is_plain = seed % 2 == 0;
    frontend::Compiler compiler(plain);
    frontend::Compilation made;
    compiler.compile(gen::generate_program(seed, {.containers = seed % 4 == 0}), made);
    ASSERT_TRUE(made.ok);
    for_each_window(made.code, [&](const LoneWindow& lone) {
      ++windows;
      RewriteStats stats;
      const Code better = rewriter.rewrite(lone.code.view(), &stats);
      if (!rewriter.is_cheaper()) {
        EXPECT_EQ(better.instructions, lone.code.instructions);
        return;
      }
      ++cheaper;
      EXPECT_LT(cost_of_code(better.view(), 0), cost_of_code(lone.code.view(), 0));
      EqualityOptions by;
      by.fuel = FuelRule::Same;
      by.inputs = 500;
      by.resources = 100'000;
      const Result<Equality> equal = compare({lone.code.view(), 0}, {better.view(), 0}, by);
      ASSERT_FALSE(equal.problem());
      EXPECT_NE(equal.value().verdict, Verdict::Refuted)
          << "seed " << seed << "\n"
          << disassemble(lone.code.view()) << disassemble(better.view());
    });
  }
  EXPECT_GT(windows, 2000u);
  EXPECT_GT(cheaper, 300u);
}

}  // namespace
}  // namespace komuz::neural
