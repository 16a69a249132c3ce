// SPDX-License-Identifier: Apache-2.0
// Endless candidates: they cost little, do not affect other results, and have the same results however a run is split
// or executed.
#include <gtest/gtest.h>

#include "engine/log/merge_logs.h"
#include "engine/run/block_budget.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/log/logged_runs.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

using test::report_of;

// The least number of cases of which the last ones are in another step than the first.
constexpr u32 kCases = 300;

std::string doubling_cases() {
  std::string csv = "n,expected\n";
  for (u32 n = 0; n < kCases; ++n) csv += std::to_string(n) + "," + std::to_string(2 * n) + "\n";
  return csv;
}

// Loops that count to `ticks`; `value`: what comes of it.
std::string loop_of(const std::string& ticks, const std::string& value) {
  return "pub fn f(n: i64) -> i64 { var k = 0; while k < " + ticks +
         " limit 4000000000 { k += 1; } " + value + " }";
}
std::string endless(u32 k) { return loop_of("4000000000", "k - " + std::to_string(k)); }

// Expressions, some of them duplicates, also in other blocks. One in a hundred is endless: on all cases, on some, or
// behind a bad one. One takes 10⁵ ticks a case, and is the best.
class Pool {
 public:
  explicit Pool(u32 count, u32 endless_of = 100, bool has_best = true) {
    texts_.reserve(2 * size_t{count});
    for (u32 k = 0; k < count; ++k) {
      const std::string number = std::to_string(k % 1900 + 1);
      std::string text = "pub fn f(n: i64) -> i64 { n * 2 + " + number + " }";
      if (k % 13 == 5) text = "pub fn f(n: i64) -> i64 { n * 2 + 1 + 0 / (n - " + number + ") }";
      if (endless_of != 0 && k % endless_of == 7) text = endless_text(k);
      if (has_best && k == kBest) text = loop_of("100000", "n + n");
      list.push_back({texts_.emplace_back("c" + std::to_string(k)), texts_.emplace_back(text), {}});
    }
  }
  static constexpr u32 kBest = 400;
  std::vector<Candidate> list;

 private:
  static std::string endless_text(u32 k) {
    switch (k / 100 % 4) {
      case 0: return endless(k % 700);
      case 1: return loop_of("(if n == 270 { 4000000000 } else { 3 })", "n * 2");
      case 2: return loop_of("(if n % 2 == 1 { 4000000000 } else { n })", "n * 2 + 1");
      default: return loop_of("(if n > 5 { 4000000000 } else { 1 })", "n * 2 + 0 / (n - 4)");
    }
  }
  std::vector<std::string> texts_;
};

EvaluateOptions options_of(ScoreKind score, u64 fuel = kDefaultFuel) {
  EvaluateOptions options;
  options.ranking.score = score;
  options.limits.fuel = fuel;
  options.machines.threads = 2;
  return options;
}
Results run(const Pool& pool, const EvaluateOptions& options) {
  return test::evaluate_all(pool.list, options, doubling_cases());
}

// What is done behind a candidate that is set aside stays, when a stop comes: that one alone has no result.
TEST(BlockBudget, AStopLosesNobodyBehindWhoIsSetAside) {
  struct Stopper final : ProgressSink {
    void on_progress(u64 done, std::optional<u64> /*total*/) override {
      if (done >= 3) source.request_stop();
    }
    std::stop_source source;
  } stopper;
  const std::string slow = endless(1), other = endless(2);
  const std::vector<Candidate> candidates = {{"first", "pub fn f(n: i64) -> i64 { n }", {}},
                                             {"slow", slow, {}},
                                             {"copy", slow, {}},
                                             {"good", "pub fn f(n: i64) -> i64 { n * 2 }", {}},
                                             {"slow too", other, {}}};
  CandidateList source(candidates);
  EvaluateOptions options = options_of(ScoreKind::Exact);
  options.machines.threads = 1;
  Results results;
  const CasesTable table = test::table_of(doubling_cases());
  EXPECT_FALSE(
      evaluate(source, table, options, results, nullptr, &stopper, stopper.source.get_token()));
  EXPECT_FALSE(results.complete);
  ASSERT_EQ(results.candidates(), 4u);
  EXPECT_EQ(results.id(results.ranking.front()), "good");
  EXPECT_EQ(results.rows[3].status, Status::Ok);
  for (const u32 row : {1u, 2u}) {
    EXPECT_EQ(results.rows[row].status, Status::Unscored);
    EXPECT_FALSE(is_over_budget(results.rows[row]));
  }
  const std::string report = report_of(results);
  EXPECT_NE(report.find("\"code\": \"stopped\""), std::string::npos) << report;
}

TEST(BlockBudget, IsWhatOthersTakeAndAPart) {
  constexpr u64 kFuel = 900'000;
  const auto budget = [](u32 slow, u32 others, u8 effort) {
    BlockBudget block(kFuel);
    for (u32 k = 0; k < slow; ++k) block.add(kSlowEffort);
    for (u32 k = 0; k < others; ++k) block.add(effort);
    return block.budget();
  };
  EXPECT_EQ(budget(1, 1023, 1), kFuel);
  EXPECT_EQ(budget(4, 1020, 1), kFuel / 4);
  EXPECT_EQ(budget(10, 1014, 1), kFuel / 9) << "at least a ninth";
  EXPECT_EQ(budget(128, 896, 1), kFuel / 9);
  EXPECT_EQ(budget(129, 895, 1), kFuel) << "more than an eighth: what candidates are like";
  EXPECT_EQ(budget(1, 0, 0), 16 * kFuel);
  EXPECT_EQ(budget(10, 1000, 20), 1000 * ((u64{1} << 20) - 1) / 8 / 10)
      << "an eighth of what the others take";
  EXPECT_EQ(slow_ticks(kFuel, {}), kFuel / 9);
  EXPECT_EQ(slow_ticks(kFuel, 7), 7u);
  EXPECT_EQ(slow_ticks(5, {}), 1u);
}

// Everybody else is what he is without them.
void expect_others_as_without(const Results& results, const Results& others) {
  for (u32 k = 0; k < results.rows.size(); ++k) {
    if (k % 100 == 7) continue;
    EXPECT_EQ(results.rows[k].status, others.rows[k].status) << k;
    EXPECT_EQ(results.rows[k].score, others.rows[k].score) << k;
    EXPECT_EQ(results.rows[k].fuel, others.rows[k].fuel) << k;
    EXPECT_EQ(results.rows[k].behaviour, others.rows[k].behaviour) << k;
  }
}

TEST(CandidateBudget, EndlessOnesAreUnscored) {
  for (const ScoreKind score : {ScoreKind::SquaredError, ScoreKind::Exact}) {
    const Results results = run(Pool(1024, 100, false), options_of(score));
    const OutcomeCounts counts = count_outcomes(results);
    EXPECT_GE(counts.over_budget, 5u) << score_name(score);
    EXPECT_EQ(counts.over_budget, counts.of(Status::Unscored));
    const ResultRow& row = results.rows[7];
    EXPECT_EQ(row.status, Status::Unscored);
    EXPECT_EQ(row.cases_run, 0u);
    EXPECT_EQ(row.rank, 0u);
    ASSERT_EQ(row.diagnostics, 1);
    EXPECT_EQ(results.diagnostics[row.diagnostics_begin].code, kBudgetCode);
    expect_others_as_without(results, run(Pool(1024, 0, false), options_of(score)));
  }
}

// It takes 10⁵ ticks on each of 300 cases, more than all others together.
TEST(CandidateBudget, AnHonestLoopThatIsBestComesFirst) {
  for (const ScoreKind score : {ScoreKind::SquaredError, ScoreKind::Exact}) {
    const Results results = run(Pool(1024), options_of(score));
    EXPECT_EQ(results.id(results.ranking.front()), "c400") << score_name(score);
    EXPECT_EQ(results.rows[Pool::kBest].passed, kCases);
    expect_others_as_without(results, run(Pool(1024, 0), options_of(score)));
  }
}

TEST(CandidateBudget, TheReportDoesNotDependOnHowItIsRun) {
  const Pool pool(2300, 100, false);
  for (const ScoreKind score :
       {ScoreKind::SquaredError, ScoreKind::Exact, ScoreKind::Correlation}) {
    // A ninth of it is more than what others leave to each.
    EvaluateOptions options = options_of(score, 600'000);
    options.machines.threads = 1;
    const std::string wanted = report_of(run(pool, options));
    EXPECT_NE(wanted.find("\"unscored\", \"score\": null"), std::string::npos);
    for (const u32 threads : {2u, 5u})
      for (const u32 epoch : {100u, 1024u, 3000u}) {
        options.machines.threads = threads;
        options.machines.epoch = epoch;
        EXPECT_EQ(report_of(run(pool, options)), wanted) << threads << ' ' << epoch;
      }
    options.machines.machine = MachineKind::Reference;
    EXPECT_EQ(report_of(run(pool, options)), wanted) << "reference";
  }
}

TEST(CandidateBudget, DevicesLeaveSlowOnesToTheHost) {
  const Pool pool(300, 30);
  for (const ScoreKind score : {ScoreKind::SquaredError, ScoreKind::Exact}) {
    EvaluateOptions options = options_of(score, 2000);
    options.limits.candidate_budget = 100;
    const std::string wanted = report_of(run(pool, options));
    EXPECT_NE(wanted.find("\"budget\""), std::string::npos);
    const auto device = vm::emulated_warp_device();
    options.machines.device = device.get();
    for (const u32 epoch : {7u, 1000u}) {
      options.machines.device_epoch = epoch;
      EXPECT_EQ(report_of(run(pool, options)), wanted) << epoch;
    }
  }
}

TEST(CandidateBudget, ShardsAndLogsThatGoOnAreTheWholeRun) {
  const test::Folder folder;
  const Pool pool(4300);
  test::LoggedRun run{pool.list, test::table_of(doubling_cases()), {}};
  run.options = options_of(ScoreKind::SquaredError, 600'000);
  const test::Shown whole = run.show(test::Open::None);
  EXPECT_NE(whole.report.find("\"budget\""), std::string::npos);
  std::vector<std::string> paths;
  for (u32 index = 0; index < 3; ++index) {
    run.options.programs.shard = {index, 3};
    paths.push_back(folder.file(std::to_string(index)));
    static_cast<void>(run.show(test::Open::Create, paths.back()));
  }
  Results merged;
  MergedLogs logs;
  const Problem error = logs.read(paths, merged);
  ASSERT_FALSE(error) << error.text();
  EXPECT_EQ(test::report_of(logs, merged), whole.report);
  // One that was killed in the middle of a block.
  const std::string bytes = test::content(paths[0]);
  for (const size_t part : {3u, 5u, 8u}) {
    test::put(paths[0], std::string_view(bytes).substr(0, bytes.size() * part / 9));
    run.options.programs.shard = {0, 3};
    static_cast<void>(run.show(test::Open::Resume, paths[0]));
    EXPECT_EQ(test::content(paths[0]), bytes) << part;
  }
}

// Where slow ones are what candidates are like, or there is one alone, they have what a case has.
TEST(CandidateBudget, FewCandidatesKeepTheirTraps) {
  const std::vector<Candidate> alone = {{"endless",
                                         "pub fn f(n: i64) -> i64 { var k = 0; while true "
                                         "limit 4000000000 { k += n; } k }",
                                         {}}};
  EvaluateOptions options = options_of(ScoreKind::SquaredError);
  const Results results = test::evaluate_all(alone, options, doubling_cases());
  EXPECT_EQ(results.rows[0].status, Status::Trap);
  EXPECT_EQ(results.rows[0].first_trap, Trap::Fuel);
  EXPECT_EQ(results.rows[0].cases_run, 1u) << "the first bad case settles it";
  EXPECT_EQ(results.rows[0].bad_cases, kCases) << "what was not run counts as bad";
  EXPECT_EQ(results.rows[0].fuel, kDefaultFuel);
  options.limits.candidate_budget = 5000;
  const Results stated = test::evaluate_all(alone, options, doubling_cases());
  EXPECT_EQ(stated.rows[0].status, Status::Unscored);
  EXPECT_NE(stated.diagnostics[0].message.find("took more than 5,000 ticks"), std::string::npos)
      << stated.diagnostics[0].message;
}

// A bad case ends a run with its 256, wherever slices end.
TEST(CandidateBudget, WhatIsSettledIsNotRun) {
  const std::vector<Candidate> some = {
      {"early", "pub fn f(n: i64) -> i64 { 2 * n + 0 / (n - 3) }", {}},
      {"late", "pub fn f(n: i64) -> i64 { 2 * n + 0 / (n - 299) }", {}}};
  for (const MachineKind machine : {MachineKind::Batch, MachineKind::Reference}) {
    EvaluateOptions options = options_of(ScoreKind::AbsoluteError);
    options.machines.machine = machine;
    const Results results = test::evaluate_all(some, options, doubling_cases());
    EXPECT_EQ(results.rows[0].cases_run, 256u);
    EXPECT_EQ(results.rows[0].bad_cases, 1 + kCases - 256);
    EXPECT_EQ(results.rows[0].passed, 255u);
    EXPECT_EQ(results.rows[1].cases_run, kCases);
    EXPECT_EQ(results.rows[1].bad_cases, 1u);
    EXPECT_LT(results.rows[1].rank, results.rows[0].rank);
    options.details.case_scores = CaseScores::Kept;
    EXPECT_EQ(test::evaluate_all(some, options, doubling_cases()).rows[0].cases_run, kCases);
  }
}

// Variants that share lanes, are bound, expanded, or swept by a device.
TEST(CandidateBudget, VariantsHaveOneToo) {
  const std::optional<SketchProgram> sketch = read_sketch(
      "pub fn f(n: i64) -> i64 { var k = 0; while k != ?(90..100) limit 4000000000 "
      "{ k += ?[1, 2, 7]; } n * 2 + ?(0..4) }",
      {});
  ASSERT_TRUE(sketch);
  const CasesTable cases = test::table_of("n,expected\n0,0\n1,2\n-3,-6\n");
  const auto run = [&](const EvaluateOptions& options) {
    SketchCandidates candidates(sketch->source, sketch->plan, {});
    EvaluateOptions own = options;
    own.programs.sketch = &*sketch;
    Results results;
    const Problem error = evaluate(candidates, cases, own, results);
    EXPECT_FALSE(error) << error.text();
    return results;
  };
  EvaluateOptions options = options_of(ScoreKind::SquaredError, 3000);
  options.machines.threads = 1;
  const std::string wanted = report_of(run(options));
  EXPECT_NE(wanted.find("\"FUEL\""), std::string::npos);
  for (const u32 threads : {2u, 3u}) {
    options.machines.threads = threads;
    EXPECT_EQ(report_of(run(options)), wanted);
  }
  options.programs.expands_variants = true;
  EXPECT_EQ(report_of(run(options)), wanted);
  options.programs.expands_variants = false;
  const auto device = vm::emulated_warp_device();
  EvaluateOptions there = options;
  there.machines.device = device.get();
  EXPECT_EQ(report_of(run(there)), wanted);
  // The best alone, which a device would rank itself.
  options.ranking.best_rows = there.ranking.best_rows = 5;
  options.details.keep_details = there.details.keep_details = false;
  const Results best = run(options), best_there = run(there);
  EXPECT_EQ(report_of(best_there), report_of(best));
  EXPECT_EQ(best_there.summary->counts, best.summary->counts);
}

}  // namespace
}  // namespace komuz::engine
