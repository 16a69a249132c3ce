// SPDX-License-Identifier: Apache-2.0
// What an evaluation has to do with its log, epoch by epoch. Without a log nothing of it does anything.
#pragma once
#include <optional>
#include <vector>

#include "engine/candidate_result.h"
#include "engine/candidates.h"
#include "engine/evaluate.h"
#include "engine/log/result_log.h"

namespace komuz::engine {

struct AddedRow;

class RunLog {
 public:
  // Of so many of the best variants the log has the texts.
  static constexpr size_t kBestVariants = 10;

  explicit RunLog(const EvaluateOptions& options);

  void begin_epoch();
  // Every candidate in input order, after its modules have been loaded; those of other shards, too.
  void see(const Candidate& candidate, bool is_own);
  // The signature of the results is known from this row on, and what scores measure by.
  void set_signature(const Results& results, u32 row);

  // Takes the rows that the log has of the epoch's first candidates, which must be what they were.
  [[nodiscard]] MaybeError take_rows(std::span<const Candidate> candidates);
  // The error of a candidate that is not what the log has.
  [[nodiscard]] InputError other_candidate(const Candidate& candidate) const;
  // How many these are, and each.
  [[nodiscard]] size_t taken() const { return taken_.size(); }
  [[nodiscard]] const LoggedRow& row(size_t i) const { return taken_[i].row; }
  // Adds to the result of candidate `i`, which was taken, what is not in its row. `suite`: null, it is not known.
  [[nodiscard]] MaybeError restore_details(size_t i, bool is_duplicate, const Suite* suite,
                                           CandidateResult& out) const;

  // What candidate `i` of the epoch was added to the results as.
  [[nodiscard]] MaybeError add_row(size_t i, const Results& results, const AddedRow& added,
                                   const frontend::TextHash& program, const Candidate& candidate);
  [[nodiscard]] MaybeError end_epoch();
  // The results are ranked.
  [[nodiscard]] MaybeError end_run(const Results& results);

 private:
  [[nodiscard]] MaybeError check(const Candidate& candidate, const ResultLog::Taken& taken) const;
  // Texts of the best variants, by id.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> best_variants(
      const Results& results) const;
  // What is to stand before a row.
  [[nodiscard]] MaybeError add_before(u32 row, u32 modules);

  ResultLog* log_;
  const ModuleLoader* modules_;
  const SketchProgram* sketch_;  // null: candidates are texts of their own
  bool
      takes_rows_;  // else they are evaluated again, as a sink asks for what the log does not hold, and compared
  Hash128 input_;                             // of all candidates so far
  u32 modules_in_log_ = 0;                    // of the library's
  std::optional<LoggedSignature> signature_;  // not yet in the log
  u32 signature_row_ = 0;
  // Of the epoch.
  std::vector<ResultLog::Taken> taken_;
  std::vector<u32> modules_known_;  // by candidate: how many once it has named its own
};

}  // namespace komuz::engine
