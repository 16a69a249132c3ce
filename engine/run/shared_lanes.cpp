// SPDX-License-Identifier: Apache-2.0
#include "engine/run/shared_lanes.h"

#include <algorithm>
#include <chrono>

#include "engine/run/candidate_code.h"

namespace komuz::engine {

bool SharedLanes::pays(const Suite& suite) const {
  const bool may_share = binds_variants(options_) ||
                         (options_.machines.compiler == nullptr && may_differ_in_numbers(options_));
  return options_.machines.device == nullptr && may_share && VariantLanes::pays(options_, suite);
}

void SharedLanes::run(WorkerPool& pool, u32 count, const Suite& suite, const ScoreLimits& limits,
                      const std::stop_token& stop, const WorkerPool::Body& body,
                      const WorkerPool::OnDone& on_done) {
  while (lanes_.size() < pool.size()) lanes_.emplace_back(options_);
  for (VariantLanes& lanes : lanes_) lanes.begin(suite, limits, stop);
  programs_ = 0;
  is_running_ = true;
  const auto start = std::chrono::steady_clock::now();
  pool.run(count, body, on_done, run_length(count, pool.size(), suite),
           [this](u32 worker) { lanes_[worker].run_all(); });
  const std::chrono::duration<f64> seconds = std::chrono::steady_clock::now() - start;
  programs_a_second_ = programs_ / std::max(seconds.count(), 1e-6);
  is_running_ = false;
}

bool SharedLanes::add(u32 worker, const Code& code, u32 entry, std::string_view source,
                      CandidateResult& out) {
  if (!is_running_) return false;
  programs_.fetch_add(1, std::memory_order_relaxed);
  if (!lanes_[worker].takes_next(code)) return false;
  lanes_[worker].add(code, entry, source, out);
  return true;
}

// As many candidates as fill lanes. If they take little time, more, so that more of them share instructions; but an
// interrupt loses those that wait, and all workers need some.
u32 SharedLanes::run_length(u32 count, u32 workers, const Suite& suite) const {
  constexpr f64 kSeconds = 0.05;
  constexpr u32 kLeast = 4, kSome = 16;
  const u32 each = (count + workers - 1) / workers;
  const u32 wanted = std::max(kSome, VariantLanes::kLanes / suite.count);
  const u32 least = std::max(kLeast, std::min(wanted, each));
  const u32 most = std::max(least, workers == 1 ? count : count / (4 * workers));
  return static_cast<u32>(std::clamp<f64>(programs_a_second_ / workers * kSeconds, least, most));
}

}  // namespace komuz::engine
