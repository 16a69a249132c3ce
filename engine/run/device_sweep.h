// SPDX-License-Identifier: Apache-2.0
// Variants of a sketch that a device makes from their numbers, runs, scores and ranks, a stretch after the other, so that nothing of
// them comes to the host before the best are known. What is ranked, and how, is as in RowCollector and BestRows.
#pragma once
#include <cstdint>
#include <functional>
#include <stop_token>

#include "base/problem.h"
#include "engine/device/outcome_scorer.h"
#include "engine/device/stretch_maker.h"
#include "engine/device/variant_sweep.h"

namespace komuz::engine {

// What came of variants 0 … variants - 1 of the numbers.
struct SweptVariants {
  u64 variants = 0;
  // There was no memory, or no number, for more of them: what came of the first is there, as after a stop.
  bool is_cut_short = false;
  OutcomeCounts counts;
  std::vector<RankedProgram> best;          // the best first
  std::vector<std::vector<u32>> decisions;  // of these, where variants have no numbers
};

// What a sweep is done with. The maker has the sketch, and the scorer the suite, whose cases the device has.
struct SweepDevices {
  vm::WarpDevice& device;
  StretchMaker& maker;
  OutcomeScorer& scorer;
};
struct SweepJob {
  const Suite& suite;
  ScoreLimits limits;
  u64 fuel = 0;
  u32 best = 0;                // programs
  bool of_behaviours = false;  // … of those that do the same the best alone
  u32 most_rows = 0;           // programs times cases of a run
  // Rows have numbers of 32 bits; and where programs run on the host, bytes that each who ranks, or searches, may have.
  u64 most_variants = kNone - 1;
  size_t memory = SIZE_MAX;

  // Variants of a stretch, at most `most`.
  [[nodiscard]] u32 longest_stretch(u64 most) const;
  // Of a sweep over stretches of at most so many.
  [[nodiscard]] VariantSweep::Options options(const OutcomeScorer& scorer, u32 longest) const;
};
// Makes, runs, scores and ranks a stretch of `count` variants that the sweep has begun.
Problem run_stretch(const SweepDevices& on, const SweepJob& job, const VariantStretch& stretch,
                    u32 count, VariantSweep& sweep, Stretched& state);
// What came of it so far.
Problem fetch_swept(VariantSweep& sweep, SweptVariants& out);

class DeviceSweep {
 public:
  DeviceSweep(const SweepDevices& on, const SweepJob& job, const VariantNumbers& numbers)
      : on_(on), job_(job), numbers_(numbers) {}

  // Until `stop` is requested. `on_variants` is told now and then of how many are done. `is_possible`: false where the host
  // has to make one of them, or the device has no memory to begin with; then nothing came of it. An error is the device's.
  Problem run(const std::function<void(u64)>& on_variants, const std::stop_token& stop,
              bool& is_possible, SweptVariants& out);

 private:
  static constexpr u32 kFirstStretch = 1024;

  Problem run_from_start(const std::function<void(u64)>& on_variants, const std::stop_token& stop,
                         Stretched& state);
  Problem run_next(u32 count, Stretched& state);

  SweepDevices on_;
  SweepJob job_;
  VariantNumbers numbers_;
  std::unique_ptr<VariantSweep> sweep_;
  bool is_cut_short_ = false;
};

}  // namespace komuz::engine
