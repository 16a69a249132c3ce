// SPDX-License-Identifier: Apache-2.0
// Which candidates are run on the cases that are held out, and what is said of them.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/evaluations.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine::test {
namespace {

constexpr const char* kTraining = "x,expected\n1,1\n2,4\n3,9\n";
constexpr const char* kMore = "x,expected\n4,16\n0,0\n";

// By id: the result there as a text.
std::map<std::string, std::string> results_there(const Results& results) {
  std::map<std::string, std::string> out;
  for (const Results::HeldOutRow& row : results.held_out_rows) {
    const ResultRow& there = row.result.row;
    out[std::string(results.id(row.row))] =
        there.scored ? std::to_string(there.score)
                     : std::string(status_name(there.status)) + row.result.problem;
  }
  return out;
}

const std::vector<Candidate> kPrograms = {
    {"first", "pub fn f(x: f64) -> f64 { x }", {}},
    {"broken", "pub fn f(x: f64) -> f64 { x + }", {}},
    {"best", "pub fn f(x: f64) -> f64 { x * x + 0.0 * (1.0 - x) }", {}},
    {"same", "pub fn f(x: f64) -> f64 { x * x + 0.0 * (2.0 - x) }", {}},
    {"copy", "pub fn f(x: f64) -> f64 { x }", {}},
    {"traps",
     "pub fn f(x: f64) -> f64 { x * x / f64(i64(x) / i64(x)) + 0.0 * (1.0 - x) * (2.0 - x) }",
     {}},
    {"small", "pub fn f(x: f64) -> f64 { 1.0 }", {}},
    {"bad", "pub fn f(x: f64) -> f64 { x + 2.0 * x * x * 100.0 }", {}}};

struct HeldOutRun {
  Results results;
  explicit HeldOutRun(EvaluateOptions options, std::vector<Candidate> programs = kPrograms,
                      ScoreKind score = ScoreKind::SquaredError) {
    const CasesTable more = table_of(kMore);
    options.ranking.score = score;
    options.ranking.held_out = &more;
    CandidateList source(programs);
    EXPECT_FALSE(evaluate(source, table_of(kTraining), options, results));
  }
};

TEST(HeldOut, TheBestAreRunOnThem) {
  EvaluateOptions options;
  using Map = std::map<std::string, std::string>;
  EXPECT_EQ(results_there(HeldOutRun(options).results), (Map{{"best", "0.000000"}}));
  options.ranking.shown_best = 4;
  const Map best = {
      {"best", "0.000000"}, {"same", "0.000000"}, {"traps", "trap"}, {"first", "144.000000"}};
  EXPECT_EQ(results_there(HeldOutRun(options).results), best);
  options.ranking.best_rows = 4;
  EXPECT_EQ(results_there(HeldOutRun(options).results), best);
  options.ranking.best_rows = 0;
  // Of each behaviour one, which is not the last that has it.
  options.ranking.shown_each_behaviour = true;
  options.ranking.shown_best = 2;
  const Map behaviours = {{"best", "0.000000"}, {"first", "144.000000"}};
  EXPECT_EQ(results_there(HeldOutRun(options).results), behaviours);
  options.ranking.best_rows = 2;
  options.ranking.best_of_each_behaviour = true;
  EXPECT_EQ(results_there(HeldOutRun(options).results), behaviours);
}

TEST(HeldOut, SoIsTheFront) {
  EvaluateOptions options;
  options.ranking.shown_front = true;
  for (const ScoreKind score :
       {ScoreKind::SquaredError, ScoreKind::Exact, ScoreKind::Correlation}) {
    const HeldOutRun run(options, kPrograms, score);
    const std::map<std::string, std::string> known = results_there(run.results);
    u32 on_front = 0;
    for (u32 row = 0; row < run.results.rows.size(); ++row) {
      const bool is_front = run.results.rows[row].pareto;
      on_front += is_front;
      EXPECT_EQ(run.results.held_out_of(row) != nullptr, is_front) << run.results.id(row);
    }
    EXPECT_GE(on_front, 2u);
    ASSERT_TRUE(run.results.held_out);
    EXPECT_EQ(run.results.held_out->id, run.results.id(run.results.ranking.front()));
    EXPECT_EQ(run.results.held_out->row.score,
              run.results.held_out_of(run.results.ranking.front())->row.score);
  }
}

// The report has the same object for the best candidate and for its row.
TEST(HeldOut, TheReportHasThemBesideTheRows) {
  EvaluateOptions options;
  options.ranking.shown_best = 3;
  const HeldOutRun run(options);
  const std::string report = report_of(run.results);
  const std::string best = "\"held_out\": {\"id\": \"best\", \"status\": \"ok\", \"score\": 0.0";
  const size_t first = report.find(best);
  ASSERT_NE(first, std::string::npos) << report;
  EXPECT_NE(report.find(best, first + 1), std::string::npos) << report;
  EXPECT_NE(report.find("\"held_out\": {\"id\": \"traps\", \"status\": \"trap\", \"score\": null"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("\"line\": 3, \"args\": {\"x\": 0.0}, \"expected\": 0.0, \"trap\": "),
            std::string::npos)
      << report;
  EXPECT_EQ(report.find("\"held_out\": {\"id\": \"small\""), std::string::npos);
}

// Each is measured by its own line, whoever was run before it.
TEST(HeldOut, EachHasItsOwnLine) {
  EvaluateOptions options;
  options.ranking.shown_best = 10;
  const HeldOutRun all(options, kPrograms, ScoreKind::Correlation);
  options.ranking.shown_best = 1;
  for (const Candidate& one : kPrograms) {
    const auto alone = results_there(HeldOutRun(options, {one}, ScoreKind::Correlation).results);
    const auto together = results_there(all.results);
    for (const auto& [id, text] : alone)
      EXPECT_EQ(together.contains(id) ? together.at(id) : text, text) << id;
  }
  EXPECT_GE(results_there(all.results).size(), 4u);
}

// On a device that ranks variants by itself, and on the processor.
TEST(HeldOut, VariantsOfASketchAreTheSameOnEveryMachine) {
  const std::string text = "pub fn f(x: f64) -> f64 { x * ?[1.0, x, 2.0 / x] + ?[0.0, 1.0] }";
  const std::optional<SketchProgram> sketch = read_sketch(text, {});
  ASSERT_TRUE(sketch);
  const CasesTable more = table_of(kMore);
  std::map<std::string, std::string> first;
  for (const bool on_device : {false, true})
    for (const u64 best_rows : {0, 4}) {
      EvaluateOptions options;
      const auto warps = vm::emulated_warp_device();
      if (on_device) options.machines.device = warps.get();
      options.programs.sketch = &*sketch;
      options.ranking.score = ScoreKind::SquaredError;
      options.ranking.held_out = &more;
      options.ranking.shown_best = 4;
      options.ranking.best_rows = best_rows;
      SketchCandidates variants(sketch->source, sketch->plan, {});
      Results results;
      EXPECT_FALSE(evaluate(variants, table_of(kTraining), options, results));
      const auto known = results_there(results);
      EXPECT_EQ(known.size(), 4u);
      if (first.empty()) first = known;
      EXPECT_EQ(known, first) << on_device << best_rows;
    }
}

}  // namespace
}  // namespace komuz::engine::test
