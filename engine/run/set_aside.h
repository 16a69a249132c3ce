// SPDX-License-Identifier: Apache-2.0
// Candidates that take long: they are set aside until the others of their block are done, as it depends on these how far each may go
// (block_budget.h). An epoch that has some and ends within a block takes the block's other candidates, too.
#pragma once
#include <vector>

#include "engine/run/block_budget.h"
#include "engine/run/collect_rows.h"
#include "engine/run/epoch.h"
#include "engine/run/workers.h"

namespace komuz::engine {

class SetAside {
 public:
  // All of them outlive it.
  SetAside(const EvaluateOptions& options, Epoch& epoch, Workers& workers,
           const RowCollector& collector)
      : options_(options), epoch_(epoch), workers_(workers), collector_(collector) {}

  // Blocks begin with the generation that begins with this row, as it is to be known when the generation ends.
  void begin_generation(u32 first_row) {
    is_search_ = true;
    first_block_ = first_row;
  }
  // Behind the last candidate of the block of candidate `i` of the epoch, as such a number.
  [[nodiscard]] u32 block_end(u32 i) const;
  // Is somebody of a block set aside of which not all candidates have been read?
  [[nodiscard]] bool waits_for_more() const;
  // Goes on with all of the epoch, block by block.
  void run(const Suite& suite, const ScoreLimits& limits);
  // A stop came. Who is set aside is not finished, and keeps nobody behind it from being a row.
  void leave_stopped();

 private:
  void run_block(u32 end);
  void run_left(const CaseBudget& budget);
  // Of the block that ends there, whose first candidates may be rows of earlier epochs.
  [[nodiscard]] BlockBudget block_budget(u32 end) const;
  [[nodiscard]] u8 effort(u32 row) const;

  const EvaluateOptions& options_;
  Epoch& epoch_;
  Workers& workers_;
  const RowCollector& collector_;
  bool is_search_ = false;
  u32 first_block_ = 0;  // the first row of a block
  // Of the run at hand.
  const Suite* suite_ = nullptr;
  ScoreLimits limits_;
  std::vector<u32> left_;  // candidates of a block that are set aside
};

}  // namespace komuz::engine
