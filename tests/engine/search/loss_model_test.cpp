// SPDX-License-Identifier: Apache-2.0
// What losses say to least squares; and numbers that are fitted by it, alone and in a search.
#include "engine/search/loss_model.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "engine/scores/losses.h"
#include "engine/search/real_tuner.h"
#include "engine/search/search.h"
#include "engine/sketch/grid/real_points.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine::test {
namespace {

f64 loss_of_argument(ErrorKind kind, f64 measure, f64 x) {
  switch (kind) {
    case ErrorKind::Huber: return huber_loss(std::fabs(x), measure);
    case ErrorKind::LogCosh: return measure * (measure * log_cosh_lanes(std::fabs(x) / measure));
    case ErrorKind::Quantile: return x < 0 ? -measure * x : (1 - measure) * x;
    case ErrorKind::Logistic: return logistic_loss_lanes(x);
    case ErrorKind::Hinge: return hinge_loss(x);
    case ErrorKind::Squared:
    case ErrorKind::ScaledSquared: return x * x;
    case ErrorKind::Absolute:
    case ErrorKind::Relative:
    case ErrorKind::Symmetric: return std::fabs(x);
  }
  return 0;
}
constexpr ErrorKind kLossKinds[] = {ErrorKind::Squared, ErrorKind::Absolute, ErrorKind::Huber,
                                    ErrorKind::LogCosh, ErrorKind::Quantile, ErrorKind::Logistic,
                                    ErrorKind::Hinge};

TEST(LossModel, SlopesAreThoseOfTheLoss) {
  constexpr f64 kMeasure = 0.75, kStep = 1e-6;
  for (const ErrorKind kind : kLossKinds)
    for (f64 x = -20.03; x < 20; x += 0.37) {
      const auto loss = [&](f64 at) { return loss_of_argument(kind, kMeasure, at); };
      const LossSlope slope = slope_of_loss(kind, kMeasure, x, 1e-9);
      const f64 wanted = (loss(x + kStep) - loss(x - kStep)) / (2 * kStep);
      EXPECT_NEAR(slope.slope, wanted, 1e-6 * std::max(1.0, std::fabs(wanted)))
          << static_cast<int>(kind) << ", " << x;
      EXPECT_GE(slope.weight, 0);
      EXPECT_NEAR(slope.weight * slope.residual(), slope.slope, 1e-12 * std::fabs(slope.slope));
      // The parabola lies above the loss, so its minimum is no worse. That of Newton's method may lie below, as may that of
      // losses with a side that knows of no slope.
      if (kind == ErrorKind::Logistic || kind == ErrorKind::Hinge || kind == ErrorKind::Quantile)
        continue;
      for (f64 way = -3; way <= 3; way += 0.7)
        EXPECT_LE(loss(x + way), loss(x) + slope.slope * way + slope.weight * way * way / 2 + 1e-9)
            << static_cast<int>(kind) << ", " << x << ", " << way;
    }
}

TEST(LossModel, ArgumentsAreThoseOfTheLoss) {
  for (const ErrorKind kind : {ErrorKind::Squared, ErrorKind::Huber, ErrorKind::LogCosh})
    for (const f64 measure : {0.01, 0.75, 300.0})
      for (f64 x = 1e-7; x < 1e5; x *= 1.7)
        EXPECT_NEAR(argument_of_loss(kind, measure, loss_of_argument(kind, measure, x)), x,
                    1e-11 * x)
            << static_cast<int>(kind) << ", " << measure;
  for (f64 x = -600; x < 600; x += 7.3)
    EXPECT_NEAR(argument_of_loss(ErrorKind::Logistic, 1, logistic_loss_lanes(x)), x,
                1e-11 * std::fabs(x));
  EXPECT_GE(argument_of_loss(ErrorKind::Logistic, 1, 0), 700);
}

// A constant that is fitted from a table, as a search does it.
struct FittedNumber {
  f64 number = 0, score = 0;
  std::string text;
};
FittedNumber fit_number(const std::string& source, const std::string& csv, ScoreKind score,
                        std::optional<f64> measure = {}, const std::string& weights = "") {
  CaseFields fields;
  fields.form.weights = weights;
  CasesTable table;
  EXPECT_EQ(read_csv_cases("c.csv", csv, fields, table).text(), "");
  const auto program = read_sketch(source, {});
  EXPECT_TRUE(program);
  EvaluateOptions evaluation;
  evaluation.programs.sketch = &*program;
  evaluation.ranking.score = score;
  evaluation.ranking.measure = measure;
  SearchOptions options{.seed = 2, .population = 60, .generations = 60};
  evaluation.machines.epoch = options.population;
  settle(program->plan, options, evaluation);
  SearchCandidates candidates(program->source, program->plan, options);
  Results results;
  EXPECT_EQ(evaluate(candidates, table, evaluation, results, &candidates).text(), "");
  FittedNumber out;
  out.score = results.rows[results.ranking.front()].score;
  out.text = results.best_source;
  const size_t at = out.text.find("x *");
  const size_t begin = out.text.find_first_of("-0123456789", at == std::string::npos ? 0 : at + 3);
  out.number = std::strtod(out.text.c_str() + begin, nullptr);
  return out;
}

// y = 3 x, but for some that are far off: what is fitted is the minimum of the loss.
TEST(LossModel, NumbersAreFittedByTheLoss) {
  std::string csv = "x,expected,w\n", plain = "x,expected\n";
  std::vector<f64> xs, ys;
  for (int k = 1; k <= 40; ++k) {
    const f64 x = k / 8.0, y = 3 * x + (k % 7 == 0 ? 40 : (k * 37 % 11 - 5) * 0.02);
    xs.push_back(x), ys.push_back(y);
    const std::string row = std::to_string(x) + "," + std::to_string(y);
    plain += row + "\n";
    csv += row + (k % 7 == 0 ? ",0\n" : ",2\n");
  }
  const auto best = [&](const std::function<f64(f64 r)>& loss) {
    f64 low = 0, high = 20;
    for (int k = 0; k < 200; ++k) {
      const f64 a = low + (high - low) / 3, b = high - (high - low) / 3;
      const auto sum = [&](f64 c) {
        f64 all = 0;
        for (size_t i = 0; i < xs.size(); ++i) all += loss(c * xs[i] - ys[i]);
        return all;
      };
      (sum(a) < sum(b) ? high : low) = sum(a) < sum(b) ? b : a;
    }
    return low;
  };
  const std::string source = "pub fn f(x: f64) -> f64 { x * ?(real) }";
  struct Case {
    ScoreKind kind;
    f64 measure, slack;
  };
  for (const auto& [kind, measure, slack] :
       {Case{ScoreKind::Huber, 0.1, 1e-4}, Case{ScoreKind::Huber, 1e3, 1e-4},
        Case{ScoreKind::LogCosh, 0.1, 1e-4}, Case{ScoreKind::Quantile, 0.5, 1e-3},
        Case{ScoreKind::Quantile, 0.95, 2e-2}}) {
    const f64 wanted =
        best([&](f64 r) { return loss_of_argument(score_row(kind).error, measure, r); });
    const FittedNumber without = fit_number(source, plain, kind, measure);
    EXPECT_NEAR(without.number, wanted, slack * wanted) << score_name(kind) << '\n' << without.text;
  }
  // Where those that are far off have no weight, each loss finds 3.
  for (const ScoreKind kind : {ScoreKind::SquaredError, ScoreKind::Huber, ScoreKind::LogCosh,
                               ScoreKind::Quantile, ScoreKind::AbsoluteError})
    EXPECT_NEAR(fit_number(source, csv, kind, {}, "w").number, 3, 0.02) << score_name(kind);
}

// Classes that overlap: the log-odds are those of the minimum, and other losses of the same sketch have others.
TEST(LossModel, LogOddsAreFitted) {
  std::string csv = "x,expected\n";
  std::vector<f64> xs, ys;
  for (int k = 0; k < 60; ++k) {
    const f64 x = (k - 30) / 10.0;
    const bool is_second = (k * 29 % 60) < 30 + 9 * x;
    xs.push_back(x), ys.push_back(is_second ? 1 : -1);
    csv += std::to_string(x) + (is_second ? ",true\n" : ",false\n");
  }
  f64 wanted = 1;
  for (int k = 0; k < 100; ++k) {  // Newton's method
    f64 slope = 0, curve = 0;
    for (size_t i = 0; i < xs.size(); ++i) {
      const f64 wrong = 1 / (1 + std::exp(ys[i] * xs[i] * wanted));
      slope -= wrong * ys[i] * xs[i];
      curve += wrong * (1 - wrong) * xs[i] * xs[i];
    }
    wanted -= slope / curve;
  }
  const std::string source = "pub fn f(x: f64) -> f64 { x * ?(real) }";
  const FittedNumber fitted = fit_number(source, csv, ScoreKind::Logistic);
  EXPECT_NEAR(fitted.number, wanted, 1e-4 * wanted) << fitted.text;
  const FittedNumber sides = fit_number(source, csv, ScoreKind::Hinge);
  f64 least = 1e9;
  for (f64 c = 0; c < 20; c += 0.001) {
    f64 sum = 0;
    for (size_t i = 0; i < xs.size(); ++i) sum += hinge_loss(ys[i] * xs[i] * c);
    least = std::min(least, sum);
  }
  EXPECT_LE(sides.score, least * 1.001);
}

}  // namespace
}  // namespace komuz::engine::test
