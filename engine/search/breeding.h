// SPDX-License-Identifier: Apache-2.0
// Makes the proposals of a generation, with all available threads. Each proposal has its own chance, which follows
// from the seed, the generation and the proposal's number, and depends on nothing that is learnt within the
// generation. Of two equal proposals the first counts. So a search gives the same results for any number of threads.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "engine/search/proposals.h"
#include "engine/search/search.h"
#include "engine/support/hash_slots.h"
#include "engine/support/worker_pool.h"

namespace komuz::engine {

class Breeding {
 public:
  // `threads`: 0 means one for each processor. When `stop` is requested, it makes nothing more. `weights` of ways; null:
  // all are alike.
  Breeding(const VariantPlan& plan, u64 seed, u32 threads, std::stop_token stop = {},
           const WayWeights* weights = nullptr, std::shared_ptr<NumberFits> fits = {},
           std::shared_ptr<const std::vector<Decisions>> starts = {});
  // With the seed, the threads, the stop, the weights and the starts of a search.
  Breeding(const VariantPlan& plan, const SearchOptions& options)
      : Breeding(plan, options.seed, options.threads, options.stop, options.weights.get(),
                 options.fits, options.starts) {}

  struct Turn {
    u32 worker;            // less than workers()
    Variation& variation;  // with the proposal's chance
    size_t number;         // of the proposal
    u32 attempt;
  };
  // Makes a proposal: in attempt 0 from nothing, later from its present state, which had been proposed before. False:
  // it stays as it is. Called by several threads at once, for different proposals.
  using Make = std::function<bool(const Turn& turn, Decisions& decisions)>;
  void propose(size_t count, std::vector<Decisions>& out, const Make& make);

  [[nodiscard]] u32 workers() const { return pool_.size(); }
  // For other work of these threads.
  [[nodiscard]] WorkerPool& pool() { return pool_; }

 private:
  // A proposal in the making.
  struct Proposal {
    Random random{0};
    u64 hash = 0;
    u64 structure = 0;  // where numbers are fitted
    u32 attempts = 0;
    bool gives_up = false;
    bool is_fitted = false;
  };
  void make_all(const std::vector<u32>& numbers, std::vector<Decisions>& out, const Make& make);
  // False: the proposal is to be made anew.
  [[nodiscard]] bool is_new(Proposal& proposal);
  void fit_all(std::vector<Decisions>& out);

  u64 seed_, generation_ = 0;
  std::stop_token stop_;
  WorkerPool pool_;
  std::vector<u32> way_weights_;
  const VariantPlan& plan_;
  std::shared_ptr<NumberFits> fits_;
  std::shared_ptr<const std::vector<Decisions>> starts_;
  // How often the numbers of a structure have been fitted.
  std::unordered_map<u64, u32> fitted_;
  std::deque<Variation> variations_;  // one a worker
  std::vector<Proposal> proposals_;
  HashSet
      seen_;  // what has been proposed, but for points of grids that are tuned: to look at it again says nothing new
};

}  // namespace komuz::engine
