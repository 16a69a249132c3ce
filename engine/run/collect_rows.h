// SPDX-License-Identifier: Apache-2.0
// Turns the results of candidates, taken one after the other in input order, into the results of the run: a row for
// each candidate, or the best rows and the counts of all.
#pragma once
#include <optional>
#include <string_view>

#include "engine/candidates/evaluate_options.h"
#include "engine/results/added_row.h"
#include "engine/results/best_rows.h"
#include "engine/results/candidate_result.h"
#include "engine/results/identity_table.h"
#include "engine/run/device_sweep.h"
#include "engine/support/hash_slots.h"

namespace komuz::engine {

class RowCollector {
 public:
  RowCollector(const EvaluateOptions& options, Results& results);

  // The number of candidates so far, which is the number of the next one.
  [[nodiscard]] u32 size() const { return size_; }
  // Announces a row that add() is about to get.
  void expect(const ResultRow& row) const;
  // Adds a candidate whose program no earlier candidate has. Its details go to the results.
  AddedRow add(std::string_view id, CandidateResult& result);
  // Adds a candidate with the program of candidate `first`.
  AddedRow add_duplicate(std::string_view id, u32 first);
  // What candidate `number` counts as in its block (block_budget.h).
  [[nodiscard]] u8 effort(u32 number) const;
  // The number of best programs that have rows at the end; 0: all candidates have rows.
  [[nodiscard]] u32 most_ranked() const { return most_ranked_; }
  // If a device has ranked all candidates: adds the best in input order, then what was counted.
  AddedRow add_ranked(std::string_view id, CandidateResult& result, const RankedProgram& ranked);
  void set_counts(const SweptVariants& swept);
  // The row added last has been handled: drops what nobody asks for later.
  void end_row();
  // Goes on without rows from here, if that is allowed.
  void drop_rows();
  // Memory did not suffice for the row that was being added: drops it. Nothing is added any more.
  void drop_unfinished();
  // Ranks the rows. Nothing is added any more.
  void finish();

 private:
  void begin_row(std::string_view id);
  ResultRow& add_row(std::string_view id, CandidateResult& result);
  // Throws nothing; the last step of adding a row.
  void count(const ResultRow& row);
  void keep_outcome(const ResultRow& row);
  void count_signature(OtherSignature& other);
  void forget_details();
  void make_room_for_behaviour();
  void note_behaviour(ResultRow& row);

  const EvaluateOptions& options_;
  Results& results_;
  u32 size_ = 0;
  std::optional<BestRows> best_;  // none: all rows are wanted
  u32 most_ranked_ = 0;
  bool has_lines_;        // the score fits them
  bool keeps_rows_;       // of all candidates, while they are added
  u32 ranked_later_ = 0;  // memory is reserved for the ranking of so many rows

  // If rows are kept for the results: maps a behaviour to its first row. Otherwise counts behaviours.
  std::optional<BehaviourTable> first_rows_;
  HashSet behaviours_;
  bool are_counted_ = false;  // by a device
  // If rows are not kept: what each candidate's duplicates count as.
  struct Outcome {
    Status status;
    bool fixed;
    u8 effort;
  };
  BlockVector<Outcome> outcomes_;
  TextList ids_;  // ids of the candidates, if a log needs them
};

}  // namespace komuz::engine
