// SPDX-License-Identifier: Apache-2.0
// Searches for variants of a sketch where a device makes, runs and scores them. The device breeds proposals from the
// results there; only counts come to the host. There are two searches: one for a GPU, and one that takes the same
// steps (search_task.h) on the host, for programs that run under the lockstep emulator.
//
//   search->begin(options);
//   search->propose(trials, proposed);   // for each generation: its rows, trials first. Only Done gives proposals;
//                                        // NoRoom: begin anew with more decisions a variant; Refused: use the host.
//   search->proposals()                  // the proposals in device memory, to be made and run a stretch at a time,
//   search->look(begin, count, sweep, case_scores);   // … and the results of a stretch, which the sweep has taken;
//   search->learn(moved_to);             // then chooses whom to breed from next
//
// The host tunes the points of grids (tuned_constants.h). It gets the results of the trials, and the best of the
// other rows.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/device_work.h"
#include "engine/device/search_task.h"
#include "engine/device/variant_sweep.h"
#include "engine/search/search.h"

namespace komuz::engine {

class VariantSearch : public DeviceWork {
 public:
  struct Options {
    VariantTables variants;  // in the device's memory
    DeviceMethod method = DeviceMethod::Evolve;
    u64 seed = 0;
    u32 population = 0;  // rows of a generation
    u32 room = 0;        // decisions of a variant
    // Not 0: the number of different variants; the search then reports when all have been proposed.
    u64 all = 0;
    ScoreKind score = ScoreKind::Exact;
    u32 cases = 0;              // learnt from; 0: only scores count
    bool tells_losses = false;  // on cases, for the tuning of constants
  };
  // Memory of each thread. Threads that make proposals have at most kMostScratch.
  [[nodiscard]] static size_t scratch_bytes(const Options& options);
  static constexpr size_t kMostScratch = size_t{1} << 20;
  static constexpr u32 kMostPopulation = 1'048'576;
  // The number of losses on cases that are kept, and the limit: 4 GiB.
  [[nodiscard]] static u64 losses(const Options& options);
  static constexpr u64 kMostLosses = u64{1} << 29;

  // Nothing is known yet.
  Problem begin(const Options& options);

  enum class Proposed : u8 {
    Done,
    NoRoom,   // some variant has more decisions than there is room for
    Refused,  // the host has to comment on some variant
  };
  Problem propose(std::span<const Decisions> trials, Proposed& out);
  [[nodiscard]] const DecisionRows& proposals() const { return task_.proposals; }

  // `case_scores`: of the new programs of the stretch, where cases are learnt from (outcome_scorer.h).
  Problem look(u32 begin, u32 count, const VariantSweep& sweep, const f64* case_scores);
  // True if the generation proposed all variants that were left.
  [[nodiscard]] bool has_proposed_all() const {
    return options_.all != 0 && counts_.all == options_.all;
  }

  // `moved_to`: of the trials, those that got better.
  Problem learn(std::span<const size_t> moved_to);

  // Of the generation that was looked at last.
  Problem fetch_trials(std::vector<Found>& out);
  // The proposals from the `first` best one on, at most so many.
  struct Best {
    std::vector<Decisions> decisions;
    std::vector<Found> found;
  };
  static constexpr u32 kMostGathered = 64;
  Problem fetch_best(u32 first, u32 count, Best& out);

 protected:
  enum class Part : u8 {
    Proposals,
    Sizes,
    Found,
    States,
    First,
    OtherFirst,  // the two take turns: one grows into the other
    All,
    Individuals,
    NextIndividuals,
    Pool,
    IndividualDecisions,
    IndividualSizes,
    NextDecisions,
    NextSizes,
    Extra,
    Climbers,
    ClimberDecisions,
    ClimberSizes,
    Sorted,
    NextSorted,
    Gathered,
    GatheredSizes,
    GatheredFound,
    GatheredLosses,
    GatheredHasLosses,
    Losses,
    HasLosses,
    PoolLosses,
    IndividualLosses,
    Gauges,
    Ranked,
    RankedCounts,
    Asked,
    Owners,
    Staleness,
    Counts,
    Scratch,
  };
  virtual Problem run(SearchStep step, const SearchTask& task, u64 elements) = 0;

 private:
  // All layers together have as many places as there are proposals, and each has at least one; the new individuals of a
  // generation come on top.
  [[nodiscard]] static u64 most_individuals(u64 population) {
    return population + AgeLayers::kLayers;
  }
  [[nodiscard]] static u64 most_pooled(u64 population) {
    return most_individuals(population) + 2 * population;
  }
  Problem reserve_generation();
  Problem reserve_individuals();
  Problem reserve_climbers();
  Problem reserve_cases();
  Problem reserve_selection();
  Problem reserve_decisions(Part words, Part sizes, u64 rows, DecisionRows& out);
  Problem send_trials(std::span<const Decisions> trials, Proposed& out);
  Problem make_first(u64 slots);
  Problem grow_first();
  Problem sort(SearchOrder order, u32 count);
  Problem sort_pool(SearchOrder order, SearchStep then);
  Problem select_by_layers();
  Problem select_by_cases();
  Problem survive();
  Problem take_individuals();
  Problem fetch_losses(const f64* losses, const u8* has_losses, std::span<Found> out);
  Problem run_each(std::span<const SearchStep> steps, u64 elements);
  Problem fetch_counts();

  Options options_;
  SearchTask task_{};
  SearchCounts counts_{};
  bool is_other_first_ = false;
  u32 most_proposals_ = 0;  // of a generation so far
};

// `memory`: limit in bytes.
[[nodiscard]] std::unique_ptr<VariantSearch> host_variant_search(size_t memory = SIZE_MAX);

Result<std::unique_ptr<VariantSearch>> open_cuda_variant_search(int gpu);
// A search for programs that this device runs. `memory`: as above, if they run on the host.
Result<std::unique_ptr<VariantSearch>> open_variant_search(const vm::WarpDevice& device,
                                                           size_t memory = SIZE_MAX);

}  // namespace komuz::engine
