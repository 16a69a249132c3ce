// SPDX-License-Identifier: Apache-2.0
// What came of an evaluation, as rows in input order, and their ranking.
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
#include "engine/scores/result_row.h"
#include "engine/support/block_vector.h"
#include "engine/support/text_list.h"
#include "lang/diagnostics.h"
#include "mend/mend.h"

namespace komuz::engine {

[[nodiscard]] std::string_view status_name(
    Status status);  // "ok", "wrong", "trap", "compile_error", "refused", "unscored"

// As a user names them; those behind kCaseScores are of harnesses.
inline constexpr std::string_view kScoreNames[] = {"exact", "absolute",    "squared",  "relative",
                                                   "r2",    "correlation", "maximize", "minimize"};
inline constexpr size_t kCaseScores = 6;
[[nodiscard]] inline std::string_view score_name(ScoreKind kind) {
  return kScoreNames[static_cast<size_t>(kind)];
}
[[nodiscard]] std::optional<ScoreKind> score_from_name(std::string_view name);
// A diagnostic in words. Of a refused candidate the code is the first of these; the second one is that of a note on a candidate
// with holes, which is run as it stands.
inline constexpr std::string_view kRefusedCode = "refused", kSketchCode = "sketch";
// … and the third that of a candidate whose budget was used up.
inline constexpr std::string_view kBudgetCode = "budget";
// … and that of one which was not done when the run was stopped, and others behind it were.
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
// What took the place of a candidate's text: places in it are what its row speaks of.
struct FixedSource {
  std::string text;
  std::vector<AppliedFix> fixes;  // none: the text stays
};

// What the first in the ranking gave, beside what was expected: a NaN where that was a trap, or no number.
struct BestCases {
  u32 row = kNone;
  std::vector<f64> expected, actual;  // of the first kMost cases
  static constexpr u32 kMost = 2000;
};

// What came of the best candidate on cases that candidates were not ranked by.
struct HeldOut {
  Suite suite;          // the cases, where there is a signature
  std::string id;       // of the candidate; empty: none has a score, or the run was stopped
  ResultRow row;        // of these cases
  std::string problem;  // not empty: it was not run, and why
  // As `first_failure` of a row.
  std::optional<Failure> failure;
  // Of a log: what a report says of it, as it was written. Then there are no cases and no failure but in this.
  std::string json;
};

// One that programs were refused for.
struct OtherSignature {
  std::string signature;
  std::string options;  // of `komuz eval`, that run such programs; empty: the cases do not fit them
  u64 programs = 0;
};

struct OutcomeCounts {
  std::array<u64, kStatuses> by_status{};
  u64 duplicates = 0, fixed = 0;
  u64 programs = 0;     // distinct ones that were run
  u64 behaviours = 0;   // distinct ones of these
  u64 pareto = 0;       // on the front
  u64 over_budget = 0;  // of the unscored those whose budget was used up
  [[nodiscard]] u64 of(Status status) const { return by_status[static_cast<size_t>(status)]; }
  bool operator==(const OutcomeCounts&) const = default;
};

struct Results {
  ScoreKind score = ScoreKind::Exact;
  f64 tolerance = 0;
  ScoreScale scale;              // what scores measure by, where there is a signature
  bool ends_at_failure = false;  // candidates ended at their first failing case
  u32 cases = 0;
  bool typed = false;     // there is a signature, and `suite` holds the cases for it
  std::string signature;  // as text
  Suite suite;
  // The first few in input order, of rows that were not taken from a log.
  std::vector<OtherSignature> other_signatures;
  BlockVector<ResultRow> rows;  // in input order
  FailureList failures;
  std::vector<DiagnosticText> diagnostics;
  struct FixedRow {
    u32 row = 0;
    FixedSource source;
  };
  bool fixes = false;          // candidates with errors were edited
  std::deque<FixedRow> fixed;  // what came of it, by row
  FixedSource fixed_sketch;    // that variants are of, where the sketch had errors
  // By row, of those that were run and are no duplicates, where it was asked for: what each case brought (score.h). Eight bytes a
  // case.
  struct CaseScoresRow {
    u32 row = 0;
    std::vector<f64> scores;
  };
  bool has_case_scores = false;  // they are part of the report
  std::deque<CaseScoresRow> case_scores;
  std::vector<u32> ranking;  // all rows, best first; those without a rank last, in input order
  // Of a complete run whose results are numbers that are compared with others; else empty.
  BestCases best;
  std::optional<HeldOut> held_out;  // none: there are no such cases
  // The text of the first in the ranking, as it was compiled; of a variant what it stands for. Empty: none has a score.
  std::string best_source;
  bool complete = true;  // false: stopped, and the rows are those of the first candidates only

  // Where the rows are those of the best programs alone (RankingOptions::best_rows): what is known of all candidates.
  struct Summary {
    u64 candidates = 0;
    OutcomeCounts counts;
    std::vector<u64> copies;  // by row: how many duplicates it has
  };
  std::optional<Summary> summary;
  // Rows of all were wanted, and there was no memory for them (DetailOptions::rows_without_memory).
  bool has_dropped_rows = false;
  // Where rows are not ranked yet (RankingOptions::ranks_later): the best programs, as results of their own; their behaviours are
  // not compared.
  std::unique_ptr<Results> head;

  [[nodiscard]] u64 candidates() const { return summary ? summary->candidates : rows.size(); }
  // It stays until another one is added.
  [[nodiscard]] std::string_view id(u32 row) const { return ids[row]; }
  // Of a row or, for a duplicate, its representative; null: it was not edited, or its details are not kept.
  [[nodiscard]] const FixedSource* fixed_source(u32 row) const;
  // Of a row or, for a duplicate, its representative; empty: it has none, or they are not kept.
  [[nodiscard]] std::span<const f64> case_scores_of(u32 row) const;
  void add_id(std::string_view text) { ids.add(text); }
  TextList ids;
  // What a stopped run took, for who ends right after (DetailOptions::keeps_rest).
  std::shared_ptr<void> rest;
};

[[nodiscard]] OutcomeCounts count_outcomes(const Results& results);
// By row: how many duplicates it has.
[[nodiscard]] std::vector<u64> count_copies(const Results& results);

// Sets `ranking` and every row's rank. Scored rows come first: exact by cases passed, errors by their sum, values by their
// mean; then fuel,
// then code size, then input order. Then, with an error score, rows that trapped: by bad cases, first trap, input
// order. Rows that never ran have no rank.
// Marks the Pareto front, too.
void rank(Results& results);
// The same of rows of which the best are ranked alone.
void rank_all(Results& results);
// Which rows, once they are ranked, are on the front of better score, less fuel and smaller code: scored ones to which no
// other is at least as good in all three and better in one. Of rows that are equal in all three the first alone is on it.
void mark_pareto_front(Results& results);

}  // namespace komuz::engine
