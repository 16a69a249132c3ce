// SPDX-License-Identifier: Apache-2.0
// Logs of results: writing them, and reading them back.
#include "engine/log/result_log.h"

#include <chrono>

#include "engine/log/log_file.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/log/logged_runs.h"

namespace komuz::engine {
namespace {

using namespace test;

TEST(ResultLog, ReportsFromItAreThoseOfTheRun) {
  const Folder folder;
  for (const LoggedRun& run :
       {numbers(), values(), scored_cases(), first_failures(), tolerances(), large_numbers()}) {
    const Shown plain = run.show(Open::None);
    fs::remove(folder.file("log"));
    EXPECT_EQ(run.show(Open::Create, folder.file("log")).report, plain.report);
    Results merged;
    MergedLogs logs;
    const std::string path = folder.file("log");
    const Problem error = logs.read(std::span(&path, 1), merged);
    ASSERT_FALSE(error) << error.text();
    EXPECT_TRUE(merged.complete);
    EXPECT_EQ(report_of(logs, merged), plain.report);
    EXPECT_FALSE(logs.read_error());
  }
}

// Wherever the log is cut, as by a killed run, both ends are the same.
TEST(ResultLog, ARunGoesOnFromWhereverItWasCut) {
  const Folder folder;
  for (LoggedRun run : {numbers(), values(), scored_cases()}) {
    const std::string path = folder.file("log");
    fs::remove(path);
    const Shown whole = run.show(Open::Create, path);
    const std::string bytes = content(path);
    for (size_t size = 0; size <= bytes.size(); size += 1 + size % 9) {
      put(path, std::string_view(bytes).substr(0, size));
      run.options.machines.threads = static_cast<u32>(size % 3);
      run.options.machines.epoch = 1 + static_cast<u32>(size % 7);
      ASSERT_EQ(run.show(Open::Resume, path), whole) << size;
      ASSERT_EQ(content(path), bytes) << size;
    }
  }
}

// A file system may take a file that is cut to nothing for one that is replaced, and write all of
// it to the disk at its end.
TEST(ResultLog, WhereNothingIsBehindTheFileIsNotCut) {
  const Folder folder;
  const std::string path = folder.file("log");
  for (const std::string text : {"", "line\n"}) {
    put(path, text);
    LogFile file;
    ASSERT_FALSE(file.open_to_write(path));
    const auto long_ago = fs::last_write_time(path) - std::chrono::hours(1);
    fs::last_write_time(path, long_ago);
    ASSERT_FALSE(file.cut(text.size()));
    EXPECT_EQ(fs::last_write_time(path), long_ago);
    ASSERT_FALSE(file.append("more\n"));
    EXPECT_EQ(content(path), text + "more\n");
    ASSERT_FALSE(file.cut(text.size()));
    EXPECT_EQ(content(path), text);
  }
}

TEST(ResultLog, OnlyTheSameRunGoesOn) {
  const Folder folder;
  const std::string path = folder.file("log");
  const LoggedRun run = numbers();
  static_cast<void>(run.show(Open::Create, path));
  const std::string bytes = content(path);
  const auto error_of = [&](const LoggedRun& other, Open open = Open::Resume) {
    Shown shown;
    const Problem error = other.evaluate_into(open, path, shown);
    return error ? error.text().substr(path.size()) : "";
  };
  EXPECT_EQ(
      error_of(run, Open::Create),
      ": there is something in this file already; go on with it by `--resume`, or take another "
      "name");
  LoggedRun other = run;
  other.options.limits.fuel = 7;
  EXPECT_EQ(
      error_of(other),
      ":1: the log is of another run: `fuel` was 1000000, and is 7; give the options and files "
      "that it was begun with");
  other = run;
  other.cases = table_of("n,expected\n0,0\n1,3\n-3,-6\n5,1\n");
  EXPECT_NE(error_of(other).find("the cases differ"), std::string::npos);
  other = run;
  other.more = {{"seed", "1"}};
  EXPECT_NE(error_of(other).find("the log is of another run"), std::string::npos);
  other = run;
  other.candidates[1].id = "right";
  EXPECT_EQ(
      error_of(other),
      ":4: the log has the candidate `wrong` where `right` comes now; give the candidates that the "
      "log was begun with");
  other = run;
  other.candidates[1].source = "pub fn f(n: i64) -> i64 { n + 2 }";
  EXPECT_EQ(
      error_of(other),
      ":4: the candidate `wrong` is not what it was; give the candidates that the log was begun "
      "with");
  // A duplicate that is none any more, also of a run that did not come to its end.
  for (const size_t size : {bytes.size(), bytes.rfind("{\"end\"")}) {
    put(path, std::string_view(bytes).substr(0, size));
    other = run;
    other.candidates[5].source = "pub fn f(n: i64) -> i64 { n * 3 }";
    EXPECT_NE(error_of(other).find("`again` is not what it was"), std::string::npos);
  }
  put(path, bytes);
  other = run;
  other.candidates.pop_back();
  EXPECT_EQ(error_of(other).substr(error_of(other).find(": the log has")),
            ": the log has more candidates than there are; give the candidates that it was begun "
            "with, and to a search as many generations and the same `--target`");
  other = run;
  other.candidates.back().source =
      "pub fn f(n: i64) -> i64 { n * 2 + 0  /n }";  // still a duplicate
  EXPECT_NE(error_of(other).find("`traps too` is not what it was"), std::string::npos)
      << error_of(other);
  // None of this has touched it.
  EXPECT_EQ(content(path), bytes);

  put(path, "x,y\n1,2\n");
  EXPECT_NE(error_of(run).find("no results log"), std::string::npos);
  put(path, "x,y");
  EXPECT_NE(error_of(run).find("no results log"), std::string::npos);
  EXPECT_EQ(content(path), "x,y");
}

// A run that failed before its first result is no run that there is to go on with.
TEST(ResultLog, AMereHeaderIsReplaced) {
  const Folder folder;
  const std::string path = folder.file("log");
  LoggedRun other = numbers();
  other.options.limits.fuel = 7;
  const LoggedRun run = numbers();
  for (const Open open : {Open::Create, Open::Resume}) {
    put(path, header_line(other.header()) + "\n");
    const Shown shown = run.show(open, path);
    EXPECT_EQ(shown.report, run.show(Open::None).report);
  }
}

// The log is that of a run that had them all from the first.
TEST(ResultLog, MoreCandidatesGoOnBehindTheEnd) {
  const Folder folder;
  for (const LoggedRun& run : {numbers(), scored_cases()}) {
    const Shown whole = run.show(Open::Create, folder.file("whole"));
    for (size_t some = 0; some < run.candidates.size(); some += 3) {
      LoggedRun shorter = run;
      shorter.candidates.resize(some);
      fs::remove(folder.file("log"));
      static_cast<void>(shorter.show(Open::Create, folder.file("log")));
      EXPECT_EQ(run.show(Open::Resume, folder.file("log")), whole) << some;
      EXPECT_EQ(content(folder.file("log")), content(folder.file("whole"))) << some;
    }
    fs::remove(folder.file("whole"));
  }
}

TEST(ResultLog, TwoRunsDoNotShareALog) {
  const Folder folder;
  const LoggedRun run = numbers();
  ResultLog log, second;
  ASSERT_FALSE(log.create(folder.file("log"), run.header()));
  const Problem error = second.resume(folder.file("log"), run.header());
  ASSERT_TRUE(error);
  EXPECT_NE(error.message().find("another run is writing"), std::string::npos);
}

TEST(ResultLog, ARunWaitsForTheOther) {
  const Folder folder;
  const LoggedRun run = numbers();
  std::optional<ResultLog> first(std::in_place);
  ASSERT_FALSE(first->create(folder.file("log"), run.header()));
  std::stop_source stopper;
  constexpr std::chrono::seconds kLong{30};
  {
    ResultLog second;
    const LogWait wait{kLong, stopper.get_token(), [&] { stopper.request_stop(); }};
    const Problem error = second.resume(folder.file("log"), run.header(), wait);
    ASSERT_TRUE(error);
    EXPECT_TRUE(error.is(ProblemKind::Stop));
  }
  ResultLog second;
  const LogWait wait{kLong, {}, [&] { first.reset(); }};
  EXPECT_FALSE(second.resume(folder.file("log"), run.header(), wait));
  ResultLog third;
  const LogWait short_wait{std::chrono::milliseconds(1), {}, {}};
  const Problem error = third.resume(folder.file("log"), run.header(), short_wait);
  ASSERT_TRUE(error);
  EXPECT_NE(error.message().find("another run is writing"), std::string::npos);
}

// Also a search that learns from data which the log lacks.
TEST(ResultLog, ASearchGoesOn) {
  const Folder folder;
  std::optional<SketchProgram> sketch =
      read_sketch("pub fn f(n: i64) -> i64 { ?a[n, n * n, 1] * ?b(0..40) + ?c(-9..=9) }", {});
  ASSERT_TRUE(sketch);
  const CasesTable cases = table_of("n,expected\n0,3\n1,10\n-3,-18\n4,31\n");
  // With distances, it also learns from the loss of each case.
  ScoreKind score = ScoreKind::SquaredError;
  const auto search = [&](SearchKind kind, Open open, const std::string& path) {
    EvaluateOptions options;
    options.programs.sketch = &*sketch;
    options.machines.epoch = 20;
    options.ranking.score = score;
    SearchOptions searched{.kind = kind, .population = 20, .generations = 12};
    settle(sketch->plan, searched, options);
    SearchCandidates candidates(sketch->source, sketch->plan, searched);
    ResultLog log;
    const LogHeader header = make_header("1.0", "search", options, cases, {});
    const Problem error =
        open == Open::Create ? log.create(path, header) : log.resume(path, header);
    EXPECT_FALSE(error) << error.text();
    options.details.log = &log;
    Results results;
    const Problem wrong = evaluate(candidates, cases, options, results, &candidates);
    EXPECT_FALSE(wrong) << wrong.text();
    return report_of(results);
  };
  const std::string path = folder.file("log");
  for (const SearchKind kind : {SearchKind::Evolve, SearchKind::Local, SearchKind::Random,
                                SearchKind::Lexicase, SearchKind::Evolve}) {
    fs::remove(path);
    const std::string whole = search(kind, Open::Create, path);
    const std::string bytes = content(path);
    EXPECT_EQ(search(kind, Open::Resume, path), whole);
    for (size_t size = 0; size < bytes.size(); size += 2997) {
      put(path, std::string_view(bytes).substr(0, size));
      EXPECT_EQ(search(kind, Open::Resume, path), whole) << size;
      ASSERT_EQ(content(path), bytes) << size;
    }
    if (kind == SearchKind::Lexicase) score = ScoreKind::AbsoluteError;
  }
}

// An early end depends on finished epochs, which are those of the interrupted run.
TEST(ResultLog, WhatEndsEarlyGoesOn) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  run.options.ranking.score = ScoreKind::AbsoluteError;
  run.options.ranking.cut_off = 3;
  run.options.machines.epoch = 500;
  std::string csv = "n,expected\n";
  for (u32 k = 0; k < 600; ++k) csv += std::to_string(k) + "," + std::to_string(2 * k) + "\n";
  run.cases = table_of(csv);
  const std::string path = folder.file("log");
  const Shown whole = run.show(Open::Create, path);
  EXPECT_NE(whole.report.find("\"unscored\""), std::string::npos);
  const std::string bytes = content(path);
  for (const size_t part : {3u, 5u, 7u, 8u, 9u}) {
    put(path, std::string_view(bytes).substr(0, bytes.size() * part / 10));
    EXPECT_EQ(run.show(Open::Resume, path), whole);
    EXPECT_EQ(content(path), bytes);
  }
}

}  // namespace
}  // namespace komuz::engine
