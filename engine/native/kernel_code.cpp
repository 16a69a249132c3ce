// SPDX-License-Identifier: Apache-2.0
#include "engine/native/kernel_code.h"

#include <algorithm>
#include <numeric>

#include "engine/native/job_clock.h"

namespace komuz::engine {

KernelCode::Run KernelCode::run(const vm::Job& job, OutcomesView out, f64 here_ns_a_tick) {
  constexpr f64 kFarMore = 2;
  f64 all_ns = 0;
  u64 ticks = 0;
  const auto is_stopped = [&job] { return job.stop != nullptr && job.stop->stop_requested(); };
  for (u32 first = 0; first < job.cases.count && !is_stopped();) {
    const u32 rows = std::min(rows_, job.cases.count - first);
    const i64 began = read_clock_ns(CLOCK_MONOTONIC);
    if (Problem problem = module_->run(symbol_, {job.cases, job.fuel, first, rows}, out))
      return {std::move(problem)};
    const i64 taken = read_clock_ns(CLOCK_MONOTONIC) - began;
    if (here_ns_a_tick != 0) {
      all_ns += static_cast<f64>(taken);
      ticks = std::accumulate(&out.fuel[first], &out.fuel[first] + rows, ticks);
      const f64 here = here_ns_a_tick * static_cast<f64>(ticks);
      if (all_ns > static_cast<f64>(kLaunchNs) && all_ns > kFarMore * here) return {{}, true};
    }
    first += rows;
    if (taken > kLaunchNs)
      rows_ = std::max(rows_ / 2, kLeastRows);
    else if (rows == rows_ && taken < kLaunchNs / 2)
      rows_ = std::min(rows_ * 2, kMostRows);
  }
  return {};
}

}  // namespace komuz::engine
