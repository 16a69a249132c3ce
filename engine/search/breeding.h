// SPDX-License-Identifier: Apache-2.0
// Makes the proposals of a generation, by as many threads as there are. Each comes of chance of its own, which follows from the
// seed, the generation and its number, and of what was known before the generation; and of two that are the same the first one
// is. So a search gives the same for any number of threads.
#pragma once
#include <functional>
#include <vector>

#include "engine/hash_slots.h"
#include "engine/search/variation.h"
#include "engine/worker_pool.h"

namespace komuz::engine {

class Breeding {
 public:
  // `threads`: 0: one for each processor.
  Breeding(const VariantPlan& plan, u64 seed, u32 threads);

  struct Turn {
    u32 worker;            // less than workers()
    Variation& variation;  // with the proposal's chance
    size_t number;         // of the proposal
    u32 attempt;
  };
  // Makes a proposal: in attempt 0 from nothing, later from what it was, which had been proposed before; false: it stays what it
  // is. Called by several threads at once, for different proposals.
  using Make = std::function<bool(const Turn& turn, Decisions& decisions)>;
  void propose(size_t count, std::vector<Decisions>& out, const Make& make);

  [[nodiscard]] u32 workers() const { return pool_.size(); }

 private:
  // A proposal that is being made.
  struct Proposal {
    Random random{0};
    u64 hash = 0;
    u32 attempts = 0;
    bool gives_up = false;
  };
  void make_all(const std::vector<u32>& numbers, std::vector<Decisions>& out, const Make& make);

  u64 seed_, generation_ = 0;
  WorkerPool pool_;
  std::vector<Variation> variations_;  // one a worker
  std::vector<Proposal> proposals_;
  HashSet
      seen_;  // what has been proposed, but for points of grids that are tuned: to look at it again says nothing new
};

// How a proposal goes on that had been proposed before: a child of parents is changed for a while, then drawn anew, and then what is
// drawn is changed. Small variants are drawn often, and are soon known: larger ones are made of them.
class Retries {
 public:
  // `make` gives a child; without one it is drawn at once.
  template <class Child>
  [[nodiscard]] bool make(const Breeding::Turn& turn, bool is_child, Decisions& decisions,
                          Child child) {
    if (turn.attempt == 0 && is_child) {
      child();
      return true;
    }
    const bool is_drawn = drawn_at_ != kNever;
    if (!is_drawn && (turn.attempt == 0 || turn.attempt > kTries)) drawn_at_ = turn.attempt;
    const u32 since = turn.attempt - drawn_at_;
    if (drawn_at_ != kNever && since > 2 * kTries) return false;
    if (drawn_at_ != kNever && since <= kTries)
      turn.variation.draw(decisions);
    else
      turn.variation.mutate(decisions);
    return true;
  }
  // Has it been drawn for want of a new child?
  [[nodiscard]] bool is_drawn_instead() const { return drawn_at_ != kNever && drawn_at_ != 0; }

  static constexpr u32 kTries = 10;

 private:
  static constexpr u32 kNever = ~0u;
  u32 drawn_at_ = kNever;
};

// A child of two parents, or of one. `pick` gives the decisions of a parent.
template <class Pick>
void breed(Variation& variation, Decisions& child, Pick pick) {
  child = pick();
  if (!variation.random.one_in(3)) variation.cross(child, pick());
  for (u32 k = variation.random.below(3); k > 0; --k) variation.mutate(child);
}
// Now and then a variant is drawn, though there are parents.
[[nodiscard]] inline bool draws_immigrant(Random& random) { return random.one_in(20); }

}  // namespace komuz::engine
