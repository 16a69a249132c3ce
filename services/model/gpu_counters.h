// SPDX-License-Identifier: Apache-2.0
// The energy and the memory of GPUs, by their driver's library (NVML): of the whole cards, whoever uses them.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "base/gpu/nvml.h"
#include "engine/device.h"

namespace komuz::services::model {

class GpuCounters {
 public:
  // Counts from now on.
  explicit GpuCounters(const engine::Devices& devices);

  // Joules since then, and bytes in use beside those of then, of all of them; none: the driver does not say it of each.
  [[nodiscard]] std::optional<f64> joules() const;
  [[nodiscard]] std::optional<u64> bytes() const;

 private:
  std::vector<std::unique_ptr<gpu::Nvml>> gpus_;  // none, if one cannot be asked
  i64 millijoules_ = -1, bytes_ = -1;             // of then; -1: unknown
};

}  // namespace komuz::services::model
