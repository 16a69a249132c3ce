// SPDX-License-Identifier: Apache-2.0
// The losses of Huber, of quantiles and of two classes, against their formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/scored_outcomes.h"

namespace komuz::engine::test {
namespace {

// As a text would have them, in the widest float that there is.
long double huber(long double r, long double delta) {
  const long double size = std::fabs(r);
  return size <= delta ? r * r / 2 : delta * (size - delta / 2);
}
long double log_cosh(long double r, long double delta) {
  const long double x = std::fabs(r) / delta;
  const long double loss = x < 1 ? std::log1p(std::sinh(x) * std::sinh(x)) / 2
                                 : x + std::log1p(std::exp(-2 * x)) - std::log(2.0L);
  return delta * delta * loss;
}
long double pinball(long double r, long double quantile) {  // r = actual − expected
  return r < 0 ? -quantile * r : (1 - quantile) * r;
}
long double logistic(long double margin) {
  return margin < 0 ? -margin + std::log1p(std::exp(margin)) : std::log1p(std::exp(-margin));
}
long double hinge(long double margin) { return margin < 1 ? 1 - margin : 0; }

Suite with_measure(Suite suite, ScoreKind kind, f64 measure) {
  suite.scale = scale_of(suite, kind, 0, measure);
  return suite;
}

struct Loss {
  ScoreKind kind;
  f64 measure;  // 0: none is stated
  std::function<long double(f64 actual, f64 expected)> of;
};
const std::vector<Loss>& losses() {
  static const std::vector<Loss> kLosses = {
      {ScoreKind::Huber, 0.75, [](f64 a, f64 b) { return huber(f64{a - b}, 0.75L); }},
      {ScoreKind::LogCosh, 0.75, [](f64 a, f64 b) { return log_cosh(f64{a - b}, 0.75L); }},
      {ScoreKind::LogCosh, 1e6, [](f64 a, f64 b) { return log_cosh(f64{a - b}, 1e6L); }},
      {ScoreKind::Quantile, 0.75, [](f64 a, f64 b) { return pinball(f64{a - b}, 0.75L); }},
      {ScoreKind::Logistic, 0, [](f64 a, f64 b) { return logistic(b > 0 ? a : -a); }},
      {ScoreKind::Hinge, 0, [](f64 a, f64 b) { return hinge(b > 0 ? a : -a); }},
  };
  return kLosses;
}
Suite suite_for(const Loss& loss, const std::vector<std::string>& expected) {
  Suite suite = suite_of(Scalar::F64, expected);
  if (loss.measure != 0) suite.scale = scale_of(suite, loss.kind, 0, loss.measure);
  return suite;
}

// Far and near, on both sides: each case is within a few units of the last place.
TEST(LossScores, AreTheirFormulas) {
  std::vector<std::string> expected;
  std::vector<u64> cells;
  std::vector<f64> actual;
  Random random(3);
  for (u32 k = 0; k < 500; ++k) {
    expected.emplace_back(k % 2 == 0 ? "0" : "1");
    const f64 size = std::ldexp(1 + static_cast<f64>(random.below(1u << 20)) / (1u << 20),
                                static_cast<i32>(random.below(60)) - 40);
    actual.push_back((k % 2 == 0 ? 0 : 1) + (random.one_in(2) ? size : -size));
    cells.push_back(cell_of(actual.back()));
  }
  for (const Loss& loss : losses()) {
    const Suite suite = suite_for(loss, expected);
    Outcomes outcomes(cells);
    long double sum = 0;
    Scorer scorer(suite, loss.kind, 0);
    scorer.keep_case_scores();
    scorer.begin();
    scorer.add(suite.count, outcomes.view());
    static_cast<void>(scorer.finish());
    for (u32 k = 0; k < suite.count; ++k) {
      const long double wanted = loss.of(actual[k], k % 2 == 0 ? 0 : 1);
      EXPECT_NEAR(scorer.case_scores()[k], static_cast<f64>(wanted),
                  static_cast<f64>(wanted) * 4e-15)
          << score_name(loss.kind) << ", " << actual[k];
      EXPECT_GE(scorer.case_scores()[k], 0) << score_name(loss.kind) << ", " << actual[k];
      sum += wanted;
    }
    // On each instruction set, and as on a device.
    const Tally tally = score(suite, outcomes, loss.kind);
    EXPECT_NEAR(tally.score, static_cast<f64>(sum), static_cast<f64>(sum) * 1e-14);
  }
}

TEST(LossScores, OfInfinitiesAndOfWhatIsNoNumber) {
  for (const Loss& loss : losses()) {
    const Suite suite = suite_for(loss, {"1", "1"});
    const auto of = [&](f64 first, f64 second) {
      Outcomes outcomes({cell_of(first), cell_of(second)});
      return score(suite, outcomes, loss.kind);
    };
    const bool has_classes = expects_classes(loss.kind);
    EXPECT_EQ(of(1, -INFINITY).score, INFINITY) << score_name(loss.kind);
    EXPECT_EQ(of(INFINITY, INFINITY).score, has_classes ? 0 : INFINITY) << score_name(loss.kind);
    Outcomes outcomes({cell_of(1.0), kCanonicalNan64});
    EXPECT_EQ(score(suite, outcomes, loss.kind).bad_cases, 1u) << score_name(loss.kind);
  }
}

// A loss that is nothing but rounding would hide a formula that is right.
TEST(LossScores, NearTheMinimumTheySeeTheSquare) {
  for (const ScoreKind kind : {ScoreKind::Huber, ScoreKind::LogCosh}) {
    const Suite suite = with_measure(suite_of(Scalar::F64, {"0"}), kind, 1);
    for (const f64 far : {1e-3, 1e-9, 1e-100}) {
      Outcomes outcomes({cell_of(far)});
      EXPECT_NEAR(score(suite, outcomes, kind).score, far * far / 2, far * far * 1e-6) << far;
    }
    Outcomes none({cell_of(0.0)});
    EXPECT_EQ(score(suite, none, kind).score, 0);
  }
}

TEST(LossScores, DeltaIsOfTheSpreadUnlessItIsStated) {
  // The median is 3, and of the distances 1: whatever the last one is.
  const Suite suite = suite_of(Scalar::F64, {"1", "2", "3", "4", "1e9"});
  const ScoreScale scale = scale_of(suite, ScoreKind::Huber, 0, std::nullopt);
  EXPECT_EQ(scale.measure, ScoreMeasure::Delta);
  EXPECT_EQ(scale.measures, std::vector<f64>{1.345 * 1.4826});
  EXPECT_EQ(scale_of(suite, ScoreKind::LogCosh, 0, 0.5).measures, std::vector<f64>{0.5});
  // More than half are equal: the mean of the distances, 1/4 of 4.
  const Suite equal = suite_of(Scalar::F64, {"3", "3", "3", "7"});
  EXPECT_EQ(scale_of(equal, ScoreKind::Huber, 0, std::nullopt).measures,
            std::vector<f64>{1.345 * (1.2533 * 1)});
  const Suite one = suite_of(Scalar::F64, {"3", "3"});
  EXPECT_EQ(scale_of(one, ScoreKind::Huber, 0, std::nullopt).measures, std::vector<f64>{1});
  EXPECT_EQ(scale_of(one, ScoreKind::Quantile, 0, std::nullopt).measures, std::vector<f64>{0.5});
  // Parts of a result have a delta of their own.
  const Suite pairs = csv_suite("x,expected\n0,\"[1, 10]\"\n0,\"[2, 30]\"\n0,\"[3, 50]\"\n",
                                make_signature({{"x", Scalar::U8}}, {Scalar::I64, Scalar::F64}));
  EXPECT_EQ(scale_of(pairs, ScoreKind::Huber, 0, std::nullopt).measures,
            (std::vector<f64>{1.345 * 1.4826, 1.345 * (1.4826 * 20)}));
}

// Of constants the best is the mean, the median or the quantile, as the loss says.
TEST(LossScores, TheBestConstantIsWhatTheLossSays) {
  const std::vector<f64> numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::string csv = "x,expected\n";
  for (const f64 number : numbers) csv += "0," + std::to_string(number * number) + "\n";
  std::vector<std::string> sources, ids;
  for (u32 k = 0; k <= 200; ++k) {
    ids.push_back(std::to_string(k));
    sources.push_back("pub fn f(x: f64) -> f64 { " + std::to_string(k * 0.5) + " }");
  }
  std::vector<Candidate> candidates;
  for (u32 k = 0; k <= 200; ++k) candidates.push_back({ids[k], sources[k], {}});
  const auto best = [&](ScoreKind kind, std::optional<f64> measure) {
    EvaluateOptions options;
    options.ranking.score = kind;
    options.ranking.measure = measure;
    const Results results = evaluate_all(candidates, options, csv);
    return std::stod(std::string(results.id(results.ranking[0]))) * 0.5;
  };
  EXPECT_EQ(best(ScoreKind::SquaredError, {}), 35);  // the mean
  EXPECT_EQ(best(ScoreKind::AbsoluteError, {}), 25);
  EXPECT_EQ(best(ScoreKind::Quantile, {}), 25);  // the median
  EXPECT_EQ(best(ScoreKind::Quantile, 0.85), 81);
  EXPECT_EQ(best(ScoreKind::Quantile, 0.15), 1);
  EXPECT_EQ(best(ScoreKind::Huber, 1e6), 35);
  EXPECT_EQ(best(ScoreKind::Huber, 0.25), 25);
  EXPECT_EQ(best(ScoreKind::LogCosh, 1e6), 35);
  EXPECT_EQ(best(ScoreKind::LogCosh, 0.01), 25);
}

// Of a class in four of five cases the log-odds are ln 4.
TEST(LossScores, TheBestLogOddsAreThoseOfTheCases) {
  std::vector<std::string> sources, ids;
  for (u32 k = 0; k <= 40; ++k) {
    ids.push_back(std::to_string(k));
    sources.push_back("pub fn f(x: f64) -> f64 { " + std::to_string(k * 0.1 - 2) + " }");
  }
  std::vector<Candidate> candidates;
  for (u32 k = 0; k <= 40; ++k) candidates.push_back({ids[k], sources[k], {}});
  for (const char* const csv :
       {"x,expected\n0,1\n0,0\n0,1\n0,1\n0,1\n", "x,expected\n0,1\n0,-1\n0,1\n0,1\n0,1\n",
        "x,expected\n0,true\n0,false\n0,true\n0,true\n0,true\n"}) {
    EvaluateOptions options;
    options.ranking.score = ScoreKind::Logistic;
    const Results results = evaluate_all(candidates, options, csv);
    EXPECT_EQ(results.id(results.ranking[0]), "34") << csv;  // 1.4; ln 4 is 1.386
    options.ranking.score = ScoreKind::Hinge;
    const Results sides = evaluate_all(candidates, options, csv);
    EXPECT_EQ(sides.id(sides.ranking[0]), "30") << csv;  // 1: four cases are right, with a margin
  }
}

TEST(LossScores, ClassesAreTwo) {
  const auto problem = [](const std::string& csv, const char* source) {
    const std::vector<Candidate> candidates = {{"a", source, {}}};
    CandidateList list(candidates);
    EvaluateOptions options;
    options.ranking.score = ScoreKind::Logistic;
    Results results;
    const CasesTable table = table_of(csv);
    return evaluate(list, table, options, results).text();
  };
  const char* const f = "pub fn f(x: f64) -> f64 { x }";
  EXPECT_NE(problem("x,expected\n0,1\n0,2.5\n", f).find("cases.csv:3"), std::string::npos);
  EXPECT_NE(problem("x,expected\n0,1\n0,2.5\n", f).find("`2.5` is none"), std::string::npos);
  EXPECT_NE(problem("x,expected\n0,0\n0,-1\n", f).find("`-1.0` is a third one"), std::string::npos);
  EXPECT_NE(problem("x,expected\n0,true\n", "pub fn f(x: f64) -> bool { x > 0.0 }")
                .find("takes results that are one number"),
            std::string::npos);
  EXPECT_EQ(problem("x,expected\n0,0\n0,1\n", f), "");
}

// The report says what was measured by.
TEST(LossScores, TheReportHasTheMeasure) {
  const std::vector<Candidate> candidates = {{"a", "pub fn f(x: f64) -> f64 { x }", {}}};
  EvaluateOptions options;
  const auto report = [&](ScoreKind kind, std::optional<f64> measure) {
    options.ranking.score = kind;
    options.ranking.measure = measure;
    return report_of(evaluate_all(candidates, options, "x,expected\n1,1\n2,0\n3,1\n"));
  };
  EXPECT_NE(report(ScoreKind::Huber, 0.5).find(R"("tolerance": 0, "delta": 0.5, "cases")"),
            std::string::npos);
  EXPECT_NE(report(ScoreKind::LogCosh, 2).find(R"("delta": 2, )"), std::string::npos);
  EXPECT_NE(report(ScoreKind::Quantile, 0.9).find(R"("quantile": 0.9, )"), std::string::npos);
  EXPECT_EQ(report(ScoreKind::Logistic, {}).find("delta"), std::string::npos);
}

}  // namespace
}  // namespace komuz::engine::test
