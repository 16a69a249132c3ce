// SPDX-License-Identifier: Apache-2.0
// Results as JSON. Fields come in a fixed order, floats in their shortest form, and nothing depends on time, threads or
// machine: equal results are equal bytes.
//
// The report is one object:
//   komuz_report   2, the version of this schema
//   complete       false if the evaluation was stopped
//   score          "exact", "absolute", "squared", "relative", "r2" or "correlation"; of a harness "maximize" or "minimize"
//   tolerance      number
//   floor          only of tolerances and relative errors: what stands for numbers that are nearer to 0 (score_scale.h). A number,
//                  or where the parts of a result have different ones an array: one for each part that may be off
//   scale          only where errors are divided by it before they are squared, as squares would not fit an f64: a power of two
//   ends_at_failure  true, only where candidates ended at their first failing case
//   cases          number of cases
//   signature      "(x: f64) -> f64", or null if none was stated and no candidate gave one
//   counts         {"ok", "wrong", "trap", "compile_error", "refused", "unscored", "duplicates"}: candidates; and
//                  "behaviours": how many distinct ones there are, "pareto": candidates on the front, where texts were
//                  edited "fixed": how many, and where candidates have used up their budget "over_budget": how many
//   held_out       only where cases were held out: {"id", "status", "score", "score_text", "passed", "cases", "cases_run",
//                  "fuel", "first_failure"} of the best candidate on these, as below; or null, where none has a score or the
//                  run was stopped
//   results        one object for each candidate, best first
// A candidate's object:
//   id             string
//   rank           number from 1; null for compile_error, refused and unscored, and in a stream, where it is not known yet
//   status         "ok", "wrong", "trap", "compile_error", "refused" or "unscored": stopped, as it could not get
//                  among the best any more, or its budget was used up, or the run was interrupted in the midst of it
//   score          number: cases passed, the sum of errors, r2 or, of a harness, the mean; null if it was not scored, or
//                  the score is infinite
//   score_text     "inf" or "-inf" if the score is that, else null
//   passed, cases  numbers; passed is null if it was not run, or unscored
//   cases_run      number: how many cases were run, before nothing more was to come of them; of an unscored one whose budget
//                  was used up how many came to an end; null if it was not run, or cut off
//   fuel           ticks of all cases; null if it was not run, or unscored
//   code_bytes     number; null if it did not compile
//   duplicate_of   id of the candidate with the same tokens whose result this is, or null
//   behaviour      16 hexadecimal digits, a hash of what it did on every case (score.h); null if it was not run
//   same_behaviour_as  id of the first candidate with this behaviour, if that is an earlier one of another program; or null
//   pareto         is it on the front of better score, less fuel and smaller code (results.h); in a stream null
//   first_failure  null, or {"case": from 0, "line": of the cases file, "args": {name: value},
//                  "expected": value or "expected_trap": name, "actual": value or
//                  "trap": {"code", "function", "line", "column", "depth"}}, the trap of a harness or module also with
//                  "file", that of an `assert` with the text of it, "assertion". A value whose JSON has more than 4,096 bytes
//                  is null there, and the object has "cut", an array of {"of": "expected", "actual" or "args.NAME", "bytes",
//                  "begin"}: all bytes of its JSON, and the first 200 of them
//   diagnostics    array of {"line", "column", "end_line", "end_column", "code", "severity", "message",
//                  "fix": null or {"line", "column", "end_line", "end_column", "begin", "end", "text"}}
//   case_scores    only where they were asked for: an array of what each case brought, 1 or 0 with an exact score, else its
//                  error or value, null for a bad case or an infinite one; or null
//   case_scores_text  where there are case scores, of which some are infinite, an array beside them of "inf", "-inf" or
//                  null; else null
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
// Appends the fields of that object from `first_failure` on: what the results hold of a candidate beside its row.
void write_details_json(std::string& out, const Results& results, u32 row);

// Appends, on one line without its end, what answers a request for the best so far: `best` are rows, the best first.
//   {"id": that of the request, only if it has one, "ranking": [{"id", "rank", "status", "score", "score_text", "passed", "cases",
//   "cases_run", "fuel", "code_bytes"}, …], "candidates": number of those so far}
void write_ranking_json(std::string& out, const Results& results, std::span<const u32> best,
                        u64 candidates, std::string_view id);

class Fields;
// Appends the object `held_out`.
void write_held_out_json(std::string& out, ScoreKind score, const HeldOut& held_out);
// Writes `floor` and `scale`, where there are any.
void write_scale_json(Fields& fields, const ScoreScale& scale);
// Appends edits as an array of {"code", "line", "message"}.
void write_fixes_json(std::string& out, std::span<const AppliedFix> fixes);

// Takes the next piece of a report. False: it is not wanted any more, and nor is what would follow.
using WriteText = std::function<bool(std::string_view piece)>;
// Appends what write_details_json() does, from wherever the details are.
using WriteDetails = std::function<void(std::string& out, u32 row)>;
// Writes the whole report in pieces: a line for each candidate, all of which have a row. Without `details` they are those that
// the results hold, and so many threads make the lines; 0: one for each processor. `write` is called by any of them.
void write_report_json(const WriteText& write, const Results& results,
                       const WriteDetails& details = {}, u32 threads = 1);
// Appends it.
void write_report_json(std::string& out, const Results& results);

}  // namespace komuz::engine
