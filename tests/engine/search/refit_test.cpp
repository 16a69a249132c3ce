// SPDX-License-Identifier: Apache-2.0
// Numbers of programs that are fitted to all cases, by every loss.
#include "engine/search/refit.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "frontend_gpu/frontend.h"
#include "tests/engine/evaluations.h"

namespace komuz::engine::test {
namespace {

constexpr std::string_view kHead = "pub fn f(x: f64) -> f64 { ";

// A program whose constants are its numbers, in the order in which they first stand there.
struct Numbered {
  explicit Numbered(const std::string& body) {
    frontend::Compiler compiler;
    frontend::Compilation made;
    compiler.compile(std::string(kHead) + body + " }", made);
    EXPECT_TRUE(made.ok) << body;
    program.code = std::move(made.code);
    for (u32 k = 0; k < program.code.constants.size(); ++k) {
      program.number_of.push_back(k);
      numbers.push_back(std::bit_cast<f64>(program.code.constants[k]));
    }
  }
  // True if the loss became less.
  bool fit(const CasesTable& cases, ScoreKind score, std::optional<f64> measure = {}) {
    RefitCases columns;
    const Problem problem =
        columns.open(cases, read_signature("(x: f64) -> f64").value(), score, measure, {});
    EXPECT_FALSE(problem) << problem.text();
    Refit refit;
    EXPECT_TRUE(refit.begin(columns, program, static_cast<u32>(numbers.size())));
    const std::optional<f64> before = refit.loss(numbers);
    const bool is_better = refit.fit(numbers, {});
    const std::optional<f64> after = refit.loss(numbers);
    EXPECT_TRUE(before && after && (is_better ? *after < *before : *after == *before));
    return is_better;
  }
  RefitProgram program;
  std::vector<f64> numbers;
};

template <class Law>
std::string rows_of(u32 count, const Law& law) {
  std::string text = "x,expected\n";
  for (u32 k = 1; k <= count; ++k) {
    char row[80];
    std::snprintf(row, sizeof row, "%.17g,%.17g\n", k * 0.1, f64{1} * law(k * 0.1, k));
    text += row;
  }
  return text;
}

TEST(Refit, ExactNumbersAreFoundToTheirLastDigits) {
  const CasesTable cases = table_of(rows_of(
      60, [](f64 x, u32) { return 0.0036524871 * x * x + 1.7310295 * std::exp(-0.31 * x); }));
  Numbered one("0.0037 * x * x + 1.7 * exp(-(0.3 * x))");
  EXPECT_TRUE(one.fit(cases, ScoreKind::SquaredError));
  EXPECT_NEAR(one.numbers[0], 0.0036524871, 1e-14);
  EXPECT_NEAR(one.numbers[1], 1.7310295, 1e-13);
  EXPECT_NEAR(one.numbers[2], 0.31, 1e-13);
}

// A branch has no code for its derivatives.
TEST(Refit, WithoutDerivativesDifferencesTakeTheirPlace) {
  const CasesTable cases =
      table_of(rows_of(60, [](f64 x, u32) { return x < 3 ? 1.25 * x : std::atan2(x, 0.77); }));
  Numbered one("if x < 3.0 { 1.2 * x } else { atan2(x, 0.7) }");
  one.program.number_of[0] = RefitProgram::kNoNumber;
  one.program.number_of[1] = 0;
  one.program.number_of[2] = 1;
  one.numbers.erase(one.numbers.begin());
  EXPECT_TRUE(one.fit(cases, ScoreKind::SquaredError));
  EXPECT_NEAR(one.numbers[0], 1.25, 1e-11);
  EXPECT_NEAR(one.numbers[1], 0.77, 1e-9);
}

TEST(Refit, NumbersThatOthersStandInForStay) {
  const CasesTable cases = table_of(rows_of(20, [](f64 x, u32) { return 6 * x; }));
  Numbered one("2.0 * (2.5 * x)");
  EXPECT_TRUE(one.fit(cases, ScoreKind::SquaredError));
  EXPECT_NEAR(one.numbers[0] * one.numbers[1], 6, 1e-12);
}

TEST(Refit, RowsThatWeighNothingDoNotCount) {
  CasesTable cases =
      table_of(rows_of(40, [](f64 x, u32 k) { return k % 2 == 0 ? 3 * x : 1000 + x; }));
  cases.weights = "w";
  for (size_t k = 0; k < cases.rows.size(); ++k) cases.rows[k].weight = k % 2 == 0 ? 0 : 2;
  Numbered one("2.5 * x");
  EXPECT_TRUE(one.fit(cases, ScoreKind::SquaredError));
  EXPECT_NEAR(one.numbers[0], 3, 1e-12);
}

// Each loss has its own best number: the mean, the median, a quantile.
TEST(Refit, EachLossHasItsOwnMinimum) {
  // 1, 4, 9, …, 81
  const CasesTable cases = table_of(rows_of(9, [](f64, u32 k) { return 1.0 * k * k; }));
  const auto best = [&](ScoreKind score, std::optional<f64> measure = {}) {
    Numbered one("20.0 + 0.0 * x");
    one.program.number_of[1] = RefitProgram::kNoNumber;
    one.numbers.pop_back();
    EXPECT_TRUE(one.fit(cases, score, measure));
    return one.numbers[0];
  };
  EXPECT_NEAR(best(ScoreKind::SquaredError), 285.0 / 9, 1e-12);
  EXPECT_NEAR(best(ScoreKind::AbsoluteError), 25, 1e-3);
  EXPECT_NEAR(best(ScoreKind::Quantile, 0.9), 81, 1);
  // Of a large delta it is half of the square.
  EXPECT_NEAR(best(ScoreKind::Huber, 1000), 285.0 / 9, 1e-9);
}

TEST(Refit, ClassesAreFittedByTheirMargins) {
  // The class of one row in five is the other one: at the optimum the logarithm of the odds is ln 4.
  const CasesTable cases = table_of(rows_of(100, [](f64, u32 k) { return k % 5 == 0 ? 0 : 1; }));
  Numbered one("0.5 + 0.0 * x");
  one.program.number_of[1] = RefitProgram::kNoNumber;
  one.numbers.pop_back();
  EXPECT_TRUE(one.fit(cases, ScoreKind::Logistic));
  EXPECT_NEAR(one.numbers[0], std::log(4.0), 1e-6);
}

}  // namespace
}  // namespace komuz::engine::test
