// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/small_phases.h"

#include <gtest/gtest.h>

#include "services/fit/formula.h"

namespace komuz::services::test {
namespace {

std::string small(const std::string& body) {
  const std::string program = with_small_phases("pub fn y(x: f64) -> f64 { " + body + " }\n");
  return program.empty() ? "" : formula_text(program);
}

TEST(SmallPhases, LoseWholePeriods) {
  EXPECT_EQ(small("cos(x + 45.432)"), "cos(x + 1.4497028497428985)");
  EXPECT_EQ(small("sin(4.0 - 2.0 * x)"), "sin(-2.2831853071795862 - 2.0 * x)");
  EXPECT_EQ(small("sin(x - 10.0) + 10.0"), "sin(x + 2.5663706143591725) + 10.0");
}

TEST(SmallPhases, OthersStay) {
  EXPECT_EQ(small("cos(x + 3.0)"), "");
  EXPECT_EQ(small("cos(45.0 * x)"), "");
  EXPECT_EQ(small("exp(x + 45.0)"), "");
  EXPECT_EQ(small("cos(x +"), "");
}

// A function of one's own may be anything.
TEST(SmallPhases, OnlyOfTheLanguageOwnWaves) {
  EXPECT_EQ(
      with_small_phases("fn sin(x: f64) -> f64 { x }\npub fn y(x: f64) -> f64 { sin(x + 45.0) }\n"),
      "");
}

}  // namespace
}  // namespace komuz::services::test
