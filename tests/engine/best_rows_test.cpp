// SPDX-License-Identifier: Apache-2.0
// The best rows alone equal those of the whole ranking.
#include "engine/results/best_rows.h"

#include <set>

#include "base/random.h"
#include "tests/engine/log/logged_runs.h"

namespace komuz::engine {
namespace {

using namespace test;

// What a table shows of the best programs: its ranks and copies are those among all candidates.
struct Shown {
  std::string id;
  u32 rank;
  u64 copies;
  Status status;
  f64 score;
  bool operator==(const Shown&) const = default;
};
std::vector<Shown> best_of(const Results& results, size_t most) {
  const std::vector<u64> copies = count_copies(results);
  std::vector<Shown> out;
  for (const u32 index : results.ranking) {
    const ResultRow& row = results.rows[index];
    if (out.size() < most && row.duplicate_of == kNone)
      out.push_back(
          {std::string(results.id(index)), row.rank, copies[index], row.status, row.score});
  }
  return out;
}

ResultRow random_row(Random& random) {
  ResultRow row;
  // Few different keys, so that many rows are equal.
  if (random.one_in(8)) return row;
  row.status = random.one_in(4) ? Status::Trap : Status::Ok;
  row.scored = row.status == Status::Ok;
  row.score = static_cast<f64>(random.below(4)) - 2;
  if (random.one_in(3)) row.score = -row.score;  // zeros of both signs are equal
  row.fuel = random.below(3);
  row.code_bytes = static_cast<u32>(random.below(3));
  row.bad_cases = static_cast<u32>(random.below(2));
  row.first_trap = random.one_in(2) ? Trap::None : Trap::Index;
  return row;
}

// Up to 60 rows, a third of them copies, to results that have all and to those of the best.
template <class MakeRow>
void add_rows(Random& random, const MakeRow& make_row, Results& all, BestRows& best) {
  for (u32 k = 0, count = static_cast<u32>(random.below(60)); k < count; ++k) {
    all.add_id("c" + std::to_string(k));
    if (k > 0 && random.one_in(3)) {
      u32 first = static_cast<u32>(random.below(k));
      if (all.rows[first].duplicate_of != kNone) first = all.rows[first].duplicate_of;
      all.rows.push_back(all.rows[first]).duplicate_of = first;
      best.add_copy(first);
    } else {
      all.rows.push_back(make_row());
      best.add(all.rows.back(), all.id(k), k);
    }
  }
  rank(all);
}

TEST(BestRows, AreTheFirstOfTheRanking) {
  Random random(3);
  for (u32 round = 0; round < 400; ++round) {
    const u64 most = 1 + random.below(12);
    Results all, best;
    all.score = best.score = random.one_in(2) ? ScoreKind::Exact : ScoreKind::AbsoluteError;
    BestRows rows(best.score, most);
    add_rows(
        random, [&] { return random_row(random); }, all, rows);
    best.summary.emplace();
    rows.write(best);
    ASSERT_EQ(best_of(best, most), best_of(all, most)) << "round " << round;
    ASSERT_LE(best.rows.size(), most);
  }
}

// A row whose behaviour, and all that follows from it, depends on a number: programs with the same number differ only
// in size.
ResultRow row_of_behaviour(u64 behaviour, Random& random) {
  Random of_behaviour(behaviour);
  ResultRow row = random_row(of_behaviour);
  row.behaviour = behaviour;
  row.fuel = random.below(3);
  row.code_bytes = static_cast<u32>(random.below(3));
  return row;
}

// The first of the ranking with a behaviour that none before it has.
std::vector<std::string> best_behaviours_of(const Results& results, size_t most) {
  std::set<u64> seen;
  std::vector<std::string> out;
  for (const u32 index : results.ranking) {
    const ResultRow& row = results.rows[index];
    if (out.size() == most || row.duplicate_of != kNone) continue;
    if (!was_run(row) || seen.insert(row.behaviour).second) out.emplace_back(results.id(index));
  }
  return out;
}

TEST(BestRows, AreTheFirstBehavioursOfTheRanking) {
  Random random(4);
  for (u32 round = 0; round < 400; ++round) {
    const u64 most = 1 + random.below(8), behaviours = 1 + random.below(12);
    Results all, best;
    all.score = best.score = ScoreKind::AbsoluteError;
    BestRows rows(best.score, most, true);
    add_rows(
        random, [&] { return row_of_behaviour(random.below(behaviours), random); }, all, rows);
    best.summary.emplace();
    rows.write(best);
    std::vector<std::string> ids;
    const std::vector<u64> copies = count_copies(all);
    for (const u32 index : best.ranking) {
      ids.emplace_back(best.id(index));
      const ResultRow& row = best.rows[index];
      ASSERT_EQ(row.rank, was_run(row) ? ids.size() : 0);
      ASSERT_EQ(best.summary->copies[index], copies[std::stoull(ids.back().substr(1))]);
    }
    ASSERT_EQ(ids, best_behaviours_of(all, most)) << "round " << round;
  }
}

OutcomeCounts without_front(OutcomeCounts counts) {
  counts.pareto = 0;
  return counts;
}

// Whatever is asked of the run beside, its best rows, its counts and its log are the same.
TEST(BestRows, AreThoseOfARunThatKeepsAll) {
  const Folder folder;
  std::vector<std::string> texts;
  for (LoggedRun run : {many(texts), numbers(), scored_cases(), first_failures()}) {
    ModuleLoader modules;
    run.options.programs.modules = &modules;
    const auto evaluate_with = [&](const EvaluateOptions& options, const std::string& path) {
      EvaluateOptions own = options;
      ResultLog log;
      Problem error = log.resume(path, run.header());
      EXPECT_FALSE(error) << error.text();
      own.details.log = &log;
      own.details.keep_details = false;
      CandidateList source(run.candidates);
      Results results;
      error = evaluate(source, run.cases, own, results);
      EXPECT_FALSE(error) << error.text();
      return results;
    };
    for (const char* name : {"all", "best"}) fs::remove(folder.file(name));
    const Results all = evaluate_with(run.options, folder.file("all"));
    EvaluateOptions options = run.options;
    // The second time everything is taken from the log.
    for (const u64 most : {1, 3, 3, 100'000}) {
      options.ranking.best_rows = most;
      options.details.sink_needs_rows = most == 3;
      const Results best = evaluate_with(options, folder.file("best"));
      EXPECT_EQ(best_of(best, most), best_of(all, most));
      EXPECT_EQ(best.candidates(), all.rows.size());
      EXPECT_LE(best.rows.size(), std::max<u64>(most, 10));
      EXPECT_EQ(count_outcomes(best), without_front(count_outcomes(all)));
      EXPECT_EQ(best.best_source, all.best_source);
      EXPECT_EQ(content(folder.file("best")), content(folder.file("all")));
    }
    // Without a log no ids are kept, either.
    CandidateList source(run.candidates);
    options.ranking.best_rows = 5;
    options.details.sink_needs_rows = false;
    Results best;
    ASSERT_FALSE(evaluate(source, run.cases, options, best));
    EXPECT_EQ(best_of(best, 5), best_of(all, 5));
    EXPECT_EQ(count_outcomes(best), without_front(count_outcomes(all)));
  }
}

}  // namespace
}  // namespace komuz::engine
