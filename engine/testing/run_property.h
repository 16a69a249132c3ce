// SPDX-License-Identifier: Apache-2.0
// Runs a property: many values of its parameters as one batch and, if one of them fails, ever simpler ones.
#pragma once
#include <stop_token>
#include <vector>

#include "engine/testing/property_entry.h"

namespace komuz::engine {

class NativeTier;

inline constexpr u32 kDefaultSamples = 4096;

struct PropertyOptions {
  u64 fuel = kDefaultFuel;  // of each run
  u32 samples = kDefaultSamples;
  u64 seed = 0;  // of the random samples
  const std::stop_token* stop = nullptr;
  NativeTier* native = nullptr;  // makes native code of what runs long; null: nobody does
};

struct PropertyOutcome {
  // The simplest arguments found that fail like the first failing sample, as cells; empty if none fails.
  std::vector<u64> arguments;
  bool failed = false;
  u64 fuel = 0;     // ticks of all samples
  u32 samples = 0;  // that were run
};

// `entry` fits.
[[nodiscard]] PropertyOutcome run_property(const PropertyEntry& entry,
                                           const PropertyOptions& options);

// Samples of a property's parameters: `count` cases, each cell by cell.
[[nodiscard]] std::vector<std::vector<u64>> property_samples(const PropertyEntry& entry, u64 seed,
                                                             u32 count);

}  // namespace komuz::engine
