// SPDX-License-Identifier: Apache-2.0
// A search whose generations a device breeds, makes, runs, scores and selects by itself, so that nothing of them comes to the host
// before the best are known; but for constants that are tuned, of which it is told by the host, who is told of the best of a
// generation for it, and, where distances are tuned, of what these lose on cases. What is proposed, learnt and ranked is as of SearchCandidates on the host.
#pragma once
#include "engine/device/variant_search.h"
#include "engine/run/device_sweep.h"
#include "engine/search/tuned_constants.h"

namespace komuz::engine {

class DeviceSearch {
 public:
  // `candidates`, of which no generation has begun, outlives it.
  DeviceSearch(const SweepDevices& on, const SweepJob& job, SearchCandidates& candidates)
      : on_(on), job_(job), candidates_(candidates) {}

  // Is there more to search than one generation proposes, and is a generation small enough, and has none begun?
  [[nodiscard]] static bool can_search(const SearchCandidates& candidates);

  // As DeviceSweep::run.
  Problem run(const std::function<void(u64)>& on_variants, const std::stop_token& stop,
              bool& is_possible, SweptVariants& out);

 private:
  static constexpr u32 kFirstRoom = 128;

  Problem run_from_start(const std::function<void(u64)>& on_variants, const std::stop_token& stop);
  [[nodiscard]] VariantSearch::Options options() const;
  Problem begin();
  [[nodiscard]] bool is_full() const { return sweep_->is_full() || search_->is_full(); }
  Problem propose();
  Problem run_generation(const std::stop_token& stop);
  Problem learn();
  // Has one of the variants reached the target?
  Result<bool> learn_and_look();
  Problem choose_constants();
  [[nodiscard]] u32 most_room() const;

  SweepDevices on_;
  SweepJob job_;
  SearchCandidates& candidates_;
  std::unique_ptr<VariantSweep> sweep_;
  std::unique_ptr<VariantSearch> search_;
  u32 room_ = 0;     // decisions of a variant
  u32 stretch_ = 0;  // rows that run at once
  Stretched state_ = Stretched::Done;
  bool is_cut_short_ = false;
  std::optional<TunedConstants> constants_;
  std::vector<Decisions> trials_;
};

}  // namespace komuz::engine
