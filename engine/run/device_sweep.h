// SPDX-License-Identifier: Apache-2.0
// Runs variants of a sketch through a device, a stretch after the other: makes them from their numbers, runs, scores
// and ranks them, so that nothing comes to the host before the best are known. The ranking is that of RowCollector
// and BestRows.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "base/problem.h"
#include "engine/device/outcome_scorer.h"
#include "engine/device/stretch_maker.h"
#include "engine/device/variant_sweep.h"

namespace komuz::engine {

// The result of variants 0 … variants - 1 of the numbers.
struct SweptVariants {
  u64 variants = 0;
  // Memory, or the numbers, did not suffice for more variants: the result is that of the first ones, as after a stop.
  bool is_cut_short = false;
  OutcomeCounts counts;
  std::vector<RankedProgram> best;          // the best first
  std::vector<std::vector<u32>> decisions;  // of the best, if variants have no numbers
};

// The parts of a sweep. The maker has the sketch, and the scorer the suite, whose cases the device has.
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
  bool of_behaviours = false;  // only the best program of each behaviour
  u32 most_rows = 0;           // programs times cases of a run
  // Row numbers have 32 bits. `memory`: if programs run on the host, the bytes that each ranker or search may have.
  u64 most_variants = kNone - 1;
  size_t memory = SIZE_MAX;

  // The number of variants of a stretch, at most `most`.
  [[nodiscard]] u32 longest_stretch(u64 most) const;
  // For a sweep over stretches of at most `longest` variants.
  [[nodiscard]] VariantSweep::Options options(const OutcomeScorer& scorer, u32 longest) const;
};
// Makes, runs, scores and ranks a stretch of `count` variants that the sweep has begun.
Problem run_stretch(const SweepDevices& on, const SweepJob& job, const VariantStretch& stretch,
                    u32 count, VariantSweep& sweep, Stretched& state);
// The results so far.
Problem fetch_swept(VariantSweep& sweep, SweptVariants& out);

class DeviceSweep {
 public:
  DeviceSweep(const SweepDevices& on, const SweepJob& job, const VariantNumbers& numbers)
      : on_(on), job_(job), numbers_(numbers) {}

  // Runs until `stop` is requested. `on_variants` is told now and then how many are done. Nothing if the host has to
  // make a variant, or the device lacks memory from the start; then the sweep has had no effect. A problem is the
  // device's.
  Result<std::optional<SweptVariants>> run(const std::function<void(u64)>& on_variants,
                                           const std::stop_token& stop);

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
