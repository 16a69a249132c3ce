// SPDX-License-Identifier: Apache-2.0
// Data in other units rank the same programs in the same order.
#include "engine/cases/score_scale.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/random.h"
#include "engine/values/value_text.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/suite_builder.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine::test {
namespace {

std::string text_of(f64 value) {
  std::string text;
  print_scalar(text, Scalar::F64, std::bit_cast<u64>(value), ValueStyle::Text);
  return text;
}

// What f(x) = expression gives for x = 1, 2, …, as if it were data; and the pool of programs.
struct Pool {
  std::vector<f64> expected;
  std::vector<std::string> expressions;
};
// Formulas that are right, nearly right, constant, off by a factor, and noise, on numbers of a wide range including
// zeros.
Pool random_pool(u64 seed) {
  Random random(seed);
  Pool out;
  const auto unit = [&] { return static_cast<f64>(random.below(1u << 20)) / (1u << 20) - 0.5; };
  for (u32 x = 1; x <= 90; ++x)
    out.expected.push_back(
        random.one_in(9) ? 0.0 : std::ldexp(unit(), static_cast<i32>(random.below(12)) - 6));
  out.expressions = {"0.0", "3.0",    "0.1 * x / x", "x",
                     "-x",  "sin(x)", "1.0 / x",     "x * x - 40.0 * x"};
  for (u32 k = 0; k < 12; ++k) {
    const std::string a = text_of(unit()), b = text_of(unit()), c = text_of(unit());
    out.expressions.push_back(a + " * x * sin(" + b + " * x) + " + c);
    out.expressions.push_back("(x - " + a + ") * 0.001 + " + c);
  }
  return out;
}

// Data and programs times 2^by.
std::string csv_of(const Pool& pool, i32 by) {
  std::string csv = "x,expected\n";
  for (size_t k = 0; k < pool.expected.size(); ++k)
    csv += std::to_string(k + 1) + "," + text_of(std::ldexp(pool.expected[k], by)) + "\n";
  return csv;
}
std::vector<Candidate> candidates_of(const Pool& pool, std::vector<std::string>& sources, i32 by) {
  std::vector<Candidate> out;
  sources.clear();
  for (const std::string& expression : pool.expressions)
    sources.push_back("pub fn f(x: f64) -> f64 { (" + expression + ") * " +
                      text_of(std::ldexp(1.0, by)) + " }");
  for (size_t k = 0; k < sources.size(); ++k) out.push_back({pool.expressions[k], sources[k], {}});
  return out;
}

struct Kind {
  ScoreKind score;
  f64 tolerance;
  i32 most;  // powers of two
};
constexpr Kind kKinds[] = {
    {ScoreKind::Exact, 0.3, 900},        {ScoreKind::Exact, 1e-9, 900},
    {ScoreKind::AbsoluteError, 0, 900},  {ScoreKind::RelativeError, 0, 900},
    {ScoreKind::SquaredError, 0, 400},   {ScoreKind::SquaredError, 0, 900},
    {ScoreKind::RSquared, 0, 900},       {ScoreKind::Correlation, 0, 900},
    {ScoreKind::SymmetricError, 0, 900}, {ScoreKind::Huber, 0, 400},
    {ScoreKind::LogCosh, 0, 400},        {ScoreKind::Quantile, 0, 900},
};

Results ranked(const Pool& pool, const Kind& kind, i32 by, vm::WarpDevice* device = nullptr) {
  EvaluateOptions options;
  options.ranking.score = kind.score;
  options.ranking.tolerance = kind.tolerance;
  options.machines.device = device;
  options.details.case_scores = CaseScores::Kept;
  std::vector<std::string> sources;
  return evaluate_all(candidates_of(pool, sources, by), options, csv_of(pool, by));
}

TEST(ScoreScale, DataAndProgramsTimesAPowerOfTwoRankAsBefore) {
  constexpr i32 kBase = 3;  // a factor of 1 would be optimised away, and take no fuel
  for (u64 seed = 1; seed <= 3; ++seed) {
    const Pool pool = random_pool(seed);
    for (const Kind& kind : kKinds) {
      const Results before = ranked(pool, kind, kBase);
      for (const i32 by :
           {-900, -700, -600, -530, -400, -399, -64, -1, 1, 33, 400, 530, 899, 900}) {
        if (std::abs(by) > kind.most) continue;
        const Results after = ranked(pool, kind, by);
        EXPECT_EQ(after.ranking, before.ranking)
            << score_name(kind.score) << ", 2^" << by << ", seed " << seed;
        const ErrorKind error = score_row(kind.score).error;
        const bool has_unit = kind.score != ScoreKind::Exact && kind.score != ScoreKind::RSquared &&
                              kind.score != ScoreKind::Correlation &&
                              error != ErrorKind::Relative && error != ErrorKind::Symmetric;
        for (u32 row = 0; row < after.rows.size(); ++row) {
          EXPECT_EQ(after.rows[row].passed, before.rows[row].passed);
          if (has_unit) continue;
          EXPECT_EQ(after.rows[row].score, before.rows[row].score)
              << score_name(kind.score) << ", 2^" << by << ", " << pool.expressions[row];
        }
      }
    }
  }
}

// A device gives the same bits, also where squares have a unit.
TEST(ScoreScale, DevicesAgree) {
  const Pool pool = random_pool(4);
  const auto warps = vm::emulated_warp_device();
  for (const Kind& kind : kKinds)
    for (const i32 by : {-900, -540, 0, 540, 900}) {
      EXPECT_EQ(report_of(ranked(pool, kind, by, warps.get())), report_of(ranked(pool, kind, by)))
          << score_name(kind.score) << ", 2^" << by;
    }
}

// What the cases brought adds up to the score.
TEST(ScoreScale, CaseScoresAgreeWithTheScore) {
  const Pool pool = random_pool(5);
  for (const ScoreKind kind : {ScoreKind::AbsoluteError, ScoreKind::SquaredError,
                               ScoreKind::RelativeError, ScoreKind::SymmetricError,
                               ScoreKind::RSquared, ScoreKind::Correlation, ScoreKind::Quantile})
    for (const i32 by : {-900, -540, -30, 0, 540, 900}) {
      const Results results = ranked(pool, {kind, 0, 900}, by);
      const f64 squares = compares_with_mean(kind)
                              ? spread_of(results.suite, results.scale.unit).basis.total_squares
                              : 0;
      for (u32 row = 0; row < results.rows.size(); ++row) {
        if (!results.rows[row].scored) continue;
        f64 sum = 0;
        for (const f64 of_case : results.case_scores_of(row)) sum += of_case;
        const f64 score = kind == ScoreKind::SymmetricError ? sum / results.cases
                          : squares != 0                    ? 1 - sum / squares
                                                            : sum;
        EXPECT_NEAR(score, results.rows[row].score, 1e-9 * std::fabs(sum) + 1e-12)
            << score_name(kind) << ", 2^" << by << ", " << pool.expressions[row];
      }
    }
}

TEST(ScoreScale, ScoresOfSmallNumbersTellThemApart) {
  // About 1e-19, as charges are: 20 % off is not within any small tolerance, nor four times as much right.
  const std::string csv = "x,expected\n1,1.6e-19\n2,3.2e-19\n3,4.8e-19\n";
  const std::vector<Candidate> candidates = {
      {"right", "pub fn f(x: f64) -> f64 { 1.6e-19 * x }", {}},
      {"off", "pub fn f(x: f64) -> f64 { 1.92e-19 * x }", {}},
      {"far", "pub fn f(x: f64) -> f64 { 6.4e-19 * x }", {}}};
  EvaluateOptions options;
  options.ranking.tolerance = 1e-9;
  Results results = evaluate_all(candidates, options, csv);
  EXPECT_EQ(results.rows[0].passed, 3u);
  EXPECT_EQ(results.rows[1].passed, 0u);
  EXPECT_NE(report_of(results).find(R"("tolerance": 1e-09, "floor": 3.2e-19, )"),
            std::string::npos);
  options.ranking.measure = 1;
  results = evaluate_all(candidates, options, csv);
  EXPECT_EQ(results.rows[2].passed, 3u);
  EXPECT_NE(report_of(results).find(R"("tolerance": 1e-09, "floor": 1, )"), std::string::npos);
  options = {};
  options.ranking.score = ScoreKind::RelativeError;
  results = evaluate_all(candidates, options, csv);
  EXPECT_NEAR(results.rows[1].score, 0.6, 1e-12);
  EXPECT_NEAR(results.rows[2].score, 9.0, 1e-12);
  options.ranking.measure = 1e-18;
  EXPECT_NEAR(evaluate_all(candidates, options, csv).rows[2].score, 2.88, 1e-12);
}

// Of what cases expect, by the type of the result.
std::vector<f64> floors(const std::string& type, const std::string& csv,
                        ScoreKind kind = ScoreKind::Exact) {
  const Result<Signature> read = read_signature("fn(x: f64) -> " + type);
  EXPECT_EQ(read.problem().text(), "");
  const ScoreScale scale = scale_of(csv_suite(csv, read.value()), kind, 1e-9, std::nullopt);
  return kind == ScoreKind::RelativeError ? scale.measures : scale.floors;
}

TEST(ScoreScale, AFloorIsTheMedianOfWhatIsExpected) {
  EXPECT_EQ(floors("f64", "x,expected\n1,-8\n2,0\n3,2\n4,1e300\n5,NaN\n6,Infinity\n7,4\n"),
            std::vector{4.0});
  EXPECT_EQ(floors("f64", "x,expected,trap\n1,-8,\n2,,INDEX\n3,5e-324,\n"), std::vector{5e-324});
  EXPECT_EQ(floors("i64", "x,expected\n1,-8\n2,3\n3,9\n"), std::vector{8.0});
  EXPECT_EQ(floors("f64", "x,expected\n1,0\n"), std::vector{0.0}) << "there is no size";
  EXPECT_EQ(floors("f64", "x,expected\n1,8\n", ScoreKind::RelativeError), std::vector{0x1p-49});
  EXPECT_EQ(floors("f64", "x,expected\n1,0\n", ScoreKind::RelativeError), std::vector{0x1p-52});
  EXPECT_EQ(floors("f64", "x,expected\n1,8\n", ScoreKind::AbsoluteError), std::vector{8.0})
      << "what passes is counted, too";
  EXPECT_TRUE(floors("f64", "x,expected\n1,8\n", ScoreKind::Maximize).empty());
}

TEST(ScoreScale, PartsOfAResultHaveFloorsOfTheirOwn) {
  EXPECT_EQ(floors("(f64, i64, f64)", "x,expected\n1,\"(1e-19, 7, 0)\"\n2,\"(2e-19, 7, 0)\"\n"),
            (std::vector{1e-19, 7.0, 1e-19}))
      << "of what is always 0 the smallest of the others";
  EXPECT_EQ(floors("[f64; 2]", "x,expected\n1,\"[8, 1]\"\n2,\"[3, 2]\"\n"), std::vector{2.0});
  EXPECT_EQ(floors("(i64, List[f64, 3])", "x,expected\n1,\"(5, [8])\"\n2,\"(5, [1, 3])\"\n"),
            std::vector{3.0})
      << "where there are lists, integers have no tolerance";
  // 1e-9 of the first part's is not enough for the second, nor the other way round.
  EvaluateOptions options;
  options.ranking.tolerance = 1e-9;
  const Results results =
      evaluate_all({{"first", "pub fn f(x: f64) -> (f64, f64) { (1.0e-19, 1.0e10 + 1.0) }", {}},
                    {"second", "pub fn f(x: f64) -> (f64, f64) { (1.5e-19, 1.0e10) }", {}}},
                   options, "x,expected\n1,\"(1e-19, 1e10)\"\n");
  EXPECT_EQ(results.rows[0].passed, 1u);
  EXPECT_EQ(results.rows[1].passed, 0u);
  EXPECT_NE(report_of(results).find(R"("floor": [1e-19, 1e+10])"), std::string::npos);
}

TEST(ScoreScale, UnitsAreOneButFarFromOne) {
  const auto unit = [](f64 expected) {
    const Suite suite = csv_suite("x,expected\n1," + text_of(expected) + "\n2,0\n",
                                  make_signature({{"x", Scalar::F64}}, {Scalar::F64}));
    return scale_of(suite, ScoreKind::SquaredError, 0, std::nullopt).unit;
  };
  for (const f64 ordinary : {0.0, 1.0, -1e-120, 0x1p-416, 0x1.8p416})
    EXPECT_EQ(unit(ordinary), 1.0) << ordinary;
  EXPECT_EQ(unit(-0x1.8p417), 0x1p417);
  EXPECT_EQ(unit(0x1.8p-417), 0x1p-417);
  EXPECT_EQ(unit(0x1p1023), 0x1p1000);
  EXPECT_EQ(unit(5e-324), 0x1p-1000);
}

// Cases that are held out are judged by the floor of the others.
TEST(ScoreScale, CasesThatAreHeldOutAreMeasuredByTheOthers) {
  EvaluateOptions options;
  options.ranking.tolerance = 0.01;
  const CasesTable more = table_of("x,expected\n1,0.001\n");
  options.ranking.held_out = &more;
  const std::vector<Candidate> candidates = {
      {"f", "pub fn f(x: f64) -> f64 { if x < 2.0 { 0.009 } else { x } }", {}}};
  EXPECT_EQ(evaluate_all(candidates, options, "x,expected\n2,2\n3,3\n").held_out->row.passed, 1u);
  options.ranking.tolerance = 0;
  const CasesTable tolerant = table_of("x,expected,tol\n1,0.001,0.01\n");
  options.ranking.held_out = &tolerant;
  EXPECT_EQ(evaluate_all(candidates, options, "x,expected\n2,2\n3,3\n").held_out->row.passed, 1u)
      << "though the others have no tolerance";
}

}  // namespace
}  // namespace komuz::engine::test
