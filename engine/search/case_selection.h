// SPDX-License-Identifier: Apache-2.0
// Lexicase selection on the host, by all threads at once.
#pragma once
#include <span>
#include <stop_token>
#include <vector>

#include "engine/search/lexicase.h"
#include "engine/support/worker_pool.h"

namespace komuz::engine {

class CaseSelection {
 public:
  // `pool` outlives it.
  explicit CaseSelection(WorkerPool& pool, std::stop_token stop = {})
      : pool_(pool), stop_(std::move(stop)), scratch_(pool.size()) {}

  // Sets the individuals to select from, the best first, by their losses. All have equally many cases. The losses are
  // copied.
  void look_at(const std::vector<std::span<const f64>>& individuals);
  // Called by a worker of the pool: selects one of them, and returns its number.
  [[nodiscard]] u32 select(u32 worker, Random& random);
  // Says of each individual whether it survives (survival.h): `places` of them do. There are more individuals.
  [[nodiscard]] std::vector<bool> survivors(u32 places, u64 seed, u64 generation);

  [[nodiscard]] const LossColumns& columns() const { return columns_; }
  [[nodiscard]] const std::vector<CaseGauge>& gauges() const { return gauges_; }

 private:
  struct Scratch {
    std::vector<u32> cases, pool;
  };
  // The ranked individuals lie in the worker's pool.
  [[nodiscard]] u32 rank(u32 worker, u32 most, Random& random);

  WorkerPool& pool_;
  std::stop_token stop_;          // after a requested stop selections are meaningless
  std::vector<Scratch> scratch_;  // one a worker
  std::vector<f64> losses_;
  std::vector<CaseGauge> gauges_;
  LossColumns columns_;
};

}  // namespace komuz::engine
