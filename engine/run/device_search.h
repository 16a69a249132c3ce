// SPDX-License-Identifier: Apache-2.0
// A search whose generations a device breeds, makes, runs, scores and selects by itself, so that nothing comes to the
// host before the best are known. The exception is the tuning of constants: the host tells the device the tuned
// constants, and gets the best of a generation for it, and their losses on cases if distances are tuned. Proposals,
// learning and ranking are those of SearchCandidates on the host.
#pragma once
#include "engine/device/variant_search.h"
#include "engine/run/device_sweep.h"
#include "engine/search/tuned_constants.h"

namespace komuz::engine {

class DeviceSearch {
 public:
  // `candidates` outlives this object. None of its generations has begun.
  DeviceSearch(const SweepDevices& on, const SweepJob& job, SearchCandidates& candidates)
      : on_(on), job_(job), candidates_(candidates) {}

  // True if there is more to search than one generation proposes, a generation is small enough, none has begun, all
  // ways are drawn alike, and no constant is any number.
  [[nodiscard]] static bool can_search(const SearchCandidates& candidates);

  // Like DeviceSweep::run.
  Result<std::optional<SweptVariants>> run(const std::function<void(u64)>& on_variants,
                                           const std::stop_token& stop);

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
