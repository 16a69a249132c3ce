// SPDX-License-Identifier: Apache-2.0
// Logs of results: what is written, taken back, and joined.
#include "engine/log/result_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/evaluate.h"
#include "engine/load_modules.h"
#include "engine/log/log_header.h"
#include "engine/log/merge_logs.h"
#include "engine/log/read_details.h"
#include "engine/report.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::engine {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("komuz-log-" + std::to_string(getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

CasesTable table_of(const std::string& csv) {
  CasesTable table;
  const MaybeError error = read_csv_cases("cases.csv", csv, {}, table);
  EXPECT_FALSE(error) << error->text();
  return table;
}

// What a run shows: its report, and each row as it came.
struct Shown {
  std::string report, stream;
  bool operator==(const Shown&) const = default;
};
class LinesSink final : public ResultSink {
 public:
  void on_result(const Results& results, u32 row) override {
    write_row_json(lines, results, row);
    lines += '\n';
  }
  std::string lines;
};

std::string report_of(const Results& results, const WriteDetails& details = {}) {
  std::string report;
  write_report_json(
      [&](std::string_view piece) {
        report += piece;
        return true;
      },
      results, details);
  return report;
}
std::string report_of(MergedLogs& logs, const Results& merged) {
  return report_of(merged,
                   [&](std::string& out, u32 row) { logs.write_details(out, merged, row); });
}

enum class Open : u8 { None, Create, Resume };
struct LoggedRun {
  std::vector<Candidate> candidates;
  CasesTable cases;
  EvaluateOptions options;
  LogHeader more = {};

  [[nodiscard]] LogHeader header() const {
    return make_header("1.0", "eval", options, cases, more);
  }
  // With a log the report is written from there.
  MaybeError evaluate_into(Open open, const std::string& path, Shown& shown) const {
    CandidateList source(candidates);
    ModuleLoader modules;
    EvaluateOptions own = options;
    own.modules = &modules;
    ResultLog log;
    MaybeError error;
    if (open == Open::Create) error = log.create(path, header());
    if (open == Open::Resume) error = log.resume(path, header());
    if (error) return error;
    own.log = open == Open::None ? nullptr : &log;
    own.keep_details = open == Open::None;
    Results results;
    LinesSink sink;
    error = evaluate(source, cases, own, results, &sink);
    EXPECT_TRUE(error || results.complete);
    WriteDetails details;
    if (own.log != nullptr)
      details = [&](std::string& out, u32 row) { log.write_details(out, results, row); };
    shown = {report_of(results, details), sink.lines};
    return error;
  }
  [[nodiscard]] Shown show(Open open, const std::string& path = "") const {
    Shown shown;
    const MaybeError error = evaluate_into(open, path, shown);
    EXPECT_FALSE(error) << error->text();
    return shown;
  }
};

FixedSource double_it(frontend::Compiler&, std::string_view source, const std::stop_token&) {
  const size_t at = source.find("twice");
  if (at == std::string_view::npos) return {};
  std::string text(source);
  return {text.replace(at, 5, "2 *  "), {{"K0001", 1, "no word"}}};
}

LoggedRun numbers() {
  LoggedRun run{
      {{"other", "pub fn f(n: f64) -> f64 { n * 2.0 }", {}},
       {"wrong", "pub fn f(n: i64) -> i64 { n + 1 }", {}},
       {"broken", "pub fn f(n: i64) -> i64 { n + }", {}},
       {"good", "pub fn f(n: i64) -> i64 { n * 2 }", {}},
       {"sl\xffow \"", "fn g(n: i64) -> i64 { n + n }\npub fn f(n: i64) -> i64 { g(n) }", {}},
       {"again", "pub fn f(n:i64)->i64 { n  *  2 }  // the same", {}},
       {"traps", "pub fn f(n: i64) -> i64 { n * 2 + 0 / n }", {}},
       {"bytes", "pub fn f(n: i64) -> i64 { \xfe }", {}},
       {"fixed", "pub fn f(n: i64) -> i64 { twice n }", {}},
       {"uses", "use std.math.gcd\npub fn f(n: i64) -> i64 { gcd(n, 6) }", {}},
       {"two", "pub fn f(n: i64) -> i64 { n }\npub fn g(n: i64) -> i64 { n }", {}},
       {"unread", "", "no such file"},
       {"traps too", "pub fn f(n: i64) -> i64 { n * 2 + 0/n }", {}}},
      table_of("n,expected,trap\n0,0,\n1,2,\n-3,-6,\n9223372036854775807,,OVERFLOW\n"),
      {}};
  run.options.fix = double_it;
  run.options.epoch = 4;
  return run;
}

// Results with parts, and no fixes.
LoggedRun values() {
  LoggedRun run{
      {{"a",
        "pub fn f(n: i64) -> Option[f64] { if n > 0 { Some(f64(n) / 0.0) } else { None } }",
        {}},
       {"b", "pub fn f(n: i64) -> Option[f64] { Some(0.1) }", {}},
       {"c", "pub fn f(n: i64) -> Option[f64] { if n > 1 { Some(NAN) } else { None } }", {}},
       {"d", "pub fn f(n: i64) -> Option[f64] { Some(1e300 * f64(n)) }", {}}},
      table_of("n,expected\n0,None\n1,Some(2)\n2,None\n"),
      {}};
  return run;
}

// With what each case brought.
LoggedRun scored_cases() {
  LoggedRun run = numbers();
  run.options.score = ScoreKind::AbsoluteError;
  run.options.case_scores = CaseScores::Kept;
  return run;
}

LoggedRun first_failures() {
  LoggedRun run = numbers();
  run.options.ends_at_failure = true;
  return run;
}

TEST(ResultLog, ReportsFromItAreThoseOfTheRun) {
  const Folder folder;
  for (const LoggedRun& run : {numbers(), values(), scored_cases(), first_failures()}) {
    const Shown plain = run.show(Open::None);
    fs::remove(folder.file("log"));
    EXPECT_EQ(run.show(Open::Create, folder.file("log")).report, plain.report);
    Results merged;
    MergedLogs logs;
    const std::string path = folder.file("log");
    const MaybeError error = logs.read(std::span(&path, 1), merged);
    ASSERT_FALSE(error) << error->text();
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
      run.options.threads = static_cast<u32>(size % 3);
      run.options.epoch = 1 + static_cast<u32>(size % 7);
      ASSERT_EQ(run.show(Open::Resume, path), whole) << size;
      ASSERT_EQ(content(path), bytes) << size;
    }
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
    const MaybeError error = other.evaluate_into(open, path, shown);
    return error ? error->text().substr(path.size()) : "";
  };
  EXPECT_EQ(
      error_of(run, Open::Create),
      ": there is something in this file already; go on with it by `--resume`, or take another "
      "name");
  LoggedRun other = run;
  other.options.fuel = 7;
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
      ": the log has the candidate `wrong` where `right` comes now; give the candidates that the "
      "log was begun with");
  other = run;
  other.candidates[1].source = "pub fn f(n: i64) -> i64 { n + 2 }";
  EXPECT_EQ(
      error_of(other),
      ": the candidate `wrong` is not what it was; give the candidates that the log was begun "
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
  EXPECT_NE(error_of(other).find("more candidates than there are"), std::string::npos)
      << error_of(other);
  other = run;
  other.candidates.back().source =
      "pub fn f(n: i64) -> i64 { n * 2 + 0  /n }";  // still a duplicate
  EXPECT_NE(error_of(other).find("the candidates are not the same"), std::string::npos)
      << error_of(other);
  // Nothing of that has touched it.
  EXPECT_EQ(content(path), bytes);

  put(path, "x,y\n1,2\n");
  EXPECT_NE(error_of(run).find("no results log"), std::string::npos);
  put(path, "x,y");
  EXPECT_NE(error_of(run).find("no results log"), std::string::npos);
  EXPECT_EQ(content(path), "x,y");
}

// Every line changed in some way: an error that names the log, or a row that is as good as any, never a crash.
TEST(ResultLog, DamagedLogsAreErrors) {
  const Folder folder;
  const std::string path = folder.file("log");
  const LoggedRun run = numbers();
  static_cast<void>(run.show(Open::Create, path));
  const std::string bytes = content(path);
  size_t errors = 0, tries = 0;
  for (size_t at = bytes.find('\n') + 1; at + 1 < bytes.size(); at += 3) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(at % 2 == 0 ? '}' : damaged[at] ^ 1);
    put(path, damaged);
    Shown shown;
    const MaybeError error = run.evaluate_into(Open::Resume, path, shown);
    errors += error.has_value();
    ++tries;
    Results merged;
    MergedLogs logs;
    static_cast<void>(logs.read(std::span(&path, 1), merged));
  }
  EXPECT_GT(errors, tries / 4);
}

// Values of other types than are written, in each place where there is a value.
TEST(ResultLog, ValuesOfOtherTypesAreErrors) {
  const Folder folder;
  const std::string path = folder.file("log");
  for (const LoggedRun& run : {numbers(), values(), scored_cases()}) {
    fs::remove(path);
    static_cast<void>(run.show(Open::Create, path));
    const std::string bytes = content(path);
    size_t errors = 0, tries = 0;
    for (size_t at = bytes.find('\n'); (at = bytes.find("\": ", at)) != std::string::npos;) {
      at += 3;
      // Up to the next comma or bracket, which for the outer values leaves a line that is no JSON.
      const size_t end = bytes.find_first_of(",]}\n", at);
      for (const char* const other :
           {"\"x\"", "-1", "1e99", "[[1]]", "{\"a\": 1}", "null", "true"}) {
        std::string damaged = bytes;
        damaged.replace(at, end - at, other);
        put(path, damaged);
        Shown shown;
        errors += run.evaluate_into(Open::Resume, path, shown).has_value();
        ++tries;
        put(path, damaged);
        Results merged;
        MergedLogs logs;
        if (logs.read(std::span(&path, 1), merged)) continue;
        for (u32 row = 0; row < merged.rows.size(); ++row) {
          std::string details;
          logs.write_details(details, merged, row);
          FindingsText findings;
          static_cast<void>(read_findings(details, findings));
          static_cast<void>(logs.source_of(merged, row));
        }
      }
    }
    EXPECT_GT(errors, tries / 2);
  }
}

// Nothing was run before there is a signature.
TEST(ResultLog, RowsThatCannotBeAreDamaged) {
  const Folder folder;
  LoggedRun run = numbers();
  run.candidates = {{"b", "pub fn f(n: i64) -> i64 { n + }", {}}};
  static_cast<void>(run.show(Open::Create, folder.file("log")));
  std::string bytes = content(folder.file("log"));
  const size_t status = bytes.find("compile_error");
  bytes.replace(status, 13, "wrong");
  const size_t failure = bytes.find("\"first_failure\": null");
  bytes.replace(failure, 21, "\"first_failure\": {\"case\": 0, \"actual\": 1}");
  put(folder.file("log"), bytes);
  Shown shown;
  const MaybeError error = run.evaluate_into(Open::Resume, folder.file("log"), shown);
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("damaged"), std::string::npos);
}

// A run that failed before its first result is no run that there is to go on with.
TEST(ResultLog, AMereHeaderIsReplaced) {
  const Folder folder;
  const std::string path = folder.file("log");
  LoggedRun other = numbers();
  other.options.fuel = 7;
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
  const MaybeError error = second.resume(folder.file("log"), run.header());
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("another run is writing"), std::string::npos);
}

// The signature is found in the middle, some programs are in several blocks, and some shards have nothing.
LoggedRun many(std::vector<std::string>& texts) {
  constexpr u32 kFitFrom = 1500, kAll = 5000;
  texts.clear();
  texts.reserve(2 * kAll);
  LoggedRun run{{}, table_of("n,expected\n0,0\n1,2\n-3,-6\n"), {}};
  for (u32 k = 0; k < kAll; ++k) {
    const std::string number = std::to_string(k % 1700);
    std::string text = "pub fn f(n: i64) -> i64 { n * 2 + " + number + " }";
    if (k % 7 == 3) text = "pub fn f(n: i64) -> i64 { n / (n - " + number + ") }";
    if (k % 11 == 5) text = "pub fn f(n: i64) -> i64 { n + " + number + ".5 }";
    if (k < kFitFrom && k % 7 != 3 && k % 11 != 5)
      text = "pub fn f(m: i64) -> i64 { m + " + number + " }";
    if (k < kFitFrom && k % 7 == 3) text = "pub fn f(n: u8) -> i64 { " + number + " }";
    run.candidates.push_back(
        {texts.emplace_back("c" + std::to_string(k)), texts.emplace_back(text), {}});
  }
  return run;
}

TEST(ResultLog, ShardsAreTheWholeRun) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  const Shown whole = run.show(Open::None);
  for (const u32 of : {1u, 2u, 3u, 7u}) {
    std::vector<std::string> paths;
    for (u32 index = of; index-- > 0;) {
      run.options.shard = {index, of};
      run.options.epoch = 100 + 700 * index;
      paths.push_back(folder.file(std::to_string(of) + "-" + std::to_string(index)));
      static_cast<void>(run.show(Open::Create, paths.back()));
    }
    Results merged;
    MergedLogs logs;
    MaybeError error = logs.read(paths, merged);
    ASSERT_FALSE(error) << error->text();
    EXPECT_EQ(report_of(logs, merged), whole.report) << of;
    if (of == 1) continue;
    // One of them was killed: the candidates before what it lacks.
    const std::string bytes = content(paths.back());
    put(paths.back(), std::string_view(bytes).substr(0, bytes.size() / 2));
    MergedLogs partial;
    error = partial.read(paths, merged);
    ASSERT_FALSE(error) << error->text();
    EXPECT_FALSE(merged.complete);
    EXPECT_EQ(partial.unfinished(), std::vector{paths.back()});
    EXPECT_LT(merged.rows.size(), run.candidates.size());
    run.options.shard = {0, of};
    static_cast<void>(run.show(Open::Resume, paths.back()));
    EXPECT_EQ(content(paths.back()), bytes);
  }
}

TEST(ResultLog, OnlyShardsOfOneRunAreJoined) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  const auto log_of = [&](const std::string& name, u32 index, u32 of) {
    run.options.shard = {index, of};
    fs::remove(folder.file(name));
    static_cast<void>(run.show(Open::Create, folder.file(name)));
    return folder.file(name);
  };
  const auto error_of = [](const std::vector<std::string>& paths) {
    Results merged;
    MergedLogs logs;
    const MaybeError error = logs.read(paths, merged);
    return error ? error->text() : "";
  };
  const std::string first = log_of("a", 0, 2), second = log_of("b", 1, 2),
                    again = log_of("c", 1, 2);
  EXPECT_EQ(error_of({second, first}), "");
  EXPECT_NE(error_of({first}).find("shard 2/2 is missing"), std::string::npos);
  EXPECT_NE(error_of({first, second, again}).find("this is shard 2/2, and so is"),
            std::string::npos);
  EXPECT_NE(error_of({first, log_of("d", 1, 3)}).find("of another run"), std::string::npos);
  run.options.fuel = 9;
  EXPECT_NE(error_of({first, log_of("e", 1, 2)}).find("of another run"), std::string::npos);
  run.options.fuel = kDefaultFuel;
  run.candidates.back().id = "else";
  EXPECT_NE(error_of({first, log_of("f", 1, 2)}).find("its candidates were others"),
            std::string::npos);
}

// Also one that learns from what the log does not hold.
TEST(ResultLog, ASearchGoesOn) {
  const Folder folder;
  std::optional<SketchProgram> sketch =
      read_sketch("pub fn f(n: i64) -> i64 { ?a[n, n * n, 1] * ?b(0..40) + ?c(-9..=9) }", {});
  ASSERT_TRUE(sketch);
  const CasesTable cases = table_of("n,expected\n0,3\n1,10\n-3,-18\n4,31\n");
  const auto search = [&](SearchKind kind, Open open, const std::string& path) {
    EvaluateOptions options;
    options.sketch = &*sketch;
    options.epoch = 20;
    options.score = ScoreKind::AbsoluteError;
    if (learns_from_cases(kind)) options.case_scores = CaseScores::ForSink;
    SearchCandidates candidates(sketch->source, sketch->plan,
                                {.kind = kind, .population = 20, .generations = 12});
    ResultLog log;
    const LogHeader header = make_header("1.0", "search", options, cases, {});
    const MaybeError error =
        open == Open::Create ? log.create(path, header) : log.resume(path, header);
    EXPECT_FALSE(error) << error->text();
    options.log = &log;
    Results results;
    const MaybeError wrong = evaluate(candidates, cases, options, results, &candidates);
    EXPECT_FALSE(wrong) << wrong->text();
    return report_of(results);
  };
  const std::string path = folder.file("log");
  for (const SearchKind kind :
       {SearchKind::Evolve, SearchKind::Local, SearchKind::Random, SearchKind::Lexicase}) {
    fs::remove(path);
    const std::string whole = search(kind, Open::Create, path);
    const std::string bytes = content(path);
    EXPECT_EQ(search(kind, Open::Resume, path), whole);
    for (size_t size = 0; size < bytes.size(); size += 2997) {
      put(path, std::string_view(bytes).substr(0, size));
      EXPECT_EQ(search(kind, Open::Resume, path), whole) << size;
      ASSERT_EQ(content(path), bytes) << size;
    }
  }
}

// What ends early depends on finished epochs, which are those of the run that was cut.
TEST(ResultLog, WhatEndsEarlyGoesOn) {
  const Folder folder;
  std::vector<std::string> texts;
  LoggedRun run = many(texts);
  run.options.score = ScoreKind::AbsoluteError;
  run.options.cut_off = 3;
  run.options.epoch = 500;
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

TEST(Shard, HasEveryCandidateOnce) {
  for (const u32 of : {1u, 2u, 5u}) {
    for (const u64 all : {u64{0}, u64{1}, u64{1023}, u64{1024}, u64{5000}, u64{10'241}}) {
      u64 sum = 0;
      for (u32 index = 0; index < of; ++index) {
        const Shard shard{index, of};
        u64 own = 0;
        for (u64 k = 0; k < all; ++k) own += shard.has(k);
        EXPECT_EQ(own, shard.count(all)) << index << "/" << of << " of " << all;
        sum += own;
      }
      EXPECT_EQ(sum, all);
    }
  }
  EXPECT_EQ(shard_text(*shard_from_text("2/4")), "2/4");
  for (const char* const wrong : {"", "2", "0/4", "5/4", "2/", "/4", "2/4x", "-1/4", "2/4/1"})
    EXPECT_FALSE(shard_from_text(wrong)) << wrong;
}

}  // namespace
}  // namespace komuz::engine
