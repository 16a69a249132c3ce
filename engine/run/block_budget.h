// SPDX-License-Identifier: Apache-2.0
// How much an endless candidate may cost. A case has a budget of its own (LimitOptions::fuel), after which it traps FUEL; a
// candidate that comes to no end on hundreds of cases takes hundreds of these, and a hundredth of such candidates takes longer
// than all others together. So a candidate has a budget, too, for its cases together:
//
//   A case that takes more than a ninth of `fuel` is slow, and so is its candidate. Cases that come to no end, those that trap
//   FUEL, may take so many ticks together as the candidate's budget says; who would take more ends as `unscored`. A case that
//   comes to its end costs nothing of it, however long it was.
//
//   The budget is shared out in blocks of 1,024 candidates in input order, those that Shard deals, or of a generation of a
//   search. The slow candidates of a block share
//     where they are an eighth of the block at most: `fuel` ticks; each gets a ninth of `fuel` at least;
//     where there are more: 16 times `fuel`; each gets `fuel` at least. That is what candidates are like then.
//   Where an eighth of what all others of the block together have taken is more than that, they share as much: a tick of one case
//   alone takes about as long as eight ticks of cases that run together.
//
// Why so: nobody can tell a long loop from an endless one but by waiting, so how long is waited has to be weighed against what all
// others cost. A ninth of the default is 111,111 ticks: who takes 10⁵ ticks a case is never slow, and runs to its end. Ten endless
// candidates of a block cost ten times a ninth of what one case may take; one alone costs what one case may.
//
// Why nothing else shows in it: who is slow, and what others have taken, follows from each program and the cases alone. What is
// counted of a duplicate is what its program came to, whether it was run here, in an earlier block, or in another shard. So the
// budget is the same for whole runs and shards, for runs that go on with a log, and for every machine. What others have taken is
// counted by its bits, of which a byte a candidate is kept.
//
// How it is run is of no account for the results (case_runner.h, set_aside.h): who takes much is set aside and goes on when the
// block's others are done.
#pragma once
#include <algorithm>
#include <bit>
#include <optional>

#include "engine/scores/result_row.h"

namespace komuz::engine {

// Ticks above which a case is slow, of a candidate whose cases together have `budget`, where that is stated.
[[nodiscard]] inline u64 slow_ticks(u64 fuel, std::optional<u64> budget) {
  constexpr u64 kPart = 9;
  return std::min(fuel, std::max<u64>(1, std::min(fuel / kPart, budget.value_or(fuel))));
}

// What a candidate counts as: the bits of its ticks, or that it is slow.
inline constexpr u8 kSlowEffort = 0xFF;
[[nodiscard]] inline u8 effort_of(const ResultRow& row) {
  if (row.slow) return kSlowEffort;
  return was_run(row) ? static_cast<u8>(std::bit_width(row.fuel)) : u8{0};
}

class BlockBudget {
 public:
  static constexpr u64 kBlock = 1024;  // candidates

  explicit BlockBudget(u64 fuel) : fuel_(fuel) {}

  // Each candidate of the block.
  void add(u8 effort);
  // Of each slow candidate.
  [[nodiscard]] u64 budget() const;
  // What budget() is at least where some of those that were added as slow are not.
  [[nodiscard]] u64 least_budget() const;

 private:
  [[nodiscard]] u64 share(u64 least_shared, u64 least_each) const;

  u64 fuel_;
  u64 candidates_ = 0, slow_ = 0;
  u64 others_ = 0;  // ticks of those that are not slow, each rounded up to a power of two
};

// Of a candidate that is the only one.
[[nodiscard]] u64 budget_alone(u64 fuel);

}  // namespace komuz::engine
