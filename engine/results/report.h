// SPDX-License-Identifier: Apache-2.0
// Results as JSON. Fields come in a fixed order, floats in their shortest form, and nothing depends on time, threads
// or machine: equal results are equal bytes.
//
// The report is one object:
//   komuz_report   2, the version of this schema
//   complete       false if the evaluation was stopped
//   score          a name of engine/scores/score_kinds.def, such as "exact"; for a harness "maximize" or "minimize"
//   tolerance      number
//   weights        only if cases have weights: the column that they stand in
//   floor          only for tolerances and relative errors: replaces numbers that are nearer to 0 (score_scale.h). A
//                  number, or an array with a number for each measured part of a result if they differ
//   delta, quantile  likewise, only for `huber` and `log-cosh`, and for `quantile`: what they measure by (score_scale.h)
//   scale          only if errors are divided by it before they are squared, as their squares would not fit an f64: a
//                  power of two
//   ends_at_failure  true, only if candidates ended at their first failing case
//   cases          number of cases
//   signature      "(x: f64) -> f64", or null if none was stated and no candidate gave one
//   counts         {"ok", "wrong", "trap", "compile_error", "refused", "unscored", "duplicates"}: candidates; and
//                  "behaviours": distinct ones, "pareto": candidates on the front; "fixed": edited texts, if texts were
//                  edited; "over_budget": candidates that used up their budget, if there are any
//   held_out       only if cases were held out: {"id", "status", "score", "score_text", "passed", "cases", "cases_run",
//                  "fuel", "first_failure"} of the best candidate on these cases, as below; null if no candidate has a
//                  score or the run was stopped
//   programs       only if given: [{"id", "program"}] with the texts of the best programs, the best first
//   optimised      only if given: what got cheaper in the best programs
//   results        one object for each candidate, best first
// A candidate's object:
//   id             string
//   rank           number from 1; null for compile_error, refused and unscored, and in a stream, where ranks are not
//                  known yet
//   status         "ok", "wrong", "trap", "compile_error", "refused" or "unscored": it was stopped because it could not
//                  get among the best any more, or had used up its budget, or the run was interrupted
//   score          number: cases passed, the sum of errors, r2 or, for a harness, the mean; null if it was not scored,
//                  or if the score is infinite
//   score_text     "inf" or "-inf" for an infinite score, else null
//   passed, cases  numbers; passed is null if the candidate was not run, or unscored
//   cases_run      number of cases that were run before the rest could not matter; for an unscored candidate that
//                  used up its budget, the number that came to an end; null if it was not run, or cut off
//   fuel           ticks of all cases; null if it was not run, or unscored
//   code_bytes     number; null if it did not compile
//   duplicate_of   id of the candidate with the same tokens whose result this is, or null
//   behaviour      16 hexadecimal digits, a hash of its outcomes on all cases (score.h); null if it was not run
//   same_behaviour_as  id of the first candidate with this behaviour, if it is an earlier one with another program;
//                  or null
//   pareto         true on the front of better score, less fuel and smaller code (results.h); null in a stream
//   held_out       only of a candidate that is shown or on the front, if cases were held out: its object on these cases,
//                  as the report's
//   worst          only of some of the best, with a score of errors: the cases with the largest errors, each as
//                  `first_failure`, with "error": its case score, weighted, and "error_text" if that is infinite
//   first_failure  null, or {"case": from 0, "line": of the cases file, "args": {name: value},
//                  "expected": value or "expected_trap": name, "actual": value or
//                  "trap": {"code", "function", "line", "column", "depth"}}. A trap in a harness or module also has
//                  "file", and a failed `assert` its text, "assertion". A value whose JSON has more than 4,096 bytes is
//                  null there, and the object has "cut", an array of {"of": "expected", "actual" or "args.NAME",
//                  "bytes", "begin"}: the length of the value's JSON, and its first 200 bytes
//   diagnostics    array of {"line", "column", "end_line", "end_column", "code", "severity", "message",
//                  "fix": null or {"line", "column", "end_line", "end_column", "begin", "end", "text"}}
//   line           only with a score that fits a line: {"slope", "intercept"}, the numbers for which slope · value +
//                  intercept comes nearest to what is expected; null without a score, or if they do not fit an f64
//   case_scores    only on request: an array with the score of each case: 1 or 0 for an exact score, else the case's
//                  error or value, null for a bad case or an infinite one; or null
//   case_scores_text  beside case scores of which some are infinite: an array of "inf", "-inf" or null; else null
// Values follow engine/values/value_text.h, style Json. Text that is not UTF-8 is shown with U+FFFD.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "engine/results/results.h"

namespace komuz::engine {

// Appends the object of one candidate, on one line, without a line end.
void write_row_json(std::string& out, const Results& results, u32 row);
// The same, with the text of write_details_json() from wherever the details are.
using WriteDetails = std::function<void(std::string& out, u32 row)>;
void write_row_json(std::string& out, const Results& results, u32 row, const WriteDetails& details);
// Appends the fields of that object from `first_failure` on: what the results hold of a candidate beside its row.
void write_details_json(std::string& out, const Results& results, u32 row);

// Appends the answer to a request for the best so far, on one line without its end. `best` are rows, the best first.
//   {"id": the request's, only if it has one,
//    "ranking": [{"id", "rank", "status", "score", "score_text", "passed", "cases", "cases_run", "fuel",
//                 "code_bytes"}, …],
//    "candidates": number of candidates so far}
void write_ranking_json(std::string& out, const Results& results, std::span<const u32> best,
                        u64 candidates, std::string_view id);

class Fields;
// Appends the array `worst`.
void write_worst_json(std::string& out, const Results& results, const Results::WorstRow& worst);
// Appends the object `held_out`.
void write_held_out_json(std::string& out, ScoreKind score, const HeldOut& held_out);
// Writes `floor`, `delta` or `quantile`, and `scale`, if the scale has any.
void write_scale_json(Fields& fields, const ScoreScale& scale);
// Appends edits as an array of {"code", "line", "message"}.
void write_fixes_json(std::string& out, std::span<const AppliedFix> fixes);

// Takes the next piece of a report. False: neither this piece nor the rest is wanted any more.
using WriteText = std::function<bool(std::string_view piece)>;
// Fields that results do not hold, as JSON; empty: the report is without it.
struct ReportAdditions {
  std::string programs, optimised;
};
// Writes the whole report in pieces, with a line for each candidate; every candidate has a row. Without `details`,
// the results hold the details, and so many threads make the lines; 0 means one for each processor. Any of them may
// call `write`.
void write_report_json(const WriteText& write, const Results& results,
                       const WriteDetails& details = {}, u32 threads = 1,
                       const ReportAdditions& additions = {});
// Appends the whole report.
void write_report_json(std::string& out, const Results& results);

}  // namespace komuz::engine
