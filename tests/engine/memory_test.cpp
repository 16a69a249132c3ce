// SPDX-License-Identifier: Apache-2.0
// Allocations that are refused at fifty places of a run: a single one, such as a vector's growth, or all from there
// on. Finished results are ranked, and a written log can be continued.
#include "base/machine/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <new>

#include "engine/search/search.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/log/logged_runs.h"

namespace komuz::engine::test {
namespace {

constexpr u64 kPlaces = 50, kAll = u64{1} << 40;

// The first of these gives the signature; some are duplicates, some have errors, and some trap.
LoggedRun pool(std::vector<std::string>& texts, size_t size) {
  LoggedRun run = many(texts);
  constexpr std::ptrdiff_t kFirst = 1500;
  run.candidates.erase(run.candidates.begin(), run.candidates.begin() + kFirst);
  for (size_t k = size / 2; k < size; k += 3)
    run.candidates[k].source = run.candidates[k / 2].source;
  run.candidates.resize(size);
  return run;
}

void refuse_no_more() { machine::refuse_allocations(0, 0); }

// Calls `run` with so many allocations refused at each place. The first call refuses none, to find the places: those
// between the call of `begin` and that of refuse_no_more().
using Begin = std::function<void()>;
void refuse_everywhere(const std::function<void(const Begin& begin)>& run) {
  run([] { machine::refuse_allocations(kAll, 1); });
  const u64 allocations = machine::allocations();
  ASSERT_GT(allocations, kPlaces);
  for (const u64 refused : {u64{1}, u64{5}, kAll})
    for (u64 place = 0; place < kPlaces; ++place) {
      const u64 behind = allocations * place / kPlaces;
      SCOPED_TRACE(std::to_string(refused) + " behind " + std::to_string(behind));
      run([&] { machine::refuse_allocations(behind, refused); });
      EXPECT_TRUE(machine::end_shortage());
    }
}

// Rows are the first ones of those of the whole run, and are ranked.
void expect_first_of(const Results& part, const Results& whole) {
  ASSERT_LE(part.rows.size(), whole.rows.size());
  ASSERT_EQ(part.ids.size(), part.rows.size());
  ASSERT_EQ(part.ranking.size(), part.rows.size());
  std::vector<bool> is_ranked(part.rows.size());
  for (u32 row = 0; row < part.rows.size(); ++row) {
    EXPECT_EQ(part.id(row), whole.id(row));
    EXPECT_EQ(part.rows[row].score, whole.rows[row].score);
    EXPECT_EQ(part.rows[row].status, whole.rows[row].status);
    EXPECT_EQ(part.rows[row].duplicate_of, whole.rows[row].duplicate_of);
    EXPECT_EQ(part.rows[row].same_behaviour_as, whole.rows[row].same_behaviour_as);
    is_ranked[part.ranking[row]] = true;
  }
  EXPECT_EQ(std::ranges::count(is_ranked, true), static_cast<std::ptrdiff_t>(part.rows.size()));
}

Results evaluate_run(
    const LoggedRun& run, u32 threads, u64 best_rows, const Begin& begin = [] {}) {
  CandidateList source(run.candidates);
  ModuleLoader modules;
  EvaluateOptions options = run.options;
  options.programs.modules = &modules;
  options.machines.threads = threads;
  options.ranking.best_rows = best_rows;
  Results results;
  begin();
  const Problem error = evaluate(source, run.cases, options, results);
  refuse_no_more();
  EXPECT_TRUE(machine::end_shortage());
  EXPECT_FALSE(error) << error.text();
  return results;
}

TEST(LackOfMemory, AnEvaluationEndsWithTheRankingSoFar) {
  std::vector<std::string> texts;
  LoggedRun run = pool(texts, 1200);
  const Results whole = evaluate_run(run, 1, 0);
  for (const u32 threads : {1, 3}) {
    u32 most = 0;
    refuse_everywhere([&](const Begin& begin) {
      const Results results = evaluate_run(run, threads, 0, begin);
      EXPECT_TRUE(!results.complete || results.rows.size() == whole.rows.size());
      if (!results.complete) most = std::max(most, static_cast<u32>(results.rows.size()));
      expect_first_of(results, whole);
    });
    EXPECT_GT(most, whole.rows.size() / 2);
  }
}

// With only the best kept, they are the best of the counted candidates.
TEST(LackOfMemory, TheBestRowsAreThoseOfTheCandidatesThatWereCounted) {
  std::vector<std::string> texts;
  LoggedRun run = pool(texts, 1200);
  refuse_everywhere([&](const Begin& begin) {
    const Results results = evaluate_run(run, 2, 5, begin);
    const u64 counted = results.candidates();
    EXPECT_TRUE(!results.complete || counted == run.candidates.size());
    if (counted == 0) return;
    LoggedRun first = run;
    first.candidates.resize(counted);
    const Results expected = evaluate_run(first, 2, 5);
    if (results.rows.empty()) return;  // there was no memory for a ranking
    ASSERT_EQ(results.rows.size(), expected.rows.size());
    for (u32 row = 0; row < results.rows.size(); ++row)
      EXPECT_EQ(results.id(row), expected.id(row));
    EXPECT_EQ(results.summary->counts, expected.summary->counts);
  });
}

// Where writing lines has run out of memory, it has not written them twice.
TEST(LackOfMemory, LinesOfALogAreWrittenOnce) {
  const Folder folder;
  std::vector<std::string> texts;
  const LoggedRun run = pool(texts, 10);
  const std::string path = folder.file("log");
  Module module;
  module.path = "a";
  module.text = "pub fn a() -> i64 { 1 }";
  for (u64 behind = 0; behind < 4; ++behind) {
    fs::remove(path);
    ResultLog log;
    ASSERT_FALSE(log.create(path, run.header()));
    const std::string head = content(path);
    ASSERT_FALSE(log.add_module(module));
    machine::refuse_allocations(behind, 1);
    try {
      EXPECT_FALSE(log.flush());
    } catch (const std::bad_alloc&) {
    }
    refuse_no_more();
    machine::end_shortage();
    EXPECT_FALSE(log.flush());
    const std::string lines = content(path).substr(head.size());
    EXPECT_EQ(std::ranges::count(lines, '\n'), 1) << lines;
  }
}

// A log that broke off is the beginning of the whole one, and a second run goes on with it.
TEST(LackOfMemory, ALogGoesOn) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = pool(texts, 300);
  run.options.machines.epoch = 50;
  const Shown whole = run.show(Open::Create, folder.file("whole"));
  const std::string log = content(folder.file("whole"));
  refuse_everywhere([&](const Begin& begin) {
    const std::string path = folder.file("part");
    fs::remove(path);
    {
      CandidateList source(run.candidates);
      ResultLog part;
      Results results;
      EvaluateOptions options = run.options;
      ModuleLoader modules;
      options.programs.modules = &modules;
      options.details.keep_details = false;
      ASSERT_FALSE(part.create(path, run.header()));
      options.details.log = &part;
      begin();
      const Problem error = evaluate(source, run.cases, options, results);
      refuse_no_more();
      EXPECT_FALSE(error);
    }
    EXPECT_TRUE(machine::end_shortage());
    const std::string written = content(path);
    EXPECT_EQ(written.substr(0, written.rfind('\n') + 1), log.substr(0, written.rfind('\n') + 1));
    EXPECT_EQ(run.show(Open::Resume, path), whole);
    EXPECT_EQ(content(path), log);
  });
}

TEST(LackOfMemory, ASearchEndsWithTheRankingSoFar) {
  const auto program = read_sketch(
      "pub fn f(x: f64) -> f64 { ?e(x) }\n"
      "space e(x: f64) -> f64 depth 3 { x, ?(0.0..=4.0, steps: 5), e + e, e * e, ?[e, -e] }\n",
      {});
  ASSERT_TRUE(program);
  const CasesTable cases = table_of("x,expected\n0.0,1.0\n1.0,3.0\n2.0,9.0\n3.0,19.5\n");
  for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Lexicase}) {
    std::optional<Results> whole;
    refuse_everywhere([&](const Begin& begin) {
      Results results;
      {
        EvaluateOptions options;
        options.programs.sketch = &*program;
        options.ranking.score = ScoreKind::AbsoluteError;
        options.machines.threads = 2;
        SearchOptions how;
        how.kind = kind;
        how.population = options.machines.epoch = 60;
        how.generations = 6;
        settle(program->plan, how, options);
        SearchCandidates candidates(program->source, program->plan, how);
        begin();
        const Problem error = evaluate(candidates, cases, options, results, &candidates);
        refuse_no_more();
        EXPECT_FALSE(error);
      }
      if (!whole)
        whole = std::move(results);
      else
        expect_first_of(results, *whole);
    });
  }
}

TEST(LackOfMemory, MergedLogsAreRankedAsFarAsTheyWereRead) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = pool(texts, 1200);
  static_cast<void>(run.show(Open::Create, folder.file("log")));
  std::optional<Results> whole;
  u32 most = 0;
  refuse_everywhere([&](const Begin& begin) {
    MergedLogs logs;
    Results results;
    const std::vector<std::string> paths = {folder.file("log")};
    begin();
    Problem error;
    try {
      error = logs.read(paths, results);
    } catch (const std::bad_alloc&) {  // before the first row, or where there is none for a ranking
      refuse_no_more();
      return;
    }
    refuse_no_more();
    EXPECT_FALSE(error);
    EXPECT_EQ(logs.lacks_memory(), !results.complete);
    if (!whole) {
      whole = std::move(results);
      return;
    }
    expect_first_of(results, *whole);
    if (!results.complete) most = std::max(most, static_cast<u32>(results.rows.size()));
  });
  EXPECT_GT(most, 0U);
}

// If rows go to the log the run goes on, and the shown best rows and the log are unchanged.
TEST(LackOfMemory, RowsThatALogHasAreDropped) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = pool(texts, 3000);
  run.options.machines.epoch = 256;
  run.options.details.rows_without_memory = 10;
  static_cast<void>(run.show(Open::Create, folder.file("whole")));
  const Results best = evaluate_run(run, 2, 10);
  for (const bool is_near : {false, true}) {
    CandidateList source(run.candidates);
    ModuleLoader modules;
    ResultLog log;
    EvaluateOptions options = run.options;
    options.programs.modules = &modules;
    options.details.keep_details = false;
    ASSERT_FALSE(log.create(folder.file(is_near ? "near" : "far"), run.header()));
    options.details.log = &log;
    // Once a part of the candidates has come no more is left than the end takes and twice the reserve.
    class Sink final : public ResultSink {
     public:
      explicit Sink(bool is_near) : is_near_(is_near) {}
      void on_result(const Results&, u32) override {
        if (++rows_ != 1000 || !is_near_) return;
        machine::bound_memory(machine::used_memory() + (80u << 20));
        machine::keep_memory_for_end(66u << 20);
        taken_ = std::make_unique<char[]>(1u << 18);  // somebody looks how much is left
      }

     private:
      bool is_near_;
      u32 rows_ = 0;
      std::unique_ptr<char[]> taken_;
    } sink(is_near);
    Results results;
    EXPECT_FALSE(evaluate(source, run.cases, options, results, &sink));
    machine::unbound_memory();
    EXPECT_TRUE(results.complete);
    EXPECT_EQ(results.has_dropped_rows, is_near);
    EXPECT_EQ(content(folder.file(is_near ? "near" : "far")), content(folder.file("whole")));
    EXPECT_EQ(count_outcomes(results).by_status, best.summary->counts.by_status);
    EXPECT_EQ(count_outcomes(results).behaviours, best.summary->counts.behaviours);
    std::vector<u32> programs = results.ranking;  // duplicates have no rows among the best
    std::erase_if(programs, [&](u32 row) { return results.rows[row].duplicate_of != kNone; });
    for (u32 k = 0; k < 10; ++k) {
      const u32 row = programs[k], expected = best.ranking[k];
      EXPECT_EQ(results.id(row), best.id(expected));
      EXPECT_EQ(results.rows[row].rank, best.rows[expected].rank);
      EXPECT_EQ(count_copies(results)[row], count_copies(best)[expected]);
    }
  }
}

}  // namespace
}  // namespace komuz::engine::test
