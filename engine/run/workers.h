// SPDX-License-Identifier: Apache-2.0
// The threads of an evaluation, and what each of them runs candidates with.
#pragma once
#include <stop_token>
#include <vector>

#include "engine/run/candidate_runner.h"
#include "engine/support/worker_pool.h"

namespace komuz::engine {

struct Workers {
  Workers(const EvaluateOptions& options, OwnSignatures& own, const std::stop_token& until)
      : pool(options.machines.threads), stop(until) {
    for (u32 i = 0; i < pool.size(); ++i) {
      CandidateRunner& runner = runners.emplace_back(options);
      runner.stop_when(stop);
      runner.use(own, CandidateRunner::CasesKind::Ranked);
    }
  }

  // Runner 0 is that of the thread that called evaluate(), which may use it while no other works.
  [[nodiscard]] CandidateRunner& first() { return runners[0]; }

  WorkerPool pool;
  std::vector<CandidateRunner> runners;  // one a worker
  std::stop_token stop;
};

}  // namespace komuz::engine
