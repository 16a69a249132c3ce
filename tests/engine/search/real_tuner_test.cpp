// SPDX-License-Identifier: Apache-2.0
// Fitting constants that are any number: alone, on known errors, and as a part of a search.
#include "engine/search/real_tuner.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "engine/results/report.h"
#include "engine/search/constant_tuner.h"
#include "engine/search/search.h"
#include "engine/search/variation.h"
#include "engine/sketch/grid/real_points.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine::test {
namespace {

constexpr const char* kThree =
    "fn f(x: f64) -> f64 { ?(real) * exp(x * ?(real)) + ?(real) + ?[x, 0.0] }";

f64 number(u32 point) { return std::bit_cast<f64>(real_cell(point, Scalar::F64)); }

// The errors of some cases, from three numbers.
using Errors = std::function<std::vector<f64>(f64 a, f64 b, f64 c)>;

struct Tuned {
  f64 a, b, c;
  Fitness fitness;
  u32 rounds = 0;
};
Tuned tune(const Errors& errors, bool has_distances) {
  const TestSketch sketch(kThree);
  const auto found_of = [&](const Decisions& d) {
    Found found{Fitness{false, 0, 1, 1}, 0, {}};
    for (const f64 error : errors(number(d[0]), number(d[1]), number(d[2]))) {
      found.case_losses.push_back(has_distances ? std::abs(error) : error * error);
      found.fitness.loss += found.case_losses.back();
    }
    return found;
  };
  Decisions at = {kRealOne, nearest_real_point(-0.5), nearest_real_point(-10), 1};
  RealTuner tuner(sketch.plan, at, found_of(at), has_distances);
  Tuned out{};
  for (; !tuner.is_done() && out.rounds < 200; ++out.rounds) {
    std::vector<Decisions> trials;
    tuner.propose(8, trials);
    EXPECT_LE(trials.size(), 8u);
    std::vector<Found> found;
    for (const Decisions& trial : trials) found.push_back(found_of(trial));
    if (const auto moved = tuner.learn(found)) at = trials[*moved];
    EXPECT_EQ(tuner.fitness().loss, found_of(at).fitness.loss);
  }
  EXPECT_TRUE(tuner.is_done());
  EXPECT_EQ(at[3], 1u);
  out.a = number(at[0]), out.b = number(at[1]), out.c = number(at[2]);
  out.fitness = tuner.fitness();
  return out;
}
std::vector<f64> errors_of_exponential(f64 a, f64 b, f64 c) {
  std::vector<f64> errors;
  for (int k = -8; k <= 8; ++k) {
    const f64 x = k / 4.0;
    errors.push_back(a * std::exp(b * x) + c - (2.5 * std::exp(-0.75 * x) - 13.125));
  }
  return errors;
}

TEST(RealTuner, FindsNumbersOfFewDigitsExactly) {
  const Tuned tuned = tune(errors_of_exponential, false);
  EXPECT_EQ(tuned.a, 2.5);
  EXPECT_EQ(tuned.b, -0.75);
  EXPECT_EQ(tuned.c, -13.125);
  EXPECT_LT(tuned.rounds, 40u);
}

TEST(RealTuner, FindsTheMinimumOfASumOfDistances) {
  const Tuned tuned = tune(errors_of_exponential, true);
  EXPECT_NEAR(tuned.a, 2.5, 1e-4);
  EXPECT_NEAR(tuned.b, -0.75, 1e-4);
  EXPECT_NEAR(tuned.c, -13.125, 1e-3);
}

// The minimum of squares with errors that no numbers take away, as calculated by hand.
TEST(RealTuner, FindsTheLeastSquaresOfALine) {
  const f64 y[] = {1.0, 2.5, 3.0, 5.5, 6.0};
  const Tuned tuned = tune(
      [&](f64 a, f64, f64 c) {
        std::vector<f64> errors;
        for (int k = 0; k < 5; ++k) errors.push_back(a * k + c - y[k]);
        return errors;
      },
      false);
  EXPECT_NEAR(tuned.a, 1.3, 1e-6);
  EXPECT_NEAR(tuned.c, 1.0, 1e-6);
  EXPECT_EQ(tuned.b, -0.5);  // nothing follows it
}

// Where nothing is known of the errors, or all is bad, there is nothing to do.
TEST(RealTuner, NeedsErrors) {
  const TestSketch sketch(kThree);
  const Decisions at = {kRealOne, kRealOne, kRealOne, 1};
  EXPECT_TRUE(RealTuner(sketch.plan, at, {Fitness{false, 1, 1, 1}, 0, {}}, false).is_done());
  EXPECT_TRUE(RealTuner(sketch.plan, at, {Fitness{true, 1, 1, 1}, 0, {1.0}}, false).is_done());
}

constexpr const char* kShapes =
    "pub fn f(x: f64) -> f64 {\n"
    "    let t = ?[x, x * x, exp(x * ?(real)), sin(x * ?(real)), ?(real)];\n"
    "    ?a(real) + ?b(real) * t\n}\n";

struct Fitted {
  Results results;
  f64 best = 0;
  std::string text;
};
Fitted fit_shapes(SearchOptions options, u32 threads, ScoreKind score) {
  std::string text = "x,expected\n";
  for (int k = -32; k < 32; ++k) {
    const f64 x = k / 16.0;
    char row[80];
    std::snprintf(row, sizeof row, "%.17g,%.17g\n", x, 1.25 - 2.5 * std::exp(-1.7 * x));
    text += row;
  }
  const auto program = read_sketch(kShapes, {});
  EXPECT_TRUE(program);
  EvaluateOptions evaluation;
  evaluation.programs.sketch = &*program;
  evaluation.ranking.score = score;
  evaluation.machines.threads = threads;
  evaluation.machines.epoch = options.population;
  settle(program->plan, options, evaluation);
  SearchCandidates candidates(program->source, program->plan, options);
  Fitted out;
  EXPECT_FALSE(evaluate(candidates, table_of(text), evaluation, out.results, &candidates));
  out.best = out.results.rows[out.results.ranking.front()].score;
  out.text = out.results.best_source;
  return out;
}

// Whatever the score, it finds the formula with its constants to the last digit: a correlation but for its line.
TEST(RealSearch, FindsConstantsExactly) {
  struct Case {
    SearchKind kind;
    ScoreKind score;
  };
  for (const auto& [kind, score] : {Case{SearchKind::Evolve, ScoreKind::SquaredError},
                                    Case{SearchKind::Evolve, ScoreKind::AbsoluteError},
                                    Case{SearchKind::Lexicase, ScoreKind::RSquared}}) {
    const SearchOptions options{.kind = kind, .seed = 3, .population = 200, .generations = 120};
    const Fitted found = fit_shapes(options, 1, score);
    for (const char* const constant : {"1.25", "-2.5", "-1.7"})
      EXPECT_NE(found.text.find(constant), std::string::npos) << score_name(score) << '\n'
                                                              << found.text << found.best;
    if (kind == SearchKind::Lexicase) continue;
    EXPECT_EQ(report_of(found.results), report_of(fit_shapes(options, 3, score).results));
  }
  const SearchOptions options{.seed = 3, .population = 200, .generations = 120};
  const Fitted found = fit_shapes(options, 1, ScoreKind::Correlation);
  // With a line for the rest, numbers beside it are not to be told apart by their scores.
  const bool is_found = found.text.find("* -1.7)") != std::string::npos ||
                        found.text.find("* -1.69999") != std::string::npos;
  EXPECT_TRUE(is_found) << found.text;
}

// … of which rounding would be left alone.
TEST(RealSearch, ChanceMakesNoLargeNumbers) {
  const TestSketch sketch("fn f(x: f64) -> f64 { ?(real) * x + ?(real) }");
  Variation variation(sketch.plan);
  variation.random = Random(5);
  Decisions decisions = {kRealOne, kRealOne};
  f64 least = 1, most = 1;
  for (u32 k = 0; k < 20'000; ++k) {
    variation.mutate(decisions);
    ASSERT_EQ(decisions.size(), 2u);
    for (const u32 point : decisions) {
      least = std::min(least, std::abs(number(point)));
      most = std::max(most, std::abs(number(point)));
    }
  }
  EXPECT_LE(most, 0x1p17);
  EXPECT_GT(most, 1000);
  EXPECT_LT(least, 0.001);
}

// Without errors of cases numbers are tuned as points of grids are.
TEST(RealSearch, NumbersAreTunedWithoutErrors) {
  const TestSketch sketch(kThree);
  const auto found_of = [&](const Decisions& d) {
    const f64 a = number(d[0]) - 2.5, b = number(d[1]) + 0.75, c = number(d[2]) + 13.125;
    return Found{Fitness{false, a * a + b * b + c * c + a * b, 1, 1}, 0, {}};
  };
  Decisions at = {kRealOne, kRealOne, kRealOne, 1};
  ConstantTuner tuner(sketch.plan, at, found_of(at), false);
  u32 generations = 0;
  for (; !tuner.is_done() && generations < 300; ++generations) {
    std::vector<Decisions> trials;
    tuner.propose(30, trials);
    std::vector<Found> found;
    for (const Decisions& trial : trials) found.push_back(found_of(trial));
    if (const auto moved = tuner.learn(found)) at = trials[*moved];
  }
  EXPECT_LT(tuner.fitness().loss, 1e-6) << generations;
}

}  // namespace
}  // namespace komuz::engine::test
