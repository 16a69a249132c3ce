// SPDX-License-Identifier: Apache-2.0
// The common part of endless fuzzers: a list of steps, each a function of a seed that returns the fault.
#pragma once
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "base/ints.h"

namespace komuz::test {

template <class Fuzzers>
struct FuzzStep {
  const char* name;
  std::string (Fuzzers::*run)(u64 seed);
};

struct FuzzOptions {
  u64 seed = static_cast<u64>(std::chrono::system_clock::now().time_since_epoch().count());
  double seconds = 0;  // 0: without end
  u64 seeds = 0;       // how many; 0: without end
  std::string only;    // a step's name; empty: all of them

  // [--seconds N] [--seeds N] [--seed S] [--only STEP]
  FuzzOptions(int count, char** words) {
    for (int k = 1; k < count; k += 2) {
      const bool known =
          std::strcmp(words[k], "--seconds") == 0 || std::strcmp(words[k], "--seeds") == 0 ||
          std::strcmp(words[k], "--seed") == 0 || std::strcmp(words[k], "--only") == 0;
      if (!known || k + 1 == count) {  // a wrong word must not fuzz without end
        std::fprintf(stderr, "usage: %s [--seconds N] [--seeds N] [--seed S] [--only STEP]\n",
                     words[0]);
        std::exit(2);
      }
      if (std::strcmp(words[k], "--seconds") == 0) seconds = std::stod(words[k + 1]);
      if (std::strcmp(words[k], "--seeds") == 0) seeds = std::stoull(words[k + 1]);
      if (std::strcmp(words[k], "--seed") == 0) seed = std::stoull(words[k + 1]);
      if (std::strcmp(words[k], "--only") == 0) only = words[k + 1];
    }
  }
};

// Runs the steps seed by seed, and calls `report(seed)` after each seed. False at the first failure, which it prints
// with its seed.
template <class Fuzzers, class Report>
bool fuzz(Fuzzers& fuzzers, std::span<const FuzzStep<Fuzzers>> steps, const FuzzOptions& options,
          Report report) {
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const auto goes_on = [&](u64 done) {
    return (options.seconds == 0 || elapsed() < options.seconds) &&
           (options.seeds == 0 || done < options.seeds);
  };
  for (u64 seed = options.seed; goes_on(seed - options.seed); ++seed) {
    for (const FuzzStep<Fuzzers>& step : steps) {
      if (!options.only.empty() && options.only != step.name) continue;
      const std::string failure = (fuzzers.*step.run)(seed);
      if (failure.empty()) continue;
      std::printf("%s, seed %llu: %s\n", step.name, static_cast<unsigned long long>(seed),
                  failure.c_str());
      return false;
    }
    report(seed);
  }
  return true;
}

}  // namespace komuz::test
