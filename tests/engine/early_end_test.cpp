// SPDX-License-Identifier: Apache-2.0
// Runs that end before their last case: results do not show how cases are sliced or where they run, and the best are
// the same as without an early end.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/engine.h"
#include "engine/results/best_scores.h"
#include "tests/engine/device/device_tally.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/suite_builder.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

using test::report_of;

constexpr u32 kCases = 1500, kTop = 7;

std::string doubling_cases() {
  std::string csv = "n,expected\n";
  for (u32 n = 0; n < kCases; ++n) csv += std::to_string(n) + "," + std::to_string(2 * n) + "\n";
  return csv;
}

// Outcomes on doubling_cases() of a program that is wrong by `error` where case % step == step - 1.
struct Outcomes {
  std::vector<u64> values, fuel = std::vector<u64>(kCases, 3);
  std::vector<Trap> traps = std::vector<Trap>(kCases);
  std::vector<u32> places = std::vector<u32>(kCases), depths = places;

  Outcomes(u32 step, u64 error) {
    for (u64 n = 0; n < kCases; ++n) values.push_back(2 * n + (n % step == step - 1 ? error : 0));
  }
  OutcomesView part(u32 first, u32 rows) {
    return {std::span(values).subspan(first, rows), std::span(traps).subspan(first, rows),
            std::span(places).subspan(first, rows), std::span(depths).subspan(first, rows),
            std::span(fuel).subspan(first, rows)};
  }
};

Tally score(const Suite& suite, ScoreKind kind, const ScoreLimits& limits, Outcomes& outcomes,
            u32 slice, u32* cases_seen = nullptr) {
  Scorer scorer(suite, kind, 0);
  scorer.begin(limits);
  u32 first = 0;
  for (u32 rows = 0; first < kCases && !scorer.has_ended(); first += rows) {
    rows = std::min(slice, kCases - first);
    scorer.add(rows, outcomes.part(first, rows));
  }
  if (cases_seen != nullptr) *cases_seen = first;
  const Tally tally = scorer.finish();
  const Tally on_device = test::tally_on_device(suite, kind, 0, outcomes.part(0, kCases), limits);
  EXPECT_EQ(on_device.is_cut_off, tally.is_cut_off);
  // Only this counts for candidates that are cut off.
  EXPECT_TRUE(tally.is_cut_off || on_device == tally);
  return tally;
}

const Suite& suite() {
  static const Suite kSuite =
      test::csv_suite(doubling_cases(), test::make_signature({{"n", Scalar::I64}}, {Scalar::I64}));
  return kSuite;
}

TEST(EarlyEnd, AFirstFailureEndsARunWhereverASliceEnds) {
  for (const u32 step : {1u, 64u, 65u, 256u, 257u, 1000u, 1500u, 2000u})
    for (const u32 slice : {64u, 128u, 640u, kCases}) {
      Outcomes outcomes(step, 1);
      u32 seen = 0;
      const Tally tally = score(suite(), ScoreKind::Exact, {.at_failure = true, .least_score = {}},
                                outcomes, slice, &seen);
      const u32 passed = std::min(step - 1, kCases);
      EXPECT_EQ(tally.passed, passed);
      EXPECT_EQ(tally.first_failure, step > kCases ? kNone : passed);
      EXPECT_EQ(tally.fuel, 3 * std::min<u64>(passed + 1, kCases));
      EXPECT_LT(seen, passed + slice + 1) << "slices behind the failure are not asked for";
      // What comes behind it is of no account, where a device has run it.
      Outcomes others = outcomes;
      for (u32 i = passed + 1; i < kCases; ++i) others.values[i] = 1;
      EXPECT_EQ(
          score(suite(), ScoreKind::Exact, {.at_failure = true, .least_score = {}}, others, kCases),
          tally);
    }
}

// The best score that Outcomes(step, 5) could still get after so many cases. Its sums are exact.
f64 bound_of(ScoreKind kind, u32 cases, u32 step) {
  const f64 failures = cases / step;
  switch (kind) {
    case ScoreKind::Exact: return kCases - failures;
    case ScoreKind::AbsoluteError: return 5 * failures;
    case ScoreKind::SquaredError: return 25 * failures;
    default: return 1 - 25 * failures / spread_of(suite(), 1).basis.total_squares;
  }
}

// Cut off is who at some 256th case cannot reach the least score any more, and nobody else.
TEST(EarlyEnd, ACutComesAtFixedCases) {
  u32 cuts = 0;
  for (const ScoreKind kind :
       {ScoreKind::Exact, ScoreKind::AbsoluteError, ScoreKind::SquaredError, ScoreKind::RSquared})
    for (const u32 step : {3u, 100u, 255u, 256u, 257u, 1400u}) {
      Outcomes outcomes(step, 5);
      const f64 final_score = score(suite(), kind, {}, outcomes, kCases).score;
      const bool is_larger = is_larger_better(kind);
      for (const f64 by : {-1.0, 0.0, 1e-9, 1.0, 400.0, 0.9 * std::abs(final_score)}) {
        const f64 least = is_larger ? final_score + by : final_score - by;
        const ScoreLimits limits{.at_failure = false, .least_score = least};
        const Tally tally = score(suite(), kind, limits, outcomes, 64);
        for (const u32 slice : {128u, 320u, 512u, kCases})
          EXPECT_EQ(score(suite(), kind, limits, outcomes, slice).is_cut_off, tally.is_cut_off);
        if (!tally.is_cut_off) {
          EXPECT_EQ(tally.score, final_score);
        }
        bool wanted = false;
        for (u32 cases = kCutStep; cases < kCases; cases += kCutStep)
          wanted = wanted || loss_of(kind, bound_of(kind, cases, step)) > loss_of(kind, least);
        EXPECT_EQ(tally.is_cut_off, wanted) << score_name(kind) << ' ' << step << ' ' << by;
        if (by <= 0) {
          EXPECT_FALSE(tally.is_cut_off) << "as good is good enough";
        }
        cuts += tally.is_cut_off;
      }
    }
  EXPECT_GT(cuts, 30u);
  Outcomes trapped(2000, 0);
  trapped.traps[100] = Trap::Index;
  EXPECT_TRUE(score(suite(), ScoreKind::AbsoluteError, {.at_failure = false, .least_score = 1e9},
                    trapped, 64)
                  .is_cut_off);
  EXPECT_FALSE(
      score(suite(), ScoreKind::Exact, {.at_failure = false, .least_score = 1499}, trapped, 64)
          .is_cut_off);
  EXPECT_TRUE(
      score(suite(), ScoreKind::Exact, {.at_failure = false, .least_score = 1500}, trapped, 64)
          .is_cut_off);
}

TEST(EarlyEnd, TheLeastScoreIsTheWorstOfTheBest) {
  BestScores large(ScoreKind::Exact, 2), small(ScoreKind::AbsoluteError, 2),
      none(ScoreKind::Exact, 0);
  for (const f64 score : {5.0, 3.0, 9.0, 4.0}) {
    large.add(score);
    small.add(score);
    none.add(score);
    EXPECT_EQ(large.least().has_value(), score != 5.0);
  }
  EXPECT_EQ(large.least(), 5.0);
  EXPECT_EQ(small.least(), 4.0);
  EXPECT_FALSE(none.least());
}

struct Population {
  std::vector<std::string> sources, ids;
  std::vector<Candidate> candidates;
  Population() {
    for (u32 i = 0; i < 400; ++i) {
      const std::string k = std::to_string(i * 37 % 101), m = std::to_string(1 + i * 7 % 23);
      sources.push_back(i % 9 == 4   ? "pub fn f(n: i64) -> i64 { 2 * n / (n - " + k + ") }"
                        : i % 5 == 1 ? "pub fn f(n: i64) -> i64 { if n % " + m + " == 0 { " + k +
                                           " } else { n + n } }"
                        : i % 11 == 3
                            ? "pub fn f(n: i64) -> i64 { n +"
                            : "pub fn f(n: i64) -> i64 { 2 * n + " + k + " * (n % " + m + ") }");
      ids.push_back("c" + std::to_string(i));
    }
    for (u32 i = 0; i < sources.size(); ++i) candidates.push_back({ids[i], sources[i], {}});
  }
};

Results evaluate_all(const Population& population, const EvaluateOptions& options) {
  CandidateList source(population.candidates);
  CasesTable table;
  EXPECT_FALSE(read_csv_cases("cases.csv", doubling_cases(), {}, table));
  Results results;
  EXPECT_FALSE(evaluate(source, table, options, results));
  return results;
}
// Down to the last of the best programs.
std::string best_of(const Results& results) {
  std::string out;
  u32 programs = 0;
  for (const u32 row : results.ranking) {
    programs += results.rows[row].duplicate_of == kNone;
    if (programs > kTop) break;
    write_row_json(out, results, row);
    out += '\n';
  }
  return out;
}
// The report is the same for threads, machines and devices.
void expect_everywhere(const Population& population, EvaluateOptions options,
                       const std::string& wanted) {
  for (const u32 threads : {1u, 2u, 8u})
    for (const MachineKind machine : {MachineKind::Batch, MachineKind::Reference}) {
      options.machines.threads = threads;
      options.machines.machine = machine;
      EXPECT_EQ(report_of(evaluate_all(population, options)), wanted) << threads << " threads";
    }
  const auto warps = vm::emulated_warp_device();
  options.machines.device = warps.get();
  options.machines.device_epoch = 1000;
  options.machines.threads = 3;
  EXPECT_EQ(report_of(evaluate_all(population, options)), wanted) << "on a device";
}

TEST(EarlyEnd, TheBestAreTheSameWithACutOff) {
  const Population population;
  for (const ScoreKind kind : {ScoreKind::Exact, ScoreKind::AbsoluteError, ScoreKind::RelativeError,
                               ScoreKind::SymmetricError, ScoreKind::RSquared}) {
    EvaluateOptions options;
    options.ranking.score = kind;
    options.machines.epoch = 50;
    const Results plain = evaluate_all(population, options);
    options.ranking.cut_off = kTop;
    const Results cut = evaluate_all(population, options);
    EXPECT_EQ(best_of(cut), best_of(plain)) << score_name(kind);
    const OutcomeCounts counts = count_outcomes(cut);
    EXPECT_GT(counts.of(Status::Unscored), 100u) << score_name(kind);
    for (u32 row = 0; row < cut.rows.size(); ++row) {
      const ResultRow& r = cut.rows[row];
      const u32 first = r.duplicate_of == kNone ? row : r.duplicate_of;
      EXPECT_EQ(r.status, cut.rows[first].status);
      if (r.status != Status::Unscored) continue;
      EXPECT_TRUE(was_run(plain.rows[row]));
      EXPECT_EQ(r.rank, 0u);
      EXPECT_EQ(r.first_failure, kNone);
      EXPECT_EQ(r.code_bytes, plain.rows[row].code_bytes);
    }
    const std::string report = report_of(cut);
    EXPECT_NE(
        report.find(
            R"("rank": null, "status": "unscored", "score": null, "score_text": null, )"
            R"("passed": null, "cases": 1500, "cases_run": null, "fuel": null, "code_bytes": )"),
        std::string::npos);
    expect_everywhere(population, options, report);
  }
}

TEST(EarlyEnd, FirstFailuresAreTheSameEverywhere) {
  const Population population;
  EvaluateOptions options;
  options.machines.epoch = 50;
  const Results plain = evaluate_all(population, options);
  options.ranking.ends_at_failure = true;
  const Results ended = evaluate_all(population, options);
  for (u32 row = 0; row < ended.rows.size(); ++row) {
    const ResultRow &r = ended.rows[row], &whole = plain.rows[row];
    EXPECT_EQ(r.status, whole.status);
    EXPECT_LE(r.fuel, whole.fuel);
    if (!was_run(r)) continue;
    EXPECT_EQ(r.passed, whole.first_failure == kNone
                            ? kCases
                            : plain.failures[whole.first_failure].case_index);
  }
  const std::string report = report_of(ended);
  EXPECT_NE(report.find(R"("ends_at_failure": true)"), std::string::npos);
  expect_everywhere(population, options, report);
  EvaluateOptions errors = options;
  errors.ranking.score = ScoreKind::AbsoluteError;
  const std::string all_cases = report_of(evaluate_all(population, errors));
  errors.ranking.ends_at_failure = false;
  EXPECT_EQ(report_of(evaluate_all(population, errors)), all_cases) << "errors take every case";
  options.ranking.cut_off = kTop;
  const Results cut = evaluate_all(population, options);
  EXPECT_EQ(best_of(cut), best_of(ended));
  expect_everywhere(population, options, report_of(cut));
}

}  // namespace
}  // namespace komuz::engine
