// SPDX-License-Identifier: Apache-2.0
// Candidates of every kind, and evaluations of some of them.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/engine.h"

namespace komuz::engine::test {

inline CasesTable table_of(const std::string& csv, bool has_expectations = true) {
  CaseFields fields;
  fields.has_expectations = has_expectations;
  CasesTable table;
  const Problem error = read_csv_cases("cases.csv", csv, fields, table);
  EXPECT_FALSE(error) << error.text();
  return table;
}

// Doubling, with a case that must overflow.
inline constexpr const char* kCases =
    "n,expected,trap\n0,0,\n1,2,\n-3,-6,\n9223372036854775807,,OVERFLOW\n";

inline Results evaluate_all(const std::vector<Candidate>& candidates, EvaluateOptions options = {},
                            const std::string& csv = kCases) {
  CandidateList source(candidates);
  const CasesTable table = table_of(csv);
  Results results;
  const Problem error = evaluate(source, table, options, results);
  EXPECT_FALSE(error) << error.text();
  EXPECT_EQ(results.rows.size(), candidates.size());
  EXPECT_TRUE(results.complete);
  return results;
}
inline std::string report_of(const Results& results) {
  std::string out;
  write_report_json(out, results);
  return out;
}

inline const std::vector<Candidate> kCandidates = {
    {"wrong", "pub fn f(n: i64) -> i64 { n + 1 }", {}},
    {"broken", "pub fn f(n: i64) -> i64 { n + }", {}},
    {"good", "pub fn f(n: i64) -> i64 { n * 2 }", {}},
    {"slow", "fn g(n: i64) -> i64 { n + n }\npub fn f(n: i64) -> i64 { g(n) }", {}},
    {"again", "pub fn f(n:i64)->i64 { n  *  2 }  // the same", {}},
    {"traps", "pub fn f(n: i64) -> i64 { n * 2 + 0 / n }", {}},
    {"other", "pub fn f(n: f64) -> f64 { n * 2.0 }", {}},
    {"two", "pub fn f(n: i64) -> i64 { n }\npub fn g(n: i64) -> i64 { n }", {}},
    {"none", "fn f(n: i64) -> i64 { n }", {}},
    {"unread", "", "no such file"},
};

}  // namespace komuz::engine::test
