// SPDX-License-Identifier: Apache-2.0
// The results of an evaluation: rows in input order, and their ranking.
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cases/suite.h"
#include "engine/results/failure_list.h"
#include "engine/scores/line_fit.h"
#include "engine/scores/result_row.h"
#include "engine/support/block_vector.h"
#include "engine/support/text_list.h"
#include "lang/diagnostics.h"
#include "mend/mend.h"

namespace komuz::engine {

[[nodiscard]] std::string_view status_name(
    Status status);  // "ok", "wrong", "trap", "compile_error", "refused", "unscored"

[[nodiscard]] inline std::string_view score_name(ScoreKind kind) {
  return kScoreNames[static_cast<size_t>(kind)];
}
[[nodiscard]] std::optional<ScoreKind> score_from_name(std::string_view name);
// A diagnostic in words. The first code is that of a refused candidate, the second that of a note on a candidate with
// holes, which is run as it stands.
inline constexpr std::string_view kRefusedCode = "refused", kSketchCode = "sketch";
// The code for a candidate that used up its budget.
inline constexpr std::string_view kBudgetCode = "budget";
// The code for a candidate that was not done when the run was stopped, although candidates behind it were.
inline constexpr std::string_view kStoppedCode = "stopped";
struct DiagnosticText {
  std::string_view code;
  Severity severity = Severity::Error;
  Place begin, end;
  std::string message;
  bool has_fix = false;
  Edit fix;
  Place fix_begin = {}, fix_end = {};  // of the bytes that it replaces
};

// An edit that was made in a candidate's text, in the words of its diagnostic.
struct AppliedFix {
  std::string_view code;
  u32 line = 0;  // of the edited text, from 1
  std::string message;
};
// The text that replaced a candidate's. Places in the candidate's row refer to it.
struct FixedSource {
  std::string text;
  std::vector<AppliedFix> fixes;  // none: the text is unchanged
};

// Actual and expected values of the first in the ranking: a NaN for a trap, or for a result that is no number.
struct BestCases {
  u32 row = kNone;
  std::vector<f64> expected, actual;  // of the first kMost cases
  static constexpr u32 kMost = 2000;
};

// The result of a candidate on cases that were not used for ranking.
struct HeldOutResult {
  ResultRow row;        // on these cases
  std::string problem;  // not empty: why it was not run
  // Like `first_failure` of a row.
  std::optional<Failure> failure;
};
// That of the best candidate.
struct HeldOut : HeldOutResult {
  Suite suite;     // the cases, if there is a signature
  std::string id;  // of the candidate; empty: none has a score, or the run was stopped
  // From a log: the report's text about it, as it was written. Cases and failure are then only in this text.
  std::string json;
};

// A signature for which programs were refused.
struct OtherSignature {
  std::string signature;
  std::string
      options;  // `komuz eval` options that run such programs; empty: the cases do not fit them
  u64 programs = 0;
};

struct OutcomeCounts {
  std::array<u64, kStatuses> by_status{};
  u64 duplicates = 0, fixed = 0;
  u64 programs = 0;     // distinct ones that were run
  u64 behaviours = 0;   // distinct ones of these
  u64 pareto = 0;       // on the front
  u64 over_budget = 0;  // unscored candidates that used up their budget
  [[nodiscard]] u64 of(Status status) const { return by_status[static_cast<size_t>(status)]; }
  bool operator==(const OutcomeCounts&) const = default;
};

struct Results {
  ScoreKind score = ScoreKind::Exact;
  f64 tolerance = 0;
  std::string weights;           // the column of the cases' weights; empty: all are 1
  ScoreScale scale;              // the scale of scores, if there is a signature
  bool ends_at_failure = false;  // candidates ended at their first failing case
  u32 cases = 0;
  bool typed = false;     // there is a signature, and `suite` holds the cases for it
  std::string signature;  // as text
  Suite suite;
  // The first few in input order, of rows that were not taken from a log.
  std::vector<OtherSignature> other_signatures;
  BlockVector<ResultRow> rows;  // in input order
  // Of each row, with a score that fits lines; else, and of results that were read from logs, empty.
  BlockVector<ScoreLine> lines;
  FailureList failures;
  std::vector<DiagnosticText> diagnostics;
  struct FixedRow {
    u32 row = 0;
    FixedSource source;
  };
  bool fixes = false;          // candidates with errors were edited
  std::deque<FixedRow> fixed;  // the edited texts, by row
  FixedSource fixed_sketch;    // the variants' sketch, if it had errors
  // Only on request: the case scores (score.h) of rows that were run and are no duplicates, by row. Takes eight bytes
  // for each case.
  struct CaseScoresRow {
    u32 row = 0;
    std::vector<f64> scores;
  };
  bool has_case_scores = false;  // they are part of the report
  std::deque<CaseScoresRow> case_scores;
  // The cases that brought some of the best the largest errors, by row.
  struct WorstCase {
    Failure failure;  // what the case gave, right or wrong
    f64 error = 0;    // its case score
  };
  struct WorstRow {
    u32 row = 0;
    std::vector<WorstCase> cases;  // the worst first
    std::string json;  // from a log: the report's text about them; there are no cases then
  };
  std::deque<WorstRow> worst;
  std::vector<u32> ranking;  // all rows, best first; those without a rank last, in input order
  // For a complete run whose results are numbers that are compared with others; else empty.
  BestCases best;
  std::optional<HeldOut> held_out;  // none: there are no such cases
  // The results on these cases of rows that are shown or on the front, by row; empty of results that were read from logs.
  struct HeldOutRow {
    u32 row = 0;
    HeldOutResult result;
  };
  std::deque<HeldOutRow> held_out_rows;
  // The text of the first in the ranking as it was compiled; for a variant, the program that it stands for. Empty if
  // no candidate has a score.
  std::string best_source;
  // The line of that candidate; none: the score fits none, or the line does not fit an f64.
  std::optional<ScoreLine> best_line;
  bool complete = true;  // false: stopped, and the rows are those of the first candidates only

  // If only the best programs have rows (EvaluateOptions::best_rows): what is known of all candidates.
  struct Summary {
    u64 candidates = 0;
    OutcomeCounts counts;
    std::vector<u64> copies;  // by row: the number of its duplicates
  };
  std::optional<Summary> summary;
  // All rows were wanted, but memory did not suffice (EvaluateOptions::rows_without_memory).
  bool has_dropped_rows = false;
  // If rows are not ranked yet (EvaluateOptions::ranks_later): the best programs, as results of their own. Their
  // behaviours are not compared.
  std::shared_ptr<Results> head;

  [[nodiscard]] u64 candidates() const { return summary ? summary->candidates : rows.size(); }
  // Valid until another id is added.
  [[nodiscard]] std::string_view id(u32 row) const { return ids[row]; }
  // The edited text of a row or, for a duplicate, of its representative; null if it was not edited, or its details
  // are not kept.
  [[nodiscard]] const FixedSource* fixed_source(u32 row) const;
  // The case scores of a row or, for a duplicate, of its representative; empty if it has none, or they are not kept.
  [[nodiscard]] std::span<const f64> case_scores_of(u32 row) const;
  // The worst cases of a row; null if nobody has looked for them.
  [[nodiscard]] const WorstRow* worst_of(u32 row) const;
  // The result of a row on the cases that are held out; null if it was not run on them.
  [[nodiscard]] const HeldOutResult* held_out_of(u32 row) const;
  // The line of a row with a score, if it has one that fits an f64.
  [[nodiscard]] std::optional<ScoreLine> line_of(u32 row) const;
  void add_id(std::string_view text) { ids.add(text); }
  TextList ids;
  // Memory of a stopped run, for a caller that ends right after (EvaluateOptions::keeps_rest).
  std::shared_ptr<void> rest;
};

[[nodiscard]] OutcomeCounts count_outcomes(const Results& results);
// The number of each row's duplicates.
[[nodiscard]] std::vector<u64> count_copies(const Results& results);

// Sets `ranking`, every row's rank, and the Pareto front. Scored rows come first, by score (exact scores by cases
// passed, errors by their sum, values by their mean), then by fuel, code size and input order. With an error score,
// rows that trapped follow: by bad cases, first trap, and input order. Rows that never ran have no rank.
void rank(Results& results);
// The same for rows of which only the best were ranked.
void rank_all(Results& results);
// Finds the ranked rows on the front of better score, less fuel and smaller code: scored rows to which no other row
// is at least as good in all three and better in one. Of rows that are equal in all three, only the first is on the
// front.
void mark_pareto_front(Results& results);

}  // namespace komuz::engine
