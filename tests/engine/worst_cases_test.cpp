// SPDX-License-Identifier: Apache-2.0
// Which cases are told as the worst of a program, and what is said of them.
#include "engine/results/worst_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/results/failure_text.h"
#include "engine/results/read_details.h"
#include "tests/engine/evaluations.h"

namespace komuz::engine::test {
namespace {

TEST(WorstCases, TheLargestErrorsComeFirst) {
  const std::vector<f64> errors = {0, 2, 9, 0, 2, 5, 2};
  const auto worst = [&](u32 most) { return worst_cases(ScoreKind::AbsoluteError, errors, most); };
  EXPECT_EQ(worst(0), std::vector<u32>());
  EXPECT_EQ(worst(1), (std::vector<u32>{2}));
  EXPECT_EQ(worst(3), (std::vector<u32>{2, 5, 1}));
  EXPECT_EQ(worst(100), (std::vector<u32>{2, 5, 1, 4, 6}));
  const f64 infinity = std::numeric_limits<f64>::infinity();
  EXPECT_EQ(worst_cases(ScoreKind::RelativeError, std::vector<f64>{1, infinity, NAN, infinity}, 3),
            (std::vector<u32>{2, 1, 3}));
  // A case of an exact score is perfect at 1.
  EXPECT_EQ(worst_cases(ScoreKind::Exact, std::vector<f64>{1, 0, 1, 0}, 9),
            (std::vector<u32>{1, 3}));
}

struct Told {
  std::string report;
  std::vector<FailureText> texts;
};
Told told(ScoreKind score, EvaluateOptions options = {}) {
  options.ranking.score = score;
  if (options.details.worst_cases == 0) options.details.worst_cases = 2;
  const Results results = evaluate_all({{"far", "pub fn f(x: f64) -> f64 { x * 3.0 + 7.0 }", {}},
                                        {"near", "pub fn f(x: f64) -> f64 { x }", {}}},
                                       options, "x,expected\n1,1\n2,4\n3,3.5\n4,4\n5,2\n");
  return {report_of(results), worst_of_best(results)};
}

TEST(WorstCases, EachScoreTellsItsOwn) {
  for (const ScoreKind score :
       {ScoreKind::AbsoluteError, ScoreKind::SquaredError, ScoreKind::RSquared,
        ScoreKind::RelativeError, ScoreKind::SymmetricError, ScoreKind::Correlation}) {
    const Told worst = told(score);
    ASSERT_EQ(worst.texts.size(), 2u) << score_name(score);
    const FailureText& first = worst.texts[0];
    if (score == ScoreKind::Correlation) continue;
    EXPECT_EQ(first.line, 6u) << score_name(score);
    EXPECT_EQ(first.arguments, std::vector<std::string>{"x = 5.0"});
    EXPECT_EQ(first.expected, "2.0");
    EXPECT_EQ(first.actual, "5.0");
    EXPECT_EQ(worst.texts[1].line, 3u);
  }
  EXPECT_TRUE(told(ScoreKind::Exact).texts.empty());
}

TEST(WorstCases, TheReportHasThemBesideTheRow) {
  const std::string words =
      "\"worst\": [{\"case\": 4, \"line\": 6, \"args\": {\"x\": 5.0}, \"expected\": 2.0, "
      "\"actual\": 5.0, \"error\": 9.0}, {\"case\": 1, \"line\": 3, \"args\": {\"x\": 2.0}, "
      "\"expected\": 4.0, \"actual\": 2.0, \"error\": 4.0}]";
  const std::string report = told(ScoreKind::SquaredError).report;
  EXPECT_NE(report.find(words), std::string::npos) << report;
  EXPECT_EQ(report.find("\"worst\""), report.rfind("\"worst\"")) << "of the best one alone";
  EvaluateOptions options;
  options.details.worst_rows = options.ranking.shown_best = 2;
  const std::string both = told(ScoreKind::SquaredError, options).report;
  EXPECT_NE(both.find("\"worst\""), both.rfind("\"worst\""));
  EXPECT_EQ(told(ScoreKind::Exact).report.find("\"worst\""), std::string::npos);
  // What a log has of them says the same in words.
  std::vector<FailureText> read;
  ASSERT_TRUE(read_worst(words.substr(words.find('[')), read));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].line, 6u);
  EXPECT_EQ(read[0].arguments, std::vector<std::string>{"x = 5.0"});
  EXPECT_EQ(read[1].expected, "4.0");
}

// An infinite error is the worst, and is none of rounding; where errors of rounding are left out, others take their places.
TEST(WorstCases, AreAsManyAsThereAre) {
  EvaluateOptions options;
  options.ranking.score = ScoreKind::AbsoluteError;
  options.details.worst_cases = 2;
  const auto lines = [&](const std::string& program, const std::string& csv) {
    std::vector<u64> out;
    for (const FailureText& one : worst_of_best(evaluate_all({{"f", program, {}}}, options, csv)))
      out.push_back(one.line);
    return out;
  };
  EXPECT_EQ(lines("pub fn f(x: f64) -> f64 { 1.0 / x }", "x,expected\n0,1\n1,2\n2,4\n4,1\n"),
            (std::vector<u64>{2, 4}));
  EXPECT_EQ(
      lines("pub fn f(x: f64) -> f64 { x }",
            "x,expected\n1e30,1.0000000000000001e30\n1e29,1.0000000000000001e29\n1,2\n2,5\n3,3\n"),
      (std::vector<u64>{5, 4}));
}

// Of a correlation they are those of the line: it goes through the middle, so the outlier is the worst.
TEST(WorstCases, OfALine) {
  EvaluateOptions options;
  options.ranking.score = ScoreKind::Correlation;
  options.details.worst_cases = 1;
  const Results results = evaluate_all({{"f", "pub fn f(x: f64) -> f64 { x }", {}}}, options,
                                       "x,expected\n1,10\n2,20\n3,60\n4,40\n5,50\n");
  ASSERT_EQ(results.worst.size(), 1u);
  ASSERT_EQ(results.worst[0].cases.size(), 1u);
  EXPECT_EQ(results.worst[0].cases[0].failure.case_index, 2u);
  EXPECT_NEAR(results.worst[0].cases[0].error, 24.0 * 24, 1e-9);
  EXPECT_EQ(worst_of_best(results)[0].actual, "3.0, on the line 36");
}

// Results of many cases, whose slices do not begin with the case; slices of lists; and a program that takes other columns.
TEST(WorstCases, WhereverTheCaseStands) {
  EvaluateOptions options;
  options.ranking.score = ScoreKind::AbsoluteError;
  options.details.worst_cases = 1;
  std::string csv = "xs,k,expected\n";
  for (u32 k = 0; k < 1000; ++k)
    csv += "\"[" + std::to_string(k) + ", 1]\",1," + std::to_string(k == 777 ? 0 : k + 1) + "\n";
  const Results results =
      evaluate_all({{"f", "pub fn f(xs: [i64], k: i64) -> i64 { xs.sum() * k }", {}},
                    {"g", "pub fn f(xs: [i64]) -> i64 { xs[0] + xs[1] }", {}}},
                   options, csv);
  const std::vector<FailureText> worst = worst_of_best(results);
  ASSERT_EQ(worst.size(), 1u);
  EXPECT_EQ(worst[0].line, 779u);
  EXPECT_EQ(worst[0].arguments.front(), "xs = [777, 1]");
  EXPECT_EQ(worst[0].actual, "778");
}

}  // namespace
}  // namespace komuz::engine::test
