// SPDX-License-Identifier: Apache-2.0
// Runs with a log: their candidates, and their output.
#pragma once
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "engine/candidates/load_modules.h"
#include "engine/log/log_header.h"
#include "engine/log/merge_logs.h"
#include "engine/log/result_log.h"
#include "tests/engine/evaluations.h"

namespace komuz::engine::test {

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

inline std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// The output of a run: its report, and each row as it came.
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

inline std::string report_of(const Results& results, const WriteDetails& details) {
  std::string report;
  write_report_json(
      [&](std::string_view piece) {
        report += piece;
        return true;
      },
      results, details);
  return report;
}
inline std::string report_of(MergedLogs& logs, const Results& merged) {
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
  // With a log, the report is written from the log.
  Problem evaluate_into(Open open, const std::string& path, Shown& shown,
                        std::vector<ResultLog::Damage>* damages = nullptr) const {
    CandidateList source(candidates);
    ModuleLoader modules;
    EvaluateOptions own = options;
    own.programs.modules = &modules;
    ResultLog log;
    Problem error;
    if (open == Open::Create) error = log.create(path, header());
    if (open == Open::Resume) error = log.resume(path, header());
    if (error) return error;
    own.details.log = open == Open::None ? nullptr : &log;
    own.details.keep_details = open == Open::None;
    Results results;
    LinesSink sink;
    error = evaluate(source, cases, own, results, &sink);
    EXPECT_TRUE(error || results.complete);
    if (damages != nullptr) *damages = log.damages();
    WriteDetails details;
    if (own.details.log != nullptr)
      details = [&](std::string& out, u32 row) { log.write_details(out, results, row); };
    shown = {report_of(results, details), sink.lines};
    return error;
  }
  [[nodiscard]] Shown show(Open open, const std::string& path = "") const {
    Shown shown;
    const Problem error = evaluate_into(open, path, shown);
    EXPECT_FALSE(error) << error.text();
    return shown;
  }
};

inline FixedSource double_it(frontend::Compiler&, std::string_view source, const std::stop_token&) {
  const size_t at = source.find("twice");
  if (at == std::string_view::npos) return {};
  std::string text(source);
  return {text.replace(at, 5, "2 *  "), {{"K0001", 1, "no word"}}};
}

inline LoggedRun numbers() {
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
  run.options.programs.fix = double_it;
  run.options.machines.epoch = 4;
  return run;
}

// Results with parts, and no fixes.
inline LoggedRun values() {
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

// Parts with floors of their own.
inline LoggedRun tolerances() {
  LoggedRun run{{{"a", "pub fn f(n: i64) -> (f64, f64) { (1.0e-19 * f64(n), 3.5) }", {}},
                 {"b", "pub fn f(n: i64) -> (f64, f64) { (1.01e-19 * f64(n), 3.0) }", {}}},
                table_of("n,expected\n1,\"(1e-19, 3)\"\n2,\"(2e-19, 3)\"\n"),
                {}};
  run.options.ranking.tolerance = 0.1;
  return run;
}

// Squares with a unit.
inline LoggedRun large_numbers() {
  LoggedRun run{{{"a", "pub fn f(n: i64) -> f64 { 1.0e200 * f64(n) }", {}},
                 {"b", "pub fn f(n: i64) -> f64 { 1.01e200 * f64(n * n) }", {}}},
                table_of("n,expected\n1,1e200\n2,2e200\n"),
                {}};
  run.options.ranking.score = ScoreKind::SquaredError;
  return run;
}

// With the scores of cases.
inline LoggedRun scored_cases() {
  LoggedRun run = numbers();
  run.options.ranking.score = ScoreKind::AbsoluteError;
  run.options.details.case_scores = CaseScores::Kept;
  return run;
}

inline LoggedRun first_failures() {
  LoggedRun run = numbers();
  run.options.ranking.ends_at_failure = true;
  return run;
}

// The signature is found late, some programs occur in several blocks, and some shards are empty.
inline LoggedRun many(std::vector<std::string>& texts) {
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

}  // namespace komuz::engine::test
