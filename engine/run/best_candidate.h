// SPDX-License-Identifier: Apache-2.0
// The best candidate so far, kept so that it can be run once more when the ranking is known. A workspace for one
// thread.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/candidates/candidates.h"
#include "engine/run/candidate_runner.h"

namespace komuz::engine {

class BestCandidate {
 public:
  explicit BestCandidate(ScoreKind score) : score_(score) {}

  // Takes the row of a candidate that is no duplicate, its compiled text, for a variant any text, and its line, if the
  // score fits lines.
  void see(const ResultRow& row, const Candidate& candidate, std::string_view source,
           const ScoreLine& line);
  // The candidate's source; for a variant the sketch's.
  [[nodiscard]] std::string_view source() const { return source_; }
  // Sets `best_source` and `best_line` of the results.
  void write_source(const SketchProgram* sketch, Results& results) const;
  // Sets `best` of the ranked results, if there is something to show.
  void list_cases(CandidateRunner& runner, Results& results) const;

 private:
  [[nodiscard]] Candidate candidate() const { return {id_, source_, {}, decisions_, number_}; }

  ScoreKind score_;
  std::optional<RankKey> key_;  // none: no candidate has a score
  std::string id_, source_;
  std::string compiled_;  // the edited source, or the source itself
  ScoreLine line_;
  std::vector<u32> decisions_;
  u64 number_ = Candidate::kNoNumber;
};

}  // namespace komuz::engine
