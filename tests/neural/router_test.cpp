// SPDX-License-Identifier: Apache-2.0
// The router: what it sees of programs, and what it decides at the ends of what can be asked.
#include "neural/router/router.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gen/gen.h"
#include "tests/neural/compiled.h"

namespace komuz::neural {
namespace {

using test::CompiledFunction;
using test::Optimised;

RouterFeatures features_of_text(std::string_view text) {
  const CompiledFunction f(text, Optimised::No);
  return features_of(f.get().code, f.get().function);
}
u32 count(const RouterFeatures& features, Feature feature) {
  return static_cast<u32>(std::lround(std::expm1(features[feature])));
}
// A lot of code that rules know.
RouterFeatures wasteful() {
  return features_of_text(
      "pub fn f(x: f64, y: f64) -> f64 { (x * 1.0 + y * 1.0) * 1.0 + (if x < y && y < x { x * 2.0 "
      "} "
      "else { x * 3.0 }) }");
}

TEST(Router, FeaturesAreCountsOfWhatAProgramHas) {
  const RouterFeatures f = features_of_text(
      "pub fn f(x: i64, y: i64) -> i64 { if x < 3 && y != 7 { x * x + 1 + 1 } else { x / y } }");
  EXPECT_EQ(count(f, Feature::Branches), 1u);
  EXPECT_EQ(count(f, Feature::Lazy), 1u);
  EXPECT_EQ(count(f, Feature::Comparisons), 2u);
  EXPECT_EQ(count(f, Feature::TrappingIntegers), 3u);
  EXPECT_EQ(count(f, Feature::Divisions), 1u);
  EXPECT_EQ(count(f, Feature::EqualOperands), 1u);
  EXPECT_EQ(count(f, Feature::Constants), 4u);
  EXPECT_EQ(count(f, Feature::NeutralConstants), 2u);
  EXPECT_EQ(count(f, Feature::ConstantOperands), 4u);
  EXPECT_EQ(count(f, Feature::ConstantChains), 1u);
  EXPECT_EQ(count(f, Feature::Loops), 0u);
  EXPECT_EQ(count(f, Feature::Floats), 0u);
}

TEST(Router, WhatIsCalledCountsOnceAndWhatIsNotDoesNot) {
  const RouterFeatures f = features_of_text(
      "fn never(x: f64) -> f64 { x / 3.0 }\n"
      "fn twice(x: i64) -> i64 { x + x }\n"
      "pub fn f(x: i64) -> i64 { var s = 0; for i in 0..x { s = twice(twice(s - i)); } s }");
  EXPECT_EQ(count(f, Feature::Calls), 2u);
  EXPECT_EQ(count(f, Feature::Loops), 1u);
  EXPECT_EQ(count(f, Feature::Floats), 0u);
  EXPECT_EQ(count(f, Feature::EqualOperands), 1u);
  EXPECT_EQ(count(f, Feature::InLoops), 1u);
}

TEST(Router, RecursionEnds) {
  const RouterFeatures f = features_of_text(
      "pub fn f(x: i64) -> i64 rec 9 { if x > 1 { f(x - 1) + f(x - 2) } else { x } }");
  EXPECT_EQ(count(f, Feature::Calls), 2u);
}

TEST(Router, ALongProgramIsTakenForItsBeginning) {
  std::string sum = "x";
  for (u32 k = 0; k < kMostRoutedInstructions; ++k) sum += " + y";
  const RouterFeatures f = features_of_text("pub fn f(x: f64, y: f64) -> f64 { " + sum + " }");
  EXPECT_EQ(count(f, Feature::Instructions), kMostRoutedInstructions);
}

TEST(Router, NothingIsDoneForNoWork) {
  for (const f64 work : {0.0, 1.0, kLeastWorkNs / 2}) {
    const Route found = route(wasteful(), work, true);
    EXPECT_EQ(found.way, Way::Traditional);
    EXPECT_EQ(found.limit_ns, 0);
  }
}

TEST(Router, WhatRunsForHoursIsLookedAt) {
  const Route found = route(wasteful(), 1e13, true);
  EXPECT_NE(found.way, Way::Traditional);
  EXPECT_GT(found.chosen().gain_ns, found.chosen().cost_ns);
  EXPECT_EQ(found.limit_ns, kMostLoss * 1e13);
}

TEST(Router, WithoutAModelItsWayIsNone) {
  for (f64 work = 1; work < 1e18; work *= 10)
    EXPECT_NE(route(wasteful(), work, false).way, Way::Neural);
}

// Once a way pays it does so for more work, too.
TEST(Router, MoreWorkIsNeverLookedAtLess) {
  for (u64 seed = 0; seed < 200; ++seed) {
    const CompiledFunction f(gen::generate_scalar_program(seed, gen::Family::Mixed, 20));
    const RouterFeatures features = features_of(f.get().code, f.get().function);
    bool is_looked_at = false;
    for (f64 work = 1; work < 1e15; work *= 10) {
      const Route found = route(features, work, true);
      if (is_looked_at) {
        EXPECT_NE(found.way, Way::Traditional) << seed;
      }
      is_looked_at = found.way != Way::Traditional;
      for (const Expectation& expected : found.expected) {
        EXPECT_TRUE(std::isfinite(expected.gain_ns) && std::isfinite(expected.cost_ns)) << seed;
        EXPECT_TRUE(expected.chance >= 0 && expected.chance <= 1) << seed;
        EXPECT_LE(expected.gain_ns, work) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace komuz::neural
