// SPDX-License-Identifier: Apache-2.0
#include "services/editor/test_runs.h"

#include <gtest/gtest.h>

#include "services/editor/function_costs.h"

namespace komuz::services {
namespace {

TestRuns run(std::string_view text) {
  engine::ModuleLoader loader;
  const auto runs = run_text_tests(text, loader, {});
  return runs ? *runs : TestRuns();
}

TEST(TestRuns, TellHowEachTestEnds) {
  constexpr std::string_view kText =
      "/// >>> half(8) == 4\n/// >>> half(3) == 2 // rounds down\nfn half(x: i64) -> i64 { x / 2 "
      "}\n"
      "test \"ends\" { assert half(4) == 2; }\nprop \"less\" (x: i64 in 0..9) { assert half(x) < "
      "x; }\n";
  const TestRuns runs = run(kText);
  ASSERT_EQ(runs.runs.size(), 4u);
  std::string told;
  for (const TestRun& one : runs.runs)
    told += one.name + (one.passed ? " passed" : " failed: " + one.message) + "\n";
  EXPECT_EQ(told,
            "half passed\nhalf failed: trap ASSERT: an assertion is false: 1 == 2\nends passed\n"
            "less failed: trap ASSERT: an assertion is false: 0 < 0\n");
  const TestRun& example = runs.runs[1];
  EXPECT_EQ(example.form, TestForm::Example);
  EXPECT_EQ(example.actual, "1");
  EXPECT_EQ(example.expected, "2");
  EXPECT_GT(example.ticks, 0u);
  ASSERT_TRUE(example.fix);
  std::string fixed(kText);
  fixed.replace(example.fix->begin, example.fix->end - example.fix->begin, example.fix->text);
  EXPECT_NE(fixed.find("/// >>> half(3) == 1 // rounds down\n"), std::string::npos) << fixed;
  EXPECT_TRUE(run(fixed).runs[1].passed);
  // A property says what it fails with, and offers a test of that.
  const TestRun& property = runs.runs[3];
  EXPECT_EQ(property.arguments, "x = 0");
  ASSERT_TRUE(property.fix);
  std::string kept(kText);
  kept.replace(property.fix->begin, property.fix->end - property.fix->begin, property.fix->text);
  const TestRuns again = run(kept);
  ASSERT_EQ(again.runs.size(), 5u) << kept;
  EXPECT_EQ(again.runs[4].form, TestForm::Test);
  EXPECT_EQ(again.runs[4].message, property.message);
}

TEST(TestRuns, AnExampleOfSeveralConditionsHasNoFix) {
  const TestRuns runs = run("/// >>> f() == 1 && f() == 2\nfn f() -> i64 { 1 }\n");
  ASSERT_EQ(runs.runs.size(), 1u);
  EXPECT_FALSE(runs.runs[0].passed);
  EXPECT_FALSE(runs.runs[0].fix);
}

TEST(TestRuns, WhatHasErrorsIsNotRun) {
  EXPECT_TRUE(run("test \"a\" { assert x; }\n").has_errors);
  EXPECT_TRUE(run("fn f() -> i64 { 1 }\n").runs.empty());
}

TEST(TestRuns, AStopLeavesNothing) {
  std::stop_source stop;
  stop.request_stop();
  engine::ModuleLoader loader;
  EXPECT_FALSE(run_text_tests("test \"a\" { assert true; }\n", loader, stop.get_token()));
}

TEST(FunctionCosts, FollowFromTheCode) {
  engine::ModuleLoader loader;
  const auto costs = list_function_costs(
      "fn one(x: i64) -> i64 { x }\n"
      "fn sum(n: i64) -> i64 rec 50 { if n <= 0 { 0 } else { n + sum(n - 1) } }\n"
      "pub fn two(x: i64) -> i64 { if x > 0 { one(x) + one(x) } else { one(x) } }\n"
      "fn turns(x: i64) -> i64 { var k = x; while k > 0 { k -= 1; } k }\n",
      loader);
  std::string told;
  for (const FunctionCost& cost : costs)
    told += cost.name + " " + std::to_string(cost.depth) + " " +
            (cost.ticks ? std::to_string(*cost.ticks) : "-") + "\n";
  EXPECT_EQ(told, "one 0 1\nsum 50 50\ntwo 0 3\nturns 0 -\n");
  ASSERT_EQ(costs.size(), 4u);
  EXPECT_EQ(costs[0].text.substr(0, 10), "fn one(x: ");
  EXPECT_EQ(costs[2].text.substr(0, 11), "pub fn two(");
  EXPECT_EQ(costs[2].text.find("fn turns"), std::string::npos);
  EXPECT_GT(costs[1].stack_bytes, costs[0].stack_bytes);
}

// A bound needs those of all that is called, wherever it stands.
TEST(FunctionCosts, AreThoseOfWholeChains) {
  constexpr u32 kChain = 500;
  std::string text =
      "fn even(n: i64) -> bool { var k = n; while k > 1 { k -= 2; } k == 0 }\n"
      "fn odd(n: i64) -> bool { !even(n) }\n"
      "fn asks(n: i64) -> bool { odd(n) }\n";
  for (u32 k = 0; k < kChain; ++k)
    text += "fn s" + std::to_string(k) + "(x: i64) -> i64 { s" + std::to_string(k + 1) + "(x) }\n";
  text += "fn s" + std::to_string(kChain) + "(x: i64) -> i64 { x }\n";
  engine::ModuleLoader loader;
  const auto costs = list_function_costs(text, loader);
  ASSERT_EQ(costs.size(), kChain + 4);
  for (u32 k = 0; k < 3; ++k) EXPECT_FALSE(costs[k].ticks) << costs[k].name;
  for (u32 k = 0; k <= kChain; ++k)
    EXPECT_EQ(costs[3 + k].ticks, kChain + 1 - k) << costs[3 + k].name;
}

}  // namespace
}  // namespace komuz::services
