// SPDX-License-Identifier: Apache-2.0
// Rounds give the bytes of one evaluation of all their candidates, wherever they are cut.
#include "engine/run/rounds.h"

#include <gtest/gtest.h>

#include <span>
#include <stop_token>

#include "tests/engine/evaluations.h"

namespace komuz::engine::test {
namespace {

const std::string kLine = "x,expected\n1,2\n2,4.5\n5,11\n7,-3\n";

std::vector<std::string> sources(size_t count) {
  std::vector<std::string> all;
  for (size_t k = 0; k < count; ++k) {
    // Every third has the program of one before it, and every seventh does what another does.
    const std::string slope = std::to_string(k % 3 == 2 ? k / 2 : k) + ".5";
    all.push_back("pub fn f(x: f64) -> f64 { " + slope + " * x" + (k % 7 == 6 ? " + 0.0 }" : " }"));
  }
  return all;
}

std::vector<Candidate> candidates_of(const std::vector<std::string>& sources,
                                     const std::vector<std::string>& ids) {
  std::vector<Candidate> all;
  for (size_t k = 0; k < sources.size(); ++k) all.push_back({ids[k], sources[k], {}});
  return all;
}

std::string report_in_rounds(std::span<const Candidate> candidates, const EvaluateOptions& options,
                             const std::string& csv, size_t size) {
  const CasesTable table = table_of(csv);
  Results results;
  Rounds rounds(table, options, results, nullptr, nullptr, {});
  Problem error = rounds.begin();
  for (size_t k = 0; k < candidates.size() && !error; k += size) {
    CandidateList list(candidates.subspan(k, std::min(size, candidates.size() - k)));
    error = rounds.run(list);
    // Ranking in between changes nothing of what follows.
    if (!error && k % 2 == 0) error = rounds.rank();
  }
  EXPECT_TRUE(rounds.goes_on());
  if (!error) error = rounds.end();
  EXPECT_FALSE(error) << error.text();
  EXPECT_FALSE(rounds.goes_on());
  return report_of(results);
}

TEST(Rounds, AllKindsOfCandidates) {
  const std::string expected = report_of(evaluate_all(kCandidates));
  for (const size_t size : {1, 2, 3, 7, 20})
    EXPECT_EQ(report_in_rounds(kCandidates, {}, kCases, size), expected) << size;
}

TEST(Rounds, BlocksAreCutAnywhere) {
  const std::vector<std::string> texts = sources(2300);
  std::vector<std::string> ids;
  for (size_t k = 0; k < texts.size(); ++k) ids.push_back("c" + std::to_string(k));
  const std::vector<Candidate> candidates = candidates_of(texts, ids);
  const CasesTable held_out = table_of("x,expected\n3,7\n4,9\n");
  EvaluateOptions options;
  options.ranking.score = ScoreKind::SquaredError;
  options.ranking.shown_best = 3;
  options.ranking.shown_front = true;
  options.details.worst_cases = 2;
  options.ranking.held_out = &held_out;
  const std::string expected = report_of(evaluate_all(candidates, options, kLine));
  for (const size_t size : {700, 1024, 1500, 5000})
    EXPECT_EQ(report_in_rounds(candidates, options, kLine, size), expected) << size;
}

TEST(Rounds, ASlowCandidateIsJudgedByItsBlockSoFar) {
  const std::string slow =
      "pub fn f(x: f64) -> f64 { var k = x; while k > 0.0 limit 1000000000 { k += 1.0; } k }";
  const std::vector<std::string> texts = {"pub fn f(x: f64) -> f64 { x }", slow,
                                          "pub fn f(x: f64) -> f64 { x + 1.0 }", slow + " ",
                                          "pub fn f(x: f64) -> f64 { x + 2.0 }"};
  const std::vector<Candidate> candidates = candidates_of(texts, {"a", "b", "c", "d", "e"});
  EvaluateOptions options;
  options.ranking.score = ScoreKind::SquaredError;
  // Alone in its block a slow candidate has enough for these few cases.
  EXPECT_EQ(report_in_rounds(candidates, options, kLine, 2),
            report_of(evaluate_all(candidates, options, kLine)));
}

TEST(Rounds, AStopEndsThem) {
  const CasesTable table = table_of(kCases);
  std::stop_source stop;
  Results results;
  Rounds rounds(table, {}, results, nullptr, nullptr, stop.get_token());
  ASSERT_FALSE(rounds.begin());
  CandidateList first(kCandidates);
  ASSERT_FALSE(rounds.run(first));
  stop.request_stop();
  CandidateList second(kCandidates);
  ASSERT_FALSE(rounds.run(second));
  EXPECT_FALSE(rounds.goes_on());
  ASSERT_FALSE(rounds.rank());
  EXPECT_EQ(results.rows.size(), kCandidates.size());
  EXPECT_EQ(results.ranking.size(), kCandidates.size());
  EXPECT_FALSE(results.complete);
}

TEST(Rounds, CasesThatDoNotFitTheSignatureAreAnError) {
  const CasesTable table = table_of(kLine);
  EvaluateOptions options;
  options.programs.signature = read_signature("fn(a: f64, b: f64) -> f64").value();
  Results results;
  Rounds rounds(table, options, results, nullptr, nullptr, {});
  EXPECT_TRUE(rounds.begin());
  EXPECT_FALSE(rounds.goes_on());
}

}  // namespace
}  // namespace komuz::engine::test
