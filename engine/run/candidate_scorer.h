// SPDX-License-Identifier: Apache-2.0
// Turns the outcomes of one candidate into its result row: scores, and details of the first failing case. A workspace
// for one thread. Does not know what the candidate ran on.
#pragma once
#include <functional>
#include <optional>
#include <string_view>

#include "engine/candidates/evaluate_options.h"
#include "engine/device/outcome_scorer.h"
#include "engine/results/candidate_result.h"
#include "engine/results/score.h"
#include "lang/code.h"

namespace komuz::engine {

class CandidateScorer {
 public:
  explicit CandidateScorer(const EvaluateOptions& options) : options_(options) {}

  // The suite is the same for all candidates. `taken`: the candidate's arguments, which may differ from the suite's.
  void begin(const Suite& suite, const CaseArguments& taken, const ScoreLimits& limits);
  void begin(const Suite& suite, const ScoreLimits& limits = {}) { begin(suite, suite, limits); }
  // Writes the place and the depth of a row's trap into the outcomes.
  using FindPlace = std::function<void(u32 row)>;
  // Adds cases [first_case, first_case + rows). Slices come in order, and each but the last has a multiple of 64
  // cases. If the suite has slices, the last function of the code was run, which is that of slice_entry.h. `find_place`: the
  // outcomes have no places and depths of `code`, and it is asked for those that are shown; empty: they have.
  void add(const CodeView& code, std::string_view source, u32 first_case, u32 rows,
           const OutcomesView& outcomes, CandidateResult& out, const FindPlace& find_place = {});
  // Afterwards the result is done, or set aside if the limits say so.
  void finish(CandidateResult& out);
  // Does all of that for a program that a device has scored. Its code is needed only if the case that is shown traps.
  void take(const CodeView& code, std::string_view source, const Suite& suite,
            const OutcomeScorer::Scored& scored, CandidateResult& out);
  // Scores what follows by this line; for a correlation.
  void use_line(const FittedLine& line) {
    line_ = line;
    if (scorer_) scorer_->use_line(line);
  }
  // The line of the candidate finished last; for a correlation.
  [[nodiscard]] FittedLine fitted_line() const { return scorer_->fitted_line(); }
  // Fuel of the cases so far.
  [[nodiscard]] u64 ticks() const { return scorer_->ticks(); }
  [[nodiscard]] bool has_ended() const { return scorer_->has_ended(); }
  // As in Scorer.
  [[nodiscard]] bool settles() const { return scorer_->settles(); }
  [[nodiscard]] bool ends_at_failure() const { return scorer_->ends_at_failure(); }
  [[nodiscard]] bool is_settled(u32 rows, const OutcomesView& outcomes) {
    return scorer_->is_settled(rows, outcomes);
  }

  // Puts what a case gave into the result's failure, right or wrong. `row`: of the outcomes.
  void show_case(const CodeView& code, std::string_view source, u32 row, u32 case_index,
                 const OutcomesView& outcomes, CandidateResult& out) {
    if (has_slices_) hide_added_entry(code, outcomes);
    keep_failure(code, source, *suite_, row, case_index, outcomes, out);
  }

 private:
  static void hide_added_entry(const CodeView& code, const OutcomesView& outcomes);
  void keep_failure(const CodeView& code, std::string_view source, const Suite& suite, u32 row,
                    u32 case_index, const OutcomesView& outcomes, CandidateResult& out);
  // The module of a place in the source's code; null if the place is in its own text.
  [[nodiscard]] const Module* module_at(u32 place, std::string_view source);

  const EvaluateOptions& options_;
  const Suite* suite_ = nullptr;
  std::optional<Scorer> scorer_;
  std::optional<FittedLine> line_;
  bool has_slices_ = false;                     // in the suite
  std::vector<u64> cells_;                      // of a result
  std::optional<frontend::Compiler> compiler_;  // once there is a trap in a module
};

}  // namespace komuz::engine
