// SPDX-License-Identifier: Apache-2.0
// Cases that count more than others.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "engine/cases/split_cases.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/scored_outcomes.h"

namespace komuz::engine::test {
namespace {

CaseFields with_weights(const std::string& column) {
  CaseFields fields;
  fields.form.weights = column;
  return fields;
}
CasesTable weighted_table(const std::string& csv, const std::string& column = "w") {
  CasesTable table;
  const Problem problem = read_csv_cases("cases.csv", csv, with_weights(column), table);
  EXPECT_EQ(problem.text(), "");
  return table;
}
Suite weighted_suite(const std::string& csv, Scalar type = Scalar::F64) {
  const CasesTable table = weighted_table(csv);
  Suite suite;
  EXPECT_EQ(make_suite(table, make_signature({{"x", Scalar::U8}}, {type}), suite).text(), "");
  return suite;
}

constexpr ScoreKind kErrorScores[] = {
    ScoreKind::AbsoluteError,  ScoreKind::SquaredError, ScoreKind::RelativeError,
    ScoreKind::SymmetricError, ScoreKind::RSquared,     ScoreKind::Correlation,
    ScoreKind::Huber,          ScoreKind::LogCosh,      ScoreKind::Quantile,
    ScoreKind::Logistic,       ScoreKind::Hinge,
};

// A case of weight 3 is three cases, and one of weight 0 is none, by every score, on every instruction set and device.
TEST(CaseWeights, AreRepeatedCases) {
  Random random(5);
  std::string weighted = "x,expected,w\n", repeated = "x,expected\n";
  std::vector<u64> of_weighted, of_repeated;
  for (u32 k = 0; k < 300; ++k) {
    const std::string expected = std::to_string(random.below(1000)) + ".25";
    const u64 cell = cell_of(static_cast<f64>(random.below(100'000)) / 77 - 200);
    const u64 weight = random.below(5);
    weighted += "0," + expected + "," + std::to_string(weight) + "\n";
    of_weighted.push_back(cell);
    for (u64 n = 0; n < weight; ++n) {
      repeated += "0," + expected + "\n";
      of_repeated.push_back(cell);
    }
  }
  const Suite few = weighted_suite(weighted);
  const Suite many = csv_suite(repeated, make_signature({{"x", Scalar::U8}}, {Scalar::F64}));
  for (const ScoreKind kind : kErrorScores) {
    Outcomes outcomes(of_weighted), others(of_repeated);
    const f64 one = score(few, outcomes, kind).score, other = score(many, others, kind).score;
    EXPECT_NEAR(one, other, 1e-11 * std::fabs(other)) << score_name(kind);
    EXPECT_NE(one, 0) << score_name(kind);
  }
  // Whatever a case without a weight gives, it is not bad.
  for (u32 k = 0; k < few.count; ++k)
    if (few.weights[k] == 0) of_weighted[k] = k % 2 == 0 ? kCanonicalNan64 : cell_of(INFINITY);
  for (const ScoreKind kind : kErrorScores) {
    Outcomes outcomes(of_weighted), others(of_repeated);
    for (u32 k = 0; k < few.count; ++k)
      if (few.weights[k] == 0 && k % 3 == 0) outcomes.traps[k] = Trap::Index;
    for (u32 k = 0; k < few.count; ++k)
      if (outcomes.traps[k] != Trap::None) outcomes.values[k] = 0;
    const Tally tally = score(few, outcomes, kind);
    EXPECT_EQ(tally.bad_cases, 0u) << score_name(kind);
    const f64 other = score(many, others, kind).score;
    EXPECT_NEAR(tally.score, other, 1e-11 * std::fabs(other)) << score_name(kind);
  }
}

TEST(CaseWeights, OfOneChangeNoBit) {
  std::string weighted = "x,expected,w\n", plain = "x,expected\n";
  std::vector<u64> cells;
  Random random(6);
  for (u32 k = 0; k < 200; ++k) {
    const std::string expected = std::to_string(random.below(1000));
    weighted += "0," + expected + ",1\n";
    plain += "0," + expected + "\n";
    cells.push_back(cell_of(static_cast<f64>(random.below(100'000)) / 77));
  }
  const Suite with = weighted_suite(weighted);
  const Suite without = csv_suite(plain, make_signature({{"x", Scalar::U8}}, {Scalar::F64}));
  for (const ScoreKind kind : kErrorScores) {
    Outcomes outcomes(cells);
    EXPECT_EQ(score(with, outcomes, kind), score(without, outcomes, kind)) << score_name(kind);
  }
}

TEST(CaseWeights, MultiplyWhatACaseBrings) {
  const Suite suite = weighted_suite("x,expected,w\n0,1,2\n0,2,0.5\n0,4,0\n");
  Outcomes outcomes({cell_of(2.0), cell_of(6.0), cell_of(9.0)});
  Scorer scorer(suite, ScoreKind::SquaredError, 0);
  scorer.keep_case_scores();
  scorer.begin();
  scorer.add(suite.count, outcomes.view());
  EXPECT_EQ(scorer.finish().score, 10);
  EXPECT_EQ(scorer.case_scores(), (std::vector<f64>{2, 8, 0}));
}

// The line that fits is the one that the heavy cases lie on.
TEST(CaseWeights, ALineIsFittedToTheHeavyCases) {
  const CasesTable table = weighted_table("x,expected,w\n1,3,1\n2,5,1\n3,7,1\n4,100,0\n");
  const std::vector<Candidate> candidates = {{"x", "pub fn f(x: f64) -> f64 { x }", {}}};
  CandidateList list(candidates);
  EvaluateOptions options;
  options.ranking.score = ScoreKind::Correlation;
  Results results;
  EXPECT_EQ(evaluate(list, table, options, results).text(), "");
  EXPECT_EQ(results.rows[0].score, 1);
  EXPECT_EQ(results.best_line, (ScoreLine{2, 1}));
  EXPECT_NE(report_of(results).find(R"("tolerance": 0, "weights": "w", )"), std::string::npos);
}

TEST(CaseWeights, RankAndTellTheWorst) {
  const std::vector<Candidate> candidates = {
      {"low", "pub fn f(x: f64) -> f64 { 1.0 + 0.0 * x }", {}},
      {"high", "pub fn f(x: f64) -> f64 { 5.0 + 0.0 * x }", {}}};
  const auto ranked = [&](const std::string& csv) {
    CandidateList list(candidates);
    EvaluateOptions options;
    options.ranking.score = ScoreKind::SquaredError;
    options.details.worst_cases = 1;
    Results results;
    const CasesTable table = weighted_table(csv);
    EXPECT_EQ(evaluate(list, table, options, results).text(), "");
    return results;
  };
  const Results low = ranked("x,expected,w\n1,1,3\n2,5,1\n3,5,1\n");
  EXPECT_EQ(low.id(low.ranking[0]), "low");
  const Results high = ranked("x,expected,w\n1,1,1\n2,5,1\n3,5,1\n");
  EXPECT_EQ(high.id(high.ranking[0]), "high");
  const Results worst = ranked("x,expected,w\n1,1,9\n2,4,0.5\n3,2,4\n");
  ASSERT_FALSE(worst.worst.empty());
  EXPECT_EQ(worst.id(worst.ranking[0]), "low");
  EXPECT_EQ(worst.worst[0].cases[0].failure.case_index, 1u);
  EXPECT_EQ(worst.worst[0].cases[0].error, 4.5);
}

TEST(CaseWeights, AreNoParameterAndComeAlong) {
  CasesTable table =
      weighted_table("x,Weight (kg),expected\n1,2,3\n2,0,4\n3,1e3,5\n", "Weight (kg)");
  EXPECT_EQ(table.columns, std::vector<std::string>{"x"});
  EXPECT_EQ(table.weights, "Weight (kg)");
  EXPECT_EQ(table.rows[2].weight, 1000);
  // By the name that was made of it, too; and half of them are held out with theirs.
  EXPECT_EQ(weighted_table("x,Weight (kg),expected\n1,2,3\n", "Weight_kg").rows[0].weight, 2);
  const CasesTable other = split_cases(table, 1, 1);
  EXPECT_EQ(other.weights, table.weights);
  for (const CasesTable* const part : std::initializer_list<const CasesTable*>{&table, &other})
    for (const TableRow& row : part->rows)
      EXPECT_EQ(row.weight, row.line == 2 ? 2 : row.line == 3 ? 0 : 1000);
  CasesTable json;
  const std::string lines =
      "{\"x\": 1, \"w\": 2.5, \"expected\": 3}\n{\"w\": 0, \"x\": 1, \"expected\": 3}\n";
  EXPECT_EQ(read_jsonl_cases("c.jsonl", lines, with_weights("w"), json).text(), "");
  EXPECT_EQ(json.columns, std::vector<std::string>{"x"});
  EXPECT_EQ(json.rows[0].weight, 2.5);
  EXPECT_EQ(json.rows[1].weight, 0);
  CasesTable args;
  const std::string beside = "{\"args\": {\"w\": 1}, \"w\": 7, \"expected\": 3}\n";
  EXPECT_EQ(read_jsonl_cases("c.jsonl", beside, with_weights("w"), args).text(), "");
  EXPECT_EQ(args.columns, std::vector<std::string>{"w"});
  EXPECT_EQ(args.rows[0].weight, 7);
}

TEST(CaseWeights, AreNumbersFromZeroOn) {
  const auto problem = [](const std::string& text, CaseFields fields = with_weights("w")) {
    CasesTable table;
    return text.starts_with('{') ? read_jsonl_cases("c.jsonl", text, fields, table).text()
                                 : read_csv_cases("c.csv", text, fields, table).text();
  };
  EXPECT_EQ(problem("x,expected,w\n1,2,-1\n"),
            "c.csv:2:5: `-1` is no weight; write a number that is not negative, such as 2.5");
  EXPECT_NE(problem("x,expected,w\n1,2,inf\n").find("`inf` is no weight"), std::string::npos);
  EXPECT_NE(problem("x,expected,w\n1,2,NaN\n").find("`NaN` is no weight"), std::string::npos);
  EXPECT_EQ(
      problem("x,expected,w\n1,2,\n"),
      "c.csv:2:5: the weight is missing; write a number that is not negative, such as 2.5, or "
      "leave such rows out by `--skip-missing`");
  EXPECT_NE(problem("x,expected,v\n1,2,1\n").find("there is no column `w` for `--weights`"),
            std::string::npos);
  EXPECT_NE(problem("x,expected,w,w\n1,2,1,1\n").find("stands here twice"), std::string::npos);
  EXPECT_NE(problem("{\"x\": 1, \"expected\": 2}\n").find("there is no field `w` for `--weights`"),
            std::string::npos);
  EXPECT_NE(problem("{\"x\": 1, \"expected\": 2, \"w\": 1}\n{\"x\": 1, \"expected\": 2}\n")
                .find("c.jsonl:2: `w` is missing"),
            std::string::npos);
  EXPECT_NE(problem("{\"x\": 1, \"expected\": 2, \"w\": \"a\"}\n").find("is no weight"),
            std::string::npos);
  CaseFields as_input = with_weights("w");
  as_input.inputs = {"x", "w"};
  EXPECT_NE(problem("x,expected,w\n1,2,1\n", as_input).find("names the weights"),
            std::string::npos);
  EXPECT_NE(problem("x,expected\n1,2\n", with_weights("expected")).find("names what is expected"),
            std::string::npos);
  CaseFields skipping = with_weights("w");
  skipping.form.skips_missing = true;
  CasesTable left;
  EXPECT_EQ(read_csv_cases("c.csv", "x,expected,w\n1,2,\n1,2,NA\n1,2,3\n", skipping, left).text(),
            "");
  EXPECT_EQ(left.rows.size(), 1u);
  EXPECT_EQ(left.left_out.lines.size(), 2u);
  EXPECT_EQ(left.left_out.column, "w");
  CasesTable lines;
  EXPECT_EQ(read_jsonl_cases("c.jsonl",
                             "{\"x\": 1, \"w\": 1, \"expected\": 2}\n{\"x\": 1, \"w\": null, "
                             "\"expected\": 2}\n",
                             skipping, lines)
                .text(),
            "");
  EXPECT_EQ(lines.rows.size(), 1u);
  EXPECT_EQ(lines.left_out.column, "w");
}

TEST(CaseWeights, AreForErrorsAndNotAllZero) {
  const std::vector<Candidate> candidates = {{"a", "pub fn f(x: f64) -> f64 { x }", {}}};
  const auto problem = [&](const std::string& csv, ScoreKind kind) {
    CandidateList list(candidates);
    EvaluateOptions options;
    options.ranking.score = kind;
    Results results;
    const CasesTable table = weighted_table(csv);
    return evaluate(list, table, options, results).text();
  };
  EXPECT_NE(problem("x,expected,w\n1,2,1\n", ScoreKind::Exact).find("weights are for scores that"),
            std::string::npos);
  EXPECT_NE(problem("x,expected,w\n1,2,0\n2,3,0\n", ScoreKind::SquaredError)
                .find("all weights of cases are 0"),
            std::string::npos);
  // What has no weight does not vary.
  EXPECT_NE(problem("x,expected,w\n1,2,1\n2,3,0\n", ScoreKind::RSquared)
                .find("where cases expect the same number"),
            std::string::npos);
}

}  // namespace
}  // namespace komuz::engine::test
