// SPDX-License-Identifier: Apache-2.0
// Outcomes of one candidate to its result row: scores, and what is kept of the first failing case. A workspace for one
// thread; knows nothing of what the candidate ran on.
#pragma once
#include <optional>
#include <string_view>

#include "engine/candidate_result.h"
#include "engine/cuda/outcome_scorer.h"
#include "engine/evaluate.h"
#include "engine/score.h"
#include "lang/code.h"

namespace komuz::engine {

class CandidateScorer {
 public:
  explicit CandidateScorer(const EvaluateOptions& options) : options_(options) {}

  // The suite is the same one from candidate to candidate.
  void begin(const Suite& suite, const ScoreLimits& limits = {});
  // Cases [first_case, first_case + rows); slices come in order, and each but the last has a multiple of 64 cases. Where
  // the suite has slices, the last function of the code was run, that of slice_entry.h.
  void add(const CodeView& code, std::string_view source, u32 first_case, u32 rows,
           const OutcomesView& outcomes, CandidateResult& out);
  // Done, or set aside where the limits say so.
  void finish(CandidateResult& out);
  // All of that, of a program that a device has scored. Its code is looked at where the case that is shown traps.
  void take(const CodeView& code, std::string_view source, const Suite& suite,
            const OutcomeScorer::Scored& scored, CandidateResult& out) const;
  // What follows is scored by this line, on the first suite that comes; of a correlation.
  void use_line(const FittedLine& line) { line_ = line; }
  // Of what was finished last; of a correlation.
  [[nodiscard]] FittedLine fitted_line() const { return scorer_->fitted_line(); }
  // Fuel of the cases so far.
  [[nodiscard]] u64 ticks() const { return scorer_->ticks(); }
  [[nodiscard]] bool has_ended() const { return scorer_->has_ended(); }
  // As of Scorer.
  [[nodiscard]] bool settles() const { return scorer_->settles(); }
  [[nodiscard]] bool ends_at_failure() const { return scorer_->ends_at_failure(); }
  [[nodiscard]] bool is_settled(u32 rows, const OutcomesView& outcomes) {
    return scorer_->is_settled(rows, outcomes);
  }

 private:
  [[nodiscard]] const Library* library() const;

  const EvaluateOptions& options_;
  std::optional<Scorer> scorer_;
  std::optional<FittedLine> line_;
  bool has_slices_ = false;  // in the suite
};

}  // namespace komuz::engine
