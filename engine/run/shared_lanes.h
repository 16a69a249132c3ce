// SPDX-License-Identifier: Apache-2.0
// The workers of an evaluation whose variants share lanes (variant_lanes.h): how many candidates each worker takes at
// a time, and which of them run together.
#pragma once
#include <atomic>
#include <vector>

#include "engine/run/variant_lanes.h"
#include "engine/support/worker_pool.h"

namespace komuz::engine {

class SharedLanes {
 public:
  explicit SharedLanes(const EvaluateOptions& options) : options_(options) {}

  // True if it pays that variants of the sketch share lanes on these cases.
  [[nodiscard]] bool pays(const Suite& suite) const;

  // Like WorkerPool::run for `count` candidates. Within a run, add() may be called for their programs, which are done
  // when the run ends.
  void run(WorkerPool& pool, u32 count, const Suite& suite, const ScoreLimits& limits,
           const std::stop_token& stop, const WorkerPool::Body& body,
           const WorkerPool::OnDone& on_done);
  // Adds an accepted program, as VariantLanes::add takes it. False: it has to run elsewhere.
  [[nodiscard]] bool add(u32 worker, const Code& code, u32 entry, std::string_view source,
                         CandidateResult& out);

 private:
  [[nodiscard]] u32 run_length(u32 count, u32 workers, const Suite& suite) const;

  const EvaluateOptions& options_;
  std::vector<VariantLanes> lanes_;  // one for each worker
  bool is_running_ = false;
  std::atomic<u32> programs_ = 0;  // of the run
  f64 programs_a_second_ = 0;      // of the last run, by all workers
};

}  // namespace komuz::engine
