// SPDX-License-Identifier: Apache-2.0
// Connects an evaluation with its log, epoch by epoch. Without a log these functions do nothing.
#pragma once
#include <optional>
#include <unordered_set>
#include <vector>

#include "engine/candidates/candidates.h"
#include "engine/candidates/evaluate_options.h"
#include "engine/candidates/own_signatures.h"
#include "engine/log/result_log.h"
#include "engine/results/candidate_result.h"
#include "engine/support/hash_slots.h"

namespace komuz::engine {

struct AddedRow;

class RunLog {
 public:
  explicit RunLog(const EvaluateOptions& options);

  void begin_epoch();
  // Called for every candidate in input order, also those of other shards, after its modules have been loaded. The
  // modules stay until the next epoch.
  void see(const Candidate& candidate, bool is_own);
  // From this row on the signature of the results and the scale of the scores are known.
  void set_signature(const Results& results, u32 row);

  // Takes the log's rows for the first candidates of the epoch, which must be the same candidates.
  Problem take_rows(std::span<const Candidate> candidates);
  // The error of a candidate that differs from the log's.
  Problem other_candidate(const Candidate& candidate) const;
  // How many rows were taken, and each of them.
  [[nodiscard]] size_t taken() const { return taken_.size(); }
  [[nodiscard]] const LoggedRow& row(size_t i) const { return taken_[i].row; }
  // Adds what is not in the row to the result of candidate `i`, which was taken. `suite`: null if it is not known.
  // After a stop parts may be missing; the error is then stopped().
  Problem restore_details(size_t i, bool is_duplicate, const Suite* suite, OwnSignatures& own,
                          const std::stop_token& stop, CandidateResult& out);

  // Candidate `i` of the epoch was added to the results as this row.
  Problem add_row(size_t i, const Results& results, const AddedRow& added,
                  const frontend::TextHash& program, const Candidate& candidate);
  Problem end_epoch();
  // Called after the results are ranked.
  Problem end_run(const Results& results);

 private:
  Problem check(const Candidate& candidate, const ResultLog::Taken& taken) const;
  // False: no candidate had that signature, or a stop came.
  [[nodiscard]] bool restore_arguments(OwnSignatures& own, const std::stop_token& stop,
                                       CandidateResult& out);
  // Texts of so many of the best variants as are wanted, by id.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> best_variants(
      const Results& results) const;
  void note_modules();
  void note_module(u32 module);
  // Adds the lines that precede candidate `i` of the epoch, which is that row.
  Problem add_before(size_t i, u32 row);

  ResultLog* log_;
  const ModuleLoader* modules_;
  u32 own_modules_ = 0;  // loaded before there are candidates
  bool has_own_modules_ = false;
  const SketchProgram* sketch_;  // null: candidates are texts of their own
  u64 programs_;                 // so many of the best have their texts at the end
  bool
      takes_rows_;  // false: a sink needs what the log lacks, so candidates are evaluated again, and compared
  Hash128 input_;  // of all candidates so far
  // Paths of modules that the log has, or will have once the epoch is written.
  std::unordered_set<Hash128, Hashed> known_modules_;
  std::optional<LoggedSignature> signature_;  // not yet in the log
  u32 signature_row_ = 0;
  // State of the epoch:
  std::vector<ResultLog::Taken> taken_;
  u32 seen_ = 0;  // candidates
  struct NewModule {
    u32 candidate, module;
  };
  std::vector<NewModule> new_modules_;  // with the candidate that first names it
  size_t modules_in_log_ = 0;           // of new_modules_
  ArgumentKeeper keeper_;
};

}  // namespace komuz::engine
