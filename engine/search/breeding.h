// SPDX-License-Identifier: Apache-2.0
// Makes the proposals of a generation, by as many threads as there are. Each comes of chance of its own, which follows from the
// seed, the generation and its number, and of what was known before the generation; and of two that are the same the first one
// is. So a search gives the same for any number of threads.
#pragma once
#include <deque>
#include <functional>
#include <stop_token>
#include <vector>

#include "engine/search/proposals.h"
#include "engine/support/hash_slots.h"
#include "engine/support/worker_pool.h"

namespace komuz::engine {

class Breeding {
 public:
  // `threads`: 0: one for each processor. When `stop` is requested, it makes nothing more.
  Breeding(const VariantPlan& plan, u64 seed, u32 threads, std::stop_token stop = {});

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
  // For what else these threads do.
  [[nodiscard]] WorkerPool& pool() { return pool_; }

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
  std::stop_token stop_;
  WorkerPool pool_;
  std::deque<Variation> variations_;  // one a worker
  std::vector<Proposal> proposals_;
  HashSet
      seen_;  // what has been proposed, but for points of grids that are tuned: to look at it again says nothing new
};

}  // namespace komuz::engine
