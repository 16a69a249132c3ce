// SPDX-License-Identifier: Apache-2.0
#include "engine/results/report.h"

#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "engine/support/json_text.h"
#include "tests/engine/suite_builder.h"

namespace komuz::engine {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonText, Strings) {
  EXPECT_EQ(json_string("a\"b\\c\n\t\r\x01"), R"("a\"b\\c\n\t\r\u0001")");
  EXPECT_EQ(json_string("é → 𝄞"), "\"é → 𝄞\"");
  EXPECT_EQ(json_string(std::string_view("\0", 1)), R"("\u0000")");
}

TEST(JsonText, WhatIsNotUtf8IsReplaced) {
  const std::string u = "\xEF\xBF\xBD";
  EXPECT_EQ(json_string("a\xFF"), "\"a" + u + "\"");
  EXPECT_EQ(json_string("\xC3"), "\"" + u + "\"");                  // cut short
  EXPECT_EQ(json_string("\xC0\xAF"), "\"" + u + u + "\"");          // overlong
  EXPECT_EQ(json_string("\xED\xA0\x80"), "\"" + u + u + u + "\"");  // a surrogate
  EXPECT_EQ(json_string("\xF4\x90\x80\x80"), "\"" + u + u + u + u + "\"");
}

TEST(JsonText, EveryByteStringBecomesValidJson) {
  u64 state = 7;
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (int length = 0; length < 12; ++length) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      // Mostly bytes that start or continue sequences.
      const u8 byte = static_cast<u8>(state >> 56);
      text += static_cast<char>(state % 3 == 0 ? byte & 0x7F : byte | 0x80);
    }
    EXPECT_TRUE(nlohmann::json::accept(json_string(text)));
  }
}

TEST(JsonText, Numbers) {
  const auto number = [](auto value) {
    std::string out;
    append_json_number(out, value);
    return out;
  };
  EXPECT_EQ(number(3.0), "3");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(0x1p64), "18446744073709551616.0");
  EXPECT_EQ(number(-0x1p63), "-9223372036854775808.0");
  EXPECT_EQ(number(std::numeric_limits<f64>::infinity()), "\"Infinity\"");
  EXPECT_EQ(number(~u64{0}), "18446744073709551615");
}

u64 cell_of(f64 value) { return std::bit_cast<u64>(value); }

// A candidate of each kind.
Results sample() {
  Results results;
  results.suite = test::csv_suite(
      "n,x,expected,trap\n1,NaN,2,\n-2,0.5,,DIV_ZERO\n",
      test::make_signature({{"n", Scalar::I64}, {"x", Scalar::F64}}, {Scalar::F64}));
  results.typed = true;
  results.signature = results.suite.signature.text();
  results.cases = 2;
  for (const char* id : {"a", "b\"", "c", "d", "e"}) results.add_id(id);
  ResultRow ok;
  ok.status = Status::Ok;
  ok.scored = true;
  ok.score = 2;
  ok.passed = 2;
  ok.cases_run = 2;
  ok.fuel = 10;
  ok.code_bytes = 24;
  ok.behaviour = 255;
  ResultRow wrong = ok;
  wrong.status = Status::Wrong;
  wrong.score = wrong.passed = 1;
  wrong.first_failure = 0;
  ResultRow trap = wrong;
  trap.status = Status::Trap;
  trap.first_failure = 1;
  trap.behaviour = 0xFEDC'BA98'7654'3210u;
  trap.same_behaviour_as = 1;
  ResultRow error;
  error.status = Status::CompileError;
  error.diagnostics = 1;
  ResultRow duplicate = ok;
  duplicate.duplicate_of = 0;
  results.rows = {ok, wrong, error, trap, duplicate};
  Failure infinite;
  infinite.actual.keep(results.suite.signature.result_type, std::vector{cell_of(INFINITY)});
  results.failures.push_back(infinite);
  results.failures.push_back({1, Trap::Overflow, 3, 7, 2, "f", {}});
  results.diagnostics.resize(1);
  results.diagnostics[0] = {"K0301", Severity::Error, {1, 4}, {1, 9}, "type mismatch",
                            true,    {3, 4, "2.0"},   {1, 4}, {1, 5}};
  rank(results);
  return results;
}

TEST(Report, Golden) {
  std::string out;
  write_report_json(out, sample());
  EXPECT_EQ(
      out,
      R"({"komuz_report": 2, "complete": true, "score": "exact", "tolerance": 0, )"
      R"("cases": 2, "signature": "(n: i64, x: f64) -> f64", )"
      R"("counts": {"ok": 2, "wrong": 1, "trap": 1, "compile_error": 1, "refused": 0, "unscored": 0, )"
      R"("duplicates": 1, "behaviours": 2, "pareto": 1, "over_budget": 0}, "results": [
{"id": "a", "rank": 1, "status": "ok", "score": 2.0, "score_text": null, "passed": 2, "cases": 2, "cases_run": 2, "fuel": 10, )"
      R"("code_bytes": 24, "duplicate_of": null, "behaviour": "00000000000000ff", )"
      R"("same_behaviour_as": null, "pareto": true, "first_failure": null, )"
      R"("diagnostics": []},
{"id": "e", "rank": 2, "status": "ok", "score": 2.0, "score_text": null, "passed": 2, "cases": 2, "cases_run": 2, "fuel": 10, )"
      R"("code_bytes": 24, "duplicate_of": "a", "behaviour": "00000000000000ff", )"
      R"("same_behaviour_as": null, "pareto": false, "first_failure": null, )"
      R"("diagnostics": []},
{"id": "b\"", "rank": 3, "status": "wrong", "score": 1.0, "score_text": null, "passed": 1, "cases": 2, "cases_run": 2, "fuel": 10, )"
      R"("code_bytes": 24, "duplicate_of": null, "behaviour": "00000000000000ff", )"
      R"("same_behaviour_as": null, "pareto": false, "first_failure": {"case": 0, )"
      R"("line": 2, "args": {"n": 1, "x": "NaN"}, "expected": 2.0, )"
      R"("actual": "Infinity"}, "diagnostics": []},
{"id": "d", "rank": 4, "status": "trap", "score": 1.0, "score_text": null, "passed": 1, "cases": 2, "cases_run": 2, "fuel": 10, )"
      R"("code_bytes": 24, "duplicate_of": null, "behaviour": "fedcba9876543210", )"
      R"("same_behaviour_as": "b\"", "pareto": false, "first_failure": {"case": 1, )"
      R"("line": 3, "args": {"n": -2, "x": 0.5}, "expected_trap": "DIV_ZERO", )"
      R"("trap": {"code": "OVERFLOW", "function": "f", "line": 3, "column": 7, )"
      R"("depth": 2}}, "diagnostics": []},
{"id": "c", "rank": null, "status": "compile_error", "score": null, "score_text": null, "passed": null, )"
      R"("cases": 2, "cases_run": null, "fuel": null, "code_bytes": null, "duplicate_of": null, )"
      R"("behaviour": null, "same_behaviour_as": null, "pareto": false, "first_failure": null, "diagnostics": [{"line": 1, "column": 4, )"
      R"("end_line": 1, "end_column": 9, "code": "K0301", "severity": "error", )"
      R"("message": "type mismatch", "fix": {"line": 1, "column": 4, "end_line": 1, )"
      R"("end_column": 5, "begin": 3, "end": 4, "text": "2.0"}}]}
]}
)");
  EXPECT_TRUE(nlohmann::json::accept(out));
}

TEST(Report, ManyThreadsWriteTheSame) {
  Results results = sample();
  const std::vector<ResultRow> rows(results.rows.begin(), results.rows.end());
  for (u32 k = 0; k < 15'000; ++k) {
    results.add_id("more " + std::to_string(k));
    results.rows.push_back(rows[k % rows.size()]);
  }
  rank(results);
  const auto report = [&](u32 threads) {
    std::string out;
    write_report_json(
        [&](std::string_view piece) {
          out += piece;
          return true;
        },
        results, {}, threads);
    return out;
  };
  const std::string by_one = report(1);
  EXPECT_TRUE(nlohmann::json::accept(by_one));
  for (const u32 threads : {0u, 2u, 7u}) EXPECT_EQ(report(threads), by_one);
}

// They stand before the results, and everything else is as it was.
TEST(Report, HasWhatIsGivenBesideTheResults) {
  std::string without, with;
  write_report_json(without, sample());
  write_report_json(
      [&](std::string_view piece) {
        with += piece;
        return true;
      },
      sample(), {}, 1, {.programs = R"([{"id": "b"}])", .optimised = R"([{"id": "a"}])"});
  constexpr std::string_view kField = R"("programs": [{"id": "b"}], "optimised": [{"id": "a"}], )";
  const size_t at = with.find(kField);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(with.substr(at + kField.size()).find(R"("results": [)"), 0u);
  EXPECT_EQ(with.erase(at, kField.size()), without);
}

TEST(Report, NothingAtAll) {
  std::string out;
  write_report_json(out, Results{});
  EXPECT_EQ(
      out,
      R"({"komuz_report": 2, "complete": true, "score": "exact", "tolerance": 0, "cases": 0, )"
      R"("signature": null, "counts": {"ok": 0, "wrong": 0, "trap": 0, "compile_error": 0, )"
      R"("refused": 0, "unscored": 0, "duplicates": 0, "behaviours": 0, "pareto": 0, "over_budget": 0}, "results": []})"
      "\n");
}

}  // namespace
}  // namespace komuz::engine
