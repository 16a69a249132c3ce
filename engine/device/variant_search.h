// SPDX-License-Identifier: Apache-2.0
// Searches for variants of a sketch where a device makes, runs and scores them: proposals are bred there from what was learnt there,
// and nothing of them comes to the host but counts. There are two: for a GPU, and one that takes the same steps (search_task.h) on
// the host, for what runs under the lockstep emulator.
//
//   search->begin(options);
//   search->propose(trials, proposed);   // for each generation: its rows, trials first. Only where it is Done there are any;
//                                        // NoRoom: begin anew with more decisions of a variant; Refused: let the host search.
//   search->proposals()                  // what they are, where they lie, for who makes and runs them a stretch at a time,
//   search->look(begin, count, sweep, case_scores);   // … and what came of a stretch, which the sweep has taken;
//   search->learn(moved_to);             // then whom to breed from next
//
// Points of grids are tuned by the host (tuned_constants.h), which is given the found of trials, and the best of the others, for it.
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
    // Not 0: so many different variants there are, and it is to be known when all have been proposed.
    u64 all = 0;
    ScoreKind score = ScoreKind::Exact;
    u32 cases = 0;              // that are learnt from; 0: scores say all
    bool tells_losses = false;  // on cases, to who tunes constants
  };
  // What each thread needs; who makes proposals has memory for no more than kMostScratch.
  [[nodiscard]] static size_t scratch_bytes(const Options& options);
  static constexpr size_t kMostScratch = size_t{1} << 20;
  static constexpr u32 kMostPopulation = 1'048'576;
  // How much is kept of what was lost on cases, and what there is memory for: 4 GiB.
  [[nodiscard]] static u64 losses(const Options& options);
  static constexpr u64 kMostLosses = u64{1} << 29;

  // Nothing is known yet.
  Problem begin(const Options& options);

  enum class Proposed : u8 {
    Done,
    NoRoom,   // some variant has more decisions than there is room for
    Refused,  // the host has to say something of one
  };
  Problem propose(std::span<const Decisions> trials, Proposed& out);
  [[nodiscard]] const DecisionRows& proposals() const { return task_.proposals; }

  // `case_scores`: of the new programs of the stretch, where cases are learnt from (outcome_scorer.h).
  Problem look(u32 begin, u32 count, const VariantSweep& sweep, const f64* case_scores);
  // Has the generation proposed what was left of all variants?
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
    OtherFirst,  // each in turn: one grows into the other
    All,
    People,
    NextPeople,
    Pool,
    PeopleDecisions,
    PeopleSizes,
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
    PeopleLosses,
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
  // Layers have as many places together as there are proposals, but one at least; and what a generation brings comes to those.
  [[nodiscard]] static u64 most_people(u64 population) { return population + AgeLayers::kLayers; }
  [[nodiscard]] static u64 most_pooled(u64 population) {
    return most_people(population) + 2 * population;
  }
  Problem reserve_generation();
  Problem reserve_people();
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
  Problem take_people();
  Problem fetch_losses(const f64* losses, const u8* has_losses, std::span<Found> out);
  Problem run_each(std::span<const SearchStep> steps, u64 elements);
  Problem fetch_counts();

  Options options_;
  SearchTask task_{};
  SearchCounts counts_{};
  bool is_other_first_ = false;
  u32 most_proposals_ = 0;  // of a generation so far
};

// `memory`: bytes that it may have.
[[nodiscard]] std::unique_ptr<VariantSearch> host_variant_search(size_t memory = SIZE_MAX);

Result<std::unique_ptr<VariantSearch>> open_cuda_variant_search(int gpu);
// For programs that this device runs. `memory`: as above, where they run on the host.
Result<std::unique_ptr<VariantSearch>> open_variant_search(const vm::WarpDevice& device,
                                                           size_t memory = SIZE_MAX);

}  // namespace komuz::engine
