// SPDX-License-Identifier: Apache-2.0
// The score of who is right but for a factor and a summand.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "engine/line_fit.h"
#include "engine/score_loops.h"
#include "tests/engine/evaluations.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine::test {
namespace {

// Of one program on cases that expect these numbers for x = 1, 2, …
Results evaluated(const std::string& expression, const std::vector<std::string>& expected,
                  CaseScores case_scores = CaseScores::None) {
  std::string csv = "x,expected\n";
  for (size_t k = 0; k < expected.size(); ++k)
    csv += std::to_string(k + 1) + "," + expected[k] + "\n";
  EvaluateOptions options;
  options.score = ScoreKind::Correlation;
  options.case_scores = case_scores;
  const std::string source = "pub fn f(x: f64) -> f64 { " + expression + " }";
  Results results = evaluate_all({{"f", source, {}}}, options, csv);
  const auto warps = vm::emulated_warp_device();
  options.device = warps.get();
  EXPECT_EQ(report_of(evaluate_all({{"f", source, {}}}, options, csv)), report_of(results));
  return results;
}
f64 correlation(const std::string& expression, const std::vector<std::string>& expected) {
  const Results results = evaluated(expression, expected);
  EXPECT_TRUE(results.rows[0].scored);
  return results.rows[0].score;
}

TEST(Correlation, IsThatOfTheBestLine) {
  // The best line through (1, 1), (2, 3), (3, 2) is x / 2 + 1, with the errors 1/2, 1, 1/2; the sum of squares is 2.
  EXPECT_NEAR(correlation("x", {"1", "3", "2"}), 0.25, 1e-15);
  EXPECT_NEAR(correlation("7.0 - 3.0 * x", {"1", "3", "2"}), 0.25, 1e-15);
  EXPECT_EQ(correlation("5.0 * x - 100.0", {"2", "4", "6"}), 1.0);
  EXPECT_NEAR(correlation("1.0e9 + x", {"2", "4", "6"}), 1.0, 1e-15);
  const Results results = evaluated("x", {"1", "3", "2"}, CaseScores::Kept);
  const std::span<const f64> errors = results.case_scores_of(0);
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_NEAR(errors[0], 0.25, 1e-15);
  EXPECT_NEAR(errors[1], 1.0, 1e-15);
  EXPECT_NEAR(errors[2], 0.25, 1e-15);
}

TEST(Correlation, IsZeroOfWhatDoesNotVaryOrTooFar) {
  for (const char* const expression :
       {"3.0", "0.1 + 0.2 * (x - x)", "1.0 / (x - 1.0)", "exp(350.0 * x)"})
    EXPECT_EQ(correlation(expression, {"1", "3", "2"}), 0.0) << expression;
}

TEST(Correlation, WhatIsNoNumberIsBadUnlessItWasExpected) {
  const Results bad = evaluated("log(x - 2.0)", {"1", "3", "2"});
  EXPECT_FALSE(bad.rows[0].scored);
  EXPECT_EQ(bad.rows[0].bad_cases, 1u);
  EXPECT_EQ(correlation("sqrt(2.0 - x) * 0.0 + x", {"1", "3", "NaN"}), 1.0);
}

// More cases than lanes have partials, and the first number late.
TEST(Correlation, OfManyCases) {
  std::vector<std::string> expected;
  for (u32 k = 0; k < 150; ++k) expected.push_back(std::to_string(k * k % 37));
  EXPECT_GT(correlation("f64(i64(x) * i64(x) % 37) + x * 0.01", expected), 0.0);
  EXPECT_FALSE(evaluated("sqrt(x - 70.5)", expected).rows[0].scored);
  for (u32 k = 0; k < 70; ++k) expected[k] = "NaN";
  EXPECT_GT(correlation("sqrt(x - 70.5)", expected), 0.0);
}

// However the cases are cut, and for lanes that are left over.
TEST(LineFit, PartsDoNotShow) {
  std::vector<f64> values, deviations;
  for (u32 k = 0; k < 300; ++k) {
    values.push_back(k % 7 == 3 ? NAN : std::sin(k) + 40);
    deviations.push_back(k % 7 == 3 ? 0 : std::cos(3.0 * k) + std::sin(k));
  }
  const auto line_of = [&](size_t part) {
    LineFit fit;
    for (size_t at = 0; at < values.size(); at += part) {
      const size_t rows = std::min(part, values.size() - at);
      fit.add(score_loops(best_simd_level()), std::span(values).subspan(at, rows),
              std::span(deviations).subspan(at, rows));
    }
    return fit_line(fit.sums(), 300);
  };
  const Line whole = line_of(300);
  EXPECT_GT(whole.slope, 0.9);
  for (const size_t part : {64u, 128u, 256u}) {
    const Line line = line_of(part);
    EXPECT_EQ(std::bit_cast<u64>(line.slope), std::bit_cast<u64>(whole.slope));
    EXPECT_EQ(std::bit_cast<u64>(line.middle), std::bit_cast<u64>(whole.middle));
    EXPECT_EQ(std::bit_cast<u64>(line.r2), std::bit_cast<u64>(whole.r2));
  }
}

}  // namespace
}  // namespace komuz::engine::test
