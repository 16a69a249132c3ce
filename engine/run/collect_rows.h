// SPDX-License-Identifier: Apache-2.0
// The results of candidates, one after the other in input order, made to those of the run: either a row for each, or the best
// rows and the counts of all.
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

  // Candidates so far: the number of the next one.
  [[nodiscard]] u32 size() const { return size_; }
  // A row that add() is about to get.
  void expect(const ResultRow& row) const;
  // One whose program no earlier candidate has. Its details go to the results.
  AddedRow add(std::string_view id, CandidateResult& result);
  // One that has the program of candidate `first`.
  AddedRow add_duplicate(std::string_view id, u32 first);
  // What candidate `number` counts as in its block (block_budget.h).
  [[nodiscard]] u8 effort(u32 number) const;
  // Of how many of the best programs there are rows at the end; 0: of all candidates.
  [[nodiscard]] u32 most_ranked() const { return most_ranked_; }
  // Where a device has ranked all candidates: the rows of the best in input order, then what was counted.
  AddedRow add_ranked(std::string_view id, CandidateResult& result, const RankedProgram& ranked);
  void set_counts(const SweptVariants& swept);
  // The row that was added last has been looked at: what nobody asks for later goes.
  void end_row();
  // Goes on without rows, between two of them, where that is allowed.
  void drop_rows();
  // There was no memory for the row that was being added: it goes. Nothing is added any more.
  void drop_unfinished();
  // Ranks them. Nothing is added any more.
  void finish();

 private:
  void begin_row(std::string_view id);
  ResultRow& add_row(std::string_view id, CandidateResult& result);
  // No exception: the last thing that is done for a row.
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
  bool keeps_rows_;       // of all candidates, while they are added
  u32 ranked_later_ = 0;  // for the ranking of so many rows memory is kept

  // Where rows are kept for the results: from a behaviour to its first row. Else how many there are.
  std::optional<BehaviourTable> first_rows_;
  HashSet behaviours_;
  bool are_counted_ = false;  // by a device
  // Where they are not: of each candidate what its duplicates count as …
  struct Outcome {
    Status status;
    bool fixed;
    u8 effort;
  };
  BlockVector<Outcome> outcomes_;
  TextList ids_;  // … and its id, where there is a log to name it in
};

}  // namespace komuz::engine
