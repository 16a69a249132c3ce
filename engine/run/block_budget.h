// SPDX-License-Identifier: Apache-2.0
// Limits the cost of endless candidates. A case has a budget of its own (EvaluateOptions::fuel), after which it traps
// FUEL. A candidate that is endless on hundreds of cases takes hundreds of these budgets, and a hundredth of such
// candidates takes longer than all others together. So a candidate also has a budget for all its cases:
//
//   A case that takes more than a ninth of `fuel` is slow, and so is its candidate. Cases that trap FUEL may together
//   take as many ticks as the candidate's budget allows; a candidate that would take more ends as `unscored`. A case
//   that comes to its end costs nothing of the budget, however long it was.
//
//   The budget is shared out in blocks of 1,024 candidates in input order (the blocks that Shard deals, or those of a
//   generation of a search). The slow candidates of a block share
//     if they are an eighth of the block at most: `fuel` ticks; each gets a ninth of `fuel` at least;
//     if there are more: 16 times `fuel`; each gets `fuel` at least. Such candidates are then the normal case.
//   If an eighth of the ticks of all other candidates of the block is more than that, the slow ones share that eighth:
//   a tick of one case alone takes about as long as eight ticks of cases that run together.
//
// Why: a long loop can be told from an endless one only by waiting, so the time of waiting has to be weighed against
// the cost of all others. A ninth of the default is 111,111 ticks: a candidate that takes 10⁵ ticks a case is never
// slow, and runs to its end. Ten endless candidates of a block cost ten times a ninth of what one case may take; one
// alone costs what one case may take.
//
// Why nothing else shows in the budget: which candidates are slow, and how much the others took, follows from each
// program and the cases alone. A duplicate counts as what its program took, whether the program was run here, in an
// earlier block, or in another shard. So the budget is the same for whole runs and shards, for runs that go on with a
// log, and on every machine. The ticks of others count by their number of bits, which takes a byte for each
// candidate.
//
// The way in which the budget is spent does not affect results (case_runner.h, Evaluation): a candidate that takes
// much is set aside, and goes on after the others of its block.
#pragma once
#include <algorithm>
#include <bit>
#include <optional>

#include "engine/scores/result_row.h"

namespace komuz::engine {

// The ticks above which a case is slow. `budget`: the stated budget for all cases of a candidate, if there is one.
[[nodiscard]] inline u64 slow_ticks(u64 fuel, std::optional<u64> budget) {
  constexpr u64 kPart = 9;
  return std::min(fuel, std::max<u64>(1, std::min(fuel / kPart, budget.value_or(fuel))));
}

// What a candidate counts as: the number of bits of its ticks, or slow.
inline constexpr u8 kSlowEffort = 0xFF;
[[nodiscard]] inline u8 effort_of(const ResultRow& row) {
  if (row.slow) return kSlowEffort;
  return was_run(row) ? static_cast<u8>(std::bit_width(row.fuel)) : u8{0};
}

class BlockBudget {
 public:
  static constexpr u64 kBlock = 1024;  // candidates

  explicit BlockBudget(u64 fuel) : fuel_(fuel) {}

  // Adds each candidate of the block.
  void add(u8 effort);
  // The budget of each slow candidate.
  [[nodiscard]] u64 budget() const;
  // A lower bound of budget(), if some of those that were added as slow are not.
  [[nodiscard]] u64 least_budget() const;

 private:
  [[nodiscard]] u64 share(u64 least_shared, u64 least_each) const;

  u64 fuel_;
  u64 candidates_ = 0, slow_ = 0;
  u64 others_ = 0;  // ticks of candidates that are not slow, each rounded up to a power of two
};

// The budget of a candidate that is the only one.
[[nodiscard]] u64 budget_alone(u64 fuel);

}  // namespace komuz::engine
