// SPDX-License-Identifier: Apache-2.0
// Ratios that are measured side by side.
#pragma once
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "base/ints.h"

namespace komuz::bench {

// Runs two pieces of work in turn, so that both see the same noise. Gives the ratio of their median processor
// times.
template <class First, class Second>
void compare(benchmark::State& state, First first, Second second) {
  std::vector<f64> firsts, seconds;
  const auto ticks_of = [](auto& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<f64>(std::clock() - start);
  };
  for (auto _ : state) {
    firsts.push_back(ticks_of(first));
    seconds.push_back(ticks_of(second));
  }
  const auto median = [](std::vector<f64>& times) {
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
  };
  state.counters["ratio"] = median(firsts) / median(seconds);
}

}  // namespace komuz::bench
