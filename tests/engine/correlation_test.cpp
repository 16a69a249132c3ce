// SPDX-License-Identifier: Apache-2.0
// The score of programs that are right up to a factor and a summand.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "engine/scores/line_fit.h"
#include "engine/scores/score_loops.h"
#include "tests/engine/evaluations.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine::test {
namespace {

// One program's score on cases that expect these numbers for x = 1, 2, …
Results evaluated(const std::string& expression, const std::vector<std::string>& expected,
                  CaseScores case_scores = CaseScores::None) {
  std::string csv = "x,expected\n";
  for (size_t k = 0; k < expected.size(); ++k)
    csv += std::to_string(k + 1) + "," + expected[k] + "\n";
  EvaluateOptions options;
  options.ranking.score = ScoreKind::Correlation;
  options.details.case_scores = case_scores;
  const std::string source = "pub fn f(x: f64) -> f64 { " + expression + " }";
  Results results = evaluate_all({{"f", source, {}}}, options, csv);
  const auto warps = vm::emulated_warp_device();
  options.machines.device = warps.get();
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

// A signal of noise: the formula is 0.1 but for the last bits of its intermediate values.
TEST(Correlation, IsZeroOfWhatIsConstantButForRounding) {
  const std::vector<std::string> expected = {"1", "3", "2", "7", "1", "4", "3"};
  for (const char* const expression :
       {"0.1 * x / x", "sin(x) * sin(x) + cos(x) * cos(x)", "exp(log(x)) / x",
        "1.0 / (x / (x * x) * x)", "1.0e-200 * (0.1 * x / x)", "1.0e200 * (0.1 * x / x)"})
    EXPECT_EQ(correlation(expression, expected), 0.0) << expression;
  // Few units in the last place, but more than sums of such numbers can be off by.
  EXPECT_EQ(correlation("1.0e13 + x", {"2", "4", "6"}), 1.0);
}

// The first value is far from the others, which are far from 0, and so is what is expected: neither shows.
TEST(Correlation, DoesNotDependOnWhereTheFirstValueLies) {
  for (const char* const far : {"1.0e3", "-1.0e6", "1.0e12"}) {
    std::vector<std::string> expected;
    for (u32 k = 0; k < 100; ++k) expected.push_back(std::to_string(100000000 + k * k * 7 % 101));
    const f64 first =
        correlation("if x < 1.5 { " + std::string(far) + " } else { 0.1 * x / x }", expected);
    std::swap(expected.front(), expected.back());
    const f64 last =
        correlation("if x > 99.5 { " + std::string(far) + " } else { 0.1 * x / x }", expected);
    EXPECT_NEAR(first, last, 1e-9 * first) << far;
  }
}

// A formula is as good whatever factor it has; up to where its values have no 53 bits any more.
TEST(Correlation, IsThatOfTheFormulaWithoutItsFactor) {
  const std::vector<std::string> expected = {"1", "3", "2", "7", "1", "4", "3"};
  const Results one = evaluated("x * x - 3.0 * x", expected, CaseScores::Kept);
  for (const char* const factor :
       {"1.0e-170", "1.0e-150", "1.0e-300", "1.0e100", "1.0e160", "1.0e300", "-1.0e250"}) {
    const Results results =
        evaluated(std::string(factor) + " * (x * x - 3.0 * x)", expected, CaseScores::Kept);
    EXPECT_NEAR(results.rows[0].score, one.rows[0].score, 1e-14) << factor;
    for (size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(results.case_scores_of(0)[k], one.case_scores_of(0)[k], 1e-13) << factor;
  }
}

// The squared errors of the cases are the part that the score lacks, of the sum of squares: for every kind of formula.
TEST(Correlation, CaseScoresAgreeWithTheScore) {
  const std::vector<std::string> expected = {"1", "3", "2"};  // the sum of squares is 2
  for (const char* const expression :
       {"x", "3.0", "1.0 / (x - 1.0)", "exp(350.0 * x)", "exp(300.0 * x)", "1.0e-170 * x",
        "0.1 * x / x", "1.0e9 + x"}) {
    const Results results = evaluated(expression, expected, CaseScores::Kept);
    f64 sum = 0;
    for (const f64 error : results.case_scores_of(0)) sum += error;
    EXPECT_NEAR(1 - sum / 2, results.rows[0].score, 1e-9) << expression;
  }
}

// What is told of the line is in the units of the data, however far values and expected numbers are from 1, and is the same on a
// device, which the helper compares.
TEST(Correlation, TellsTheLine) {
  const auto line = [](const std::string& expression, const std::vector<std::string>& expected) {
    const Results results = evaluated(expression, expected);
    EXPECT_EQ(results.best_line, results.line_of(0)) << expression;
    return results.line_of(0);
  };
  EXPECT_EQ(line("x", {"3", "5", "7"}), (ScoreLine{2, 1}));
  EXPECT_EQ(line("4.0 - 2.0 * x", {"3", "5", "7"}), (ScoreLine{-1, 5}));
  EXPECT_EQ(line("3.0", {"1", "3", "2"}), (ScoreLine{0, 2}));
  // The sums are rounded, and what they would have come to without that has few digits.
  EXPECT_EQ(line("x * x", {"3.25", "10.75", "23.25"}), (ScoreLine{2.5, 0.75}));
  EXPECT_EQ(line("x / 3.0", {"0.1", "0.4", "0.7"}), (ScoreLine{0.9, -0.2}));
  const auto far = line("1.0e-200 * x", {"3", "5", "7"});
  ASSERT_TRUE(far);
  EXPECT_NEAR(far->slope * 1e-200, 2, 1e-14);
  EXPECT_NEAR(far->intercept, 1, 1e-14);
  const auto large = line("x", {"3e200", "5e200", "7e200"});
  ASSERT_TRUE(large);
  EXPECT_NEAR(large->slope / 1e200, 2, 1e-14);
  EXPECT_NEAR(large->intercept / 1e200, 1, 1e-14);
  // 1e500 is no f64.
  EXPECT_FALSE(line("1.0e-250 * x", {"3e250", "5e250", "7e250"}));
  // Without a score there is none.
  EXPECT_FALSE(line("log(x - 2.0)", {"1", "3", "2"}));
}

TEST(Correlation, TheReportHasTheLineOfEachCandidate) {
  EvaluateOptions options;
  options.ranking.score = ScoreKind::Correlation;
  const std::vector<Candidate> candidates = {
      {"bad", "pub fn f(x: f64) -> f64 { log(x - 2.0) }", {}},
      {"best", "pub fn f(x: f64) -> f64 { x }", {}},
      {"again", "pub fn f(x: f64) -> f64 { (x) }", {}},
      {"copy", "pub fn f(x: f64)->f64 { x }", {}}};
  const std::string csv = "x,expected\n1,3\n2,5\n4,9\n";
  const std::string report = report_of(evaluate_all(candidates, options, csv));
  const auto has = [&](const std::string& id, const std::string& line) {
    const size_t at = report.find("{\"id\": \"" + id + "\"");
    return report.substr(at, report.find('\n', at) - at).find("\"line\": " + line) !=
           std::string::npos;
  };
  EXPECT_TRUE(has("bad", "null")) << report;
  for (const std::string id : {"best", "again", "copy"})
    EXPECT_TRUE(has(id, "{\"slope\": 2.0, \"intercept\": 1.0}")) << id << report;
  // Where only the best have rows, and where a score fits no line.
  options.ranking.best_rows = 1;
  CandidateList source(candidates);
  Results best;
  EXPECT_FALSE(evaluate(source, table_of(csv), options, best));
  EXPECT_EQ(best.line_of(best.ranking.front()), (ScoreLine{2, 1}));
  EXPECT_EQ(best.best_line, (ScoreLine{2, 1}));
  options.ranking.best_rows = 0;
  options.ranking.score = ScoreKind::RSquared;
  EXPECT_EQ(report_of(evaluate_all(candidates, options, csv)).find("\"line\": {"),
            std::string::npos);
}

// The line is fitted to y = 2x + 1; on the cases that are held out it gives 101, 201 and 401.
TEST(Correlation, TheLineOfCasesThatAreHeldOutIsThatOfTheOthers) {
  const auto held_out = [](const std::string& expression, const std::string& more,
                           const std::string& csv = "x,expected\n1,3\n2,5\n4,9\n") {
    EvaluateOptions options;
    options.ranking.score = ScoreKind::Correlation;
    const CasesTable table = table_of(more);
    options.ranking.held_out = &table;
    const Results results =
        evaluate_all({{"f", "pub fn f(x: f64) -> f64 { " + expression + " }", {}}}, options, csv);
    EXPECT_EQ(results.held_out->id, "f");
    return results.held_out->row;
  };
  const std::string more = "x,expected\n50,103\n100,205\n200,411\n";
  // The errors are 2, 4 and 10; the mean is 239 2/3.
  const f64 mean = 719.0 / 3;
  const f64 squares =
      (103 - mean) * (103 - mean) + (205 - mean) * (205 - mean) + (411 - mean) * (411 - mean);
  EXPECT_NEAR(held_out("x", more).score, 1 - 120 / squares, 1e-12);
  EXPECT_NEAR(held_out("1.0e-200 * x", more).score, 1 - 120 / squares, 1e-12);
  EXPECT_NEAR(held_out("7.0 - 3.0 * x", more).score, 1 - 120 / squares, 1e-12);
  // A constant result stays constant: it only gives the mean of the cases used for ranking.
  const f64 off = mean - 17.0 / 3;
  EXPECT_NEAR(held_out("3.0", more).score, 1 - (squares + 3 * off * off) / squares, 1e-9);
  EXPECT_FALSE(held_out("sqrt(60.0 - x)", more).scored);
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
    return fit_line(fit.sums(score_loops(best_simd_level()), values, deviations),
                    {.total_squares = 300});
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
