// SPDX-License-Identifier: Apache-2.0
#include "engine/search/fast_waves.h"

#include <gtest/gtest.h>

#include <string>

#include "frontend_gpu/frontend.h"

namespace komuz::engine::test {
namespace {

// Of a formula of x, which goes from 0 to 10 in 101 rows, and of k, which is 0 or 1.
bool is_fast(const std::string& formula, f64 share = 1) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile("pub fn y(x: f64, k: f64) -> f64 { " + formula + " }\n", made);
  EXPECT_TRUE(made.ok) << formula;
  std::vector<std::vector<f64>> points(2);
  for (u32 row = 0; row <= 100; ++row) {
    points[0].push_back(0.1 * row);
    points[1].push_back(row % 2);
  }
  return has_fast_waves(made.code.view(), 0, points, share);
}

TEST(FastWaves, TurnFasterThanTheRowsShow) {
  EXPECT_TRUE(is_fast("sin(20.0 * x)"));
  EXPECT_TRUE(is_fast("x * cos(3919.6 * x - 1.5) + sqrt(x)"));
  EXPECT_TRUE(is_fast("sin(x) + tan(16.0 * x)"));
  EXPECT_TRUE(is_fast("sin(exp(x))"));
  EXPECT_TRUE(is_fast("(0.5 - exp(x)) ** 2 * (cos(-2.0 - 187.0 * x) - x)"));
}

TEST(FastWaves, OthersDoNot) {
  EXPECT_FALSE(is_fast("sin(15.0 * x)"));
  EXPECT_FALSE(is_fast("cos(x + 5000.0)"));
  EXPECT_FALSE(is_fast("exp(20.0 * x)"));
  EXPECT_FALSE(is_fast("sin(2.0)"));
  EXPECT_FALSE(is_fast("x"));
}

// What takes two values shows no wave.
TEST(FastWaves, OfAnIndicator) {
  EXPECT_TRUE(is_fast("sin(5.0 * k)"));
  EXPECT_FALSE(is_fast("sin(1.5 * k)"));
}

TEST(FastWaves, OfSomeOfTheRows) { EXPECT_FALSE(is_fast("sin(20.0 * x)", 2)); }

}  // namespace
}  // namespace komuz::engine::test
