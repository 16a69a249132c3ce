// SPDX-License-Identifier: Apache-2.0
// What an evaluation has to do with its log, epoch by epoch. Without a log nothing of it does anything.
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
  // Of so many of the best variants the log has the texts.
  static constexpr size_t kBestVariants = 10;

  explicit RunLog(const EvaluateOptions& options);

  void begin_epoch();
  // Every candidate in input order, after its modules have been loaded; those of other shards, too. The modules stay
  // until the next epoch.
  void see(const Candidate& candidate, bool is_own);
  // The signature of the results is known from this row on, and what scores measure by.
  void set_signature(const Results& results, u32 row);

  // Takes the rows that the log has of the epoch's first candidates, which must be what they were.
  Problem take_rows(std::span<const Candidate> candidates);
  // The error of a candidate that is not what the log has.
  Problem other_candidate(const Candidate& candidate) const;
  // How many these are, and each.
  [[nodiscard]] size_t taken() const { return taken_.size(); }
  [[nodiscard]] const LoggedRow& row(size_t i) const { return taken_[i].row; }
  // Adds to the result of candidate `i`, which was taken, what is not in its row. `suite`: null, it is not known. Where
  // a stop came it may be that there is less; then the error is stopped().
  Problem restore_details(size_t i, bool is_duplicate, const Suite* suite, OwnSignatures& own,
                          const std::stop_token& stop, CandidateResult& out);

  // What candidate `i` of the epoch was added to the results as.
  Problem add_row(size_t i, const Results& results, const AddedRow& added,
                  const frontend::TextHash& program, const Candidate& candidate);
  Problem end_epoch();
  // The results are ranked.
  Problem end_run(const Results& results);

 private:
  Problem check(const Candidate& candidate, const ResultLog::Taken& taken) const;
  // False: no candidate had that signature, or a stop came.
  [[nodiscard]] bool restore_arguments(OwnSignatures& own, const std::stop_token& stop,
                                       CandidateResult& out);
  // Texts of the best variants, by id.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> best_variants(
      const Results& results) const;
  void note_modules();
  void note_module(u32 module);
  // What is to stand before candidate `i` of the epoch, which is that row.
  Problem add_before(size_t i, u32 row);

  ResultLog* log_;
  const ModuleLoader* modules_;
  u32 own_modules_ = 0;  // that are there before there are candidates
  bool has_own_modules_ = false;
  const SketchProgram* sketch_;  // null: candidates are texts of their own
  bool
      takes_rows_;  // else they are evaluated again, as a sink asks for what the log does not hold, and compared
  Hash128 input_;  // of all candidates so far
  // Paths of modules that the log has, or will have when the epoch is written.
  std::unordered_set<Hash128, Hashed> known_modules_;
  std::optional<LoggedSignature> signature_;  // not yet in the log
  u32 signature_row_ = 0;
  // Of the epoch.
  std::vector<ResultLog::Taken> taken_;
  u32 seen_ = 0;  // candidates
  struct NewModule {
    u32 candidate, module;
  };
  std::vector<NewModule> new_modules_;  // of whom names them first
  size_t modules_in_log_ = 0;           // of these
  ArgumentKeeper keeper_;
};

}  // namespace komuz::engine
