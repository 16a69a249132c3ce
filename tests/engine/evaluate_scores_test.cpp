// SPDX-License-Identifier: Apache-2.0
// Scores, behaviours and case scores of whole evaluations.
#include <gtest/gtest.h>

#include "tests/engine/evaluations.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

using namespace test;

TEST(EvaluateScores, ErrorScores) {
  EvaluateOptions options;
  options.ranking.score = ScoreKind::SquaredError;
  const Results results = evaluate_all(
      {{"off", "pub fn f(x: f64) -> f64 { x + 1.0 }", {}},
       {"nan", "pub fn f(x: f64) -> f64 { sqrt(x) }", {}},
       {"exact", "pub fn f(x: f64) -> f64 { x }", {}},
       {"trap", "pub fn f(x: f64) -> f64 { let q = 1 / i64(x); if q > 9 { 0.0 } else { x } }", {}}},
      options, "x,expected\n-1,-1\n0,0\n2,2\n");
  EXPECT_EQ(results.rows[0].score, 3.0);
  EXPECT_EQ(results.rows[0].status, Status::Ok);
  EXPECT_EQ(results.rows[1].status, Status::Trap);
  EXPECT_EQ(results.rows[1].bad_cases, 1u);
  EXPECT_EQ(results.rows[3].bad_cases, 1u);
  EXPECT_EQ(results.rows[3].first_trap, Trap::DivZero);
  EXPECT_EQ(results.ranking, (std::vector<u32>{2, 0, 1, 3}));
}

TEST(EvaluateScores, AnErrorScoreNeedsNumbers) {
  CandidateList source(kCandidates);
  EvaluateOptions options;
  options.ranking.score = ScoreKind::SquaredError;
  options.programs.signature = read_signature("fn(n: i64) -> (bool, List[f64, 3])").value();
  Results results;
  const Problem error =
      evaluate(source, table_of("n,expected\n1,\"(true, [])\"\n"), options, results);
  ASSERT_TRUE(error);
  EXPECT_EQ(error.text(),
            "the score `squared` takes results that are numbers, or tuples, records or arrays of "
            "them; the entry "
            "gives (bool, List[f64, 3]) [the signature is that of --signature]; use `exact`, or "
            "let the entry give "
            "the number to compare");
  options.ranking.score = ScoreKind::Exact;
  EXPECT_FALSE(evaluate(source, table_of("n,expected\n1,\"(true, [])\"\n"), options, results));
}

TEST(EvaluateScores, R2RanksTheLargerFirst) {
  EvaluateOptions options;
  options.ranking.score = ScoreKind::RSquared;
  const Results results = evaluate_all({{"off", "pub fn f(x: f64) -> f64 { x + 1.0 }", {}},
                                        {"exact", "pub fn f(x: f64) -> f64 { x }", {}},
                                        {"nan", "pub fn f(x: f64) -> f64 { sqrt(x) }", {}}},
                                       options, "x,expected\n-1,-1\n0,0\n4,4\n");
  EXPECT_EQ(results.rows[0].score, 1 - 3.0 / 14);
  EXPECT_EQ(results.rows[1].score, 1.0);
  EXPECT_EQ(results.ranking, (std::vector<u32>{1, 0, 2}));
  EXPECT_NE(report_of(results).find(R"("score": "r2")"), std::string::npos);
}

TEST(EvaluateScores, R2NeedsOneNumberAndNumbersThatDiffer) {
  const auto error = [](const std::string& signature, const std::string& csv) {
    CandidateList source(kCandidates);
    EvaluateOptions options;
    options.ranking.score = ScoreKind::RSquared;
    options.programs.signature = read_signature(signature).value();
    Results results;
    const Problem found = evaluate(source, table_of(csv), options, results);
    EXPECT_TRUE(found);
    EXPECT_TRUE(results.rows.empty());
    return found ? found.text() : "";
  };
  EXPECT_EQ(error("fn(n: i64) -> (f64, f64)", "n,expected\n1,\"(1, 2)\"\n"),
            "the score `r2` takes results that are one number; the entry gives (f64, f64) [the "
            "signature is that of --signature]; use `squared`, or let the entry give the number "
            "to compare");
  EXPECT_EQ(error("fn(n: i64) -> f64", "n,expected\n1,0.1\n2,0.1\n3,0.1\n"),
            "cases.csv: there is no score `r2` where cases expect the same number [the signature "
            "is that of --signature]; use `squared`, or other cases");
  EXPECT_EQ(error("fn(n: i64) -> f64", "n,expected\n1,0.1\n2,Infinity\n"),
            "cases.csv: there is no score `r2` where expected numbers are not finite [the "
            "signature is that of --signature]; use `squared`, or other cases");
  EXPECT_EQ(error("fn(n: i64) -> f64", "n,expected\n1,NaN\n2,NaN\n"),
            "cases.csv: there is no score `r2` where no case expects a number [the signature is "
            "that of --signature]; use `squared`, or other cases");
  EXPECT_EQ(error("fn(n: i64) -> f64", "n,expected\n1,0.1\n2,0.10000000000000002\n"),
            "cases.csv: there is no score `r2` where the numbers that cases expect differ by no "
            "more than rounding [the signature is that of --signature]; use `squared`, or other "
            "cases");
}

TEST(EvaluateScores, CasesThatAreHeldOutHaveTheirOwnRefusals) {
  const auto refusal = [](const std::string& held_out_csv) {
    const CasesTable held_out = table_of(held_out_csv);
    EvaluateOptions options;
    options.ranking.score = ScoreKind::RSquared;
    options.ranking.held_out = &held_out;
    const std::vector<Candidate> candidates = {{"f", "pub fn f(x: f64) -> f64 { x }", {}}};
    CandidateList source(candidates);
    Results results;
    const Problem found = evaluate(source, table_of("x,expected\n1,2\n2,3\n"), options, results);
    return found ? found.text() : "";
  };
  EXPECT_NE(
      refusal("x,expected\n1,2\n")
          .find("there is no score `r2` on the one case that is held out, as it compares with the "
                "mean of several"),
      std::string::npos);
  EXPECT_NE(refusal("x,expected\n1,2\n").find("use `squared`, or hold out more"),
            std::string::npos);
  EXPECT_NE(refusal("x,expected\n1,2\n2,2\n")
                .find("there is no score `r2` on the cases that are held out, where cases expect "
                      "the same number"),
            std::string::npos);
}

// "slow" is another program than "good" that does the same, and so is its copy.
TEST(EvaluateScores, ProgramsThatDoTheSameAreSaidToDoSo) {
  std::vector<Candidate> candidates = kCandidates;
  candidates.push_back({"slow again", candidates[3].source, {}});
  for (const u32 threads : {1u, 3u}) {
    EvaluateOptions options;
    options.machines.threads = threads;
    options.machines.epoch = 4;
    const Results results = evaluate_all(candidates, options);
    EXPECT_EQ(results.rows[3].same_behaviour_as, 2u);
    EXPECT_EQ(results.rows[10].same_behaviour_as, 2u);
    EXPECT_EQ(results.rows[3].behaviour, results.rows[2].behaviour);
    for (const u32 alone : {0u, 1u, 2u, 4u, 5u, 6u})
      EXPECT_EQ(results.rows[alone].same_behaviour_as, kNone) << alone;
    const OutcomeCounts counts = count_outcomes(results);
    EXPECT_EQ(counts.programs, 4u);
    EXPECT_EQ(counts.behaviours, 3u);
    const std::string report = report_of(results);
    EXPECT_NE(report.find(R"("duplicates": 2, "behaviours": 3, "pareto": 1, "over_budget": 0})"),
              std::string::npos)
        << report;
    EXPECT_NE(report.find(R"("same_behaviour_as": "good")"), std::string::npos);
    EXPECT_NE(report.find(R"("behaviour": null, "same_behaviour_as": null)"), std::string::npos);
  }
}

TEST(EvaluateScores, CaseScoresAreInTheReportWhereTheyAreAskedFor) {
  const std::string plain = report_of(evaluate_all(kCandidates));
  EXPECT_EQ(plain.find("case_scores"), std::string::npos);
  const auto warps = vm::emulated_warp_device();
  for (vm::WarpDevice* const device : {static_cast<vm::WarpDevice*>(nullptr), warps.get()}) {
    EvaluateOptions options;
    options.machines.device = device;
    options.details.case_scores = CaseScores::ForSink;
    EXPECT_EQ(report_of(evaluate_all(kCandidates, options)), plain);
    options.details.case_scores = CaseScores::Kept;
    const Results results = evaluate_all(kCandidates, options);
    EXPECT_EQ(results.case_scores.size(), 4u) << "one for each program that was run";
    const auto scores = [&](u32 row) {
      const std::span<const f64> of = results.case_scores_of(row);
      return std::vector<f64>(of.begin(), of.end());
    };
    EXPECT_EQ(scores(0), (std::vector<f64>{0, 1, 0, 1}));
    EXPECT_EQ(scores(4), (std::vector<f64>{1, 1, 1, 1}));  // of a duplicate those of the first one
    EXPECT_TRUE(scores(1).empty());
    const std::string report = report_of(results);
    EXPECT_NE(report.find(R"("diagnostics": [], "case_scores": [0.0, 1.0, 0.0, 1.0], )"
                          R"("case_scores_text": null})"),
              std::string::npos);
    EXPECT_NE(report.find(R"("case_scores": null, "case_scores_text": null})"), std::string::npos);
    options.ranking.score = ScoreKind::AbsoluteError;
    EXPECT_NE(report_of(evaluate_all({{"root", "pub fn f(x: f64) -> f64 { sqrt(x) }", {}}}, options,
                                     "x,expected\n-1,0\n4,5\n"))
                  .find(R"("case_scores": [null, 3.0], "case_scores_text": null})"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace komuz::engine
