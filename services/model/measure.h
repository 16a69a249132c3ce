// SPDX-License-Identifier: Apache-2.0
// What so many programs take on this machine, now: generated programs and cases go through the engine, from text to
// ranking, on the processor or on GPUs.
#pragma once
#include <optional>
#include <stop_token>
#include <string>

#include "base/problem.h"
#include "engine/device.h"
#include "services/model/model.h"

namespace komuz::services::model {

struct MeasuredRun {
  neural::TierChoice way = neural::TierChoice::Traditional;
  Size size;
  u32 threads = 1, rounds = 5;
  // That programs are compiled and run on, by the traditional way alone; null: the processor.
  const engine::Devices* devices = nullptr;
};
// The programs of a run together.
inline constexpr u64 kMostMeasuredBytes = u64{1} << 30;
inline constexpr u64 kMostMeasuredCases = 10'000'000;

// What GPUs had of a run, by the driver's counters of the whole cards. None: the driver does not say it.
struct MeasuredGpus {
  std::string name;
  std::optional<u64> bytes;   // the most of their memory in use beside that before
  std::optional<f64> joules;  // of a round, the mean
  size_t count = 1;           // of the GPUs whose sums these are
};

struct Measured {
  MeasuredRun run;
  f64 low = 0, median = 0, high = 0;  // seconds of the rounds
  // Seconds of the processor, of all threads, in the round with the least: other work only adds.
  f64 busy = 0;
  u64 bytes = 0;              // the most memory in use beside that before, the texts included
  std::optional<f64> joules;  // of the processor, of a round, the mean; none: nothing shows them
  std::optional<MeasuredGpus> gpus;
};

// A problem: the run is too large, the engine refused it, or it was stopped. `progress` is told of the programs of all
// rounds.
[[nodiscard]] Result<Measured> measure(const MeasuredRun& run, const std::stop_token& stop,
                                       engine::ProgressSink* progress = nullptr);

}  // namespace komuz::services::model
