// SPDX-License-Identifier: Apache-2.0
#include "services/model/gpu_counters.h"

#include <algorithm>
#include <utility>

#include "base/gpu/devices.h"

namespace komuz::services::model {
namespace {

// -1: one of them does not say it, or there is none.
template <class Ask>
i64 sum_of(const std::vector<std::unique_ptr<gpu::Nvml>>& gpus, const Ask& ask) {
  i64 sum = gpus.empty() ? -1 : 0;
  for (const std::unique_ptr<gpu::Nvml>& gpu : gpus) {
    const i64 value = ask(*gpu);
    if (value < 0) return -1;
    sum += value;
  }
  return sum;
}
i64 millijoules_of(const gpu::Nvml& gpu) { return gpu.millijoules(); }
i64 bytes_of(const gpu::Nvml& gpu) { return gpu.used_bytes(); }

}  // namespace

GpuCounters::GpuCounters(const engine::Devices& devices) {
  const gpu::Devices found = gpu::find_devices();
  for (const engine::Device& device : devices.gpus) {
    auto asked = std::make_unique<gpu::Nvml>();
    if (device.number >= found.devices.size() || asked->open_at(found.devices[device.number].bus)) {
      gpus_.clear();
      return;
    }
    gpus_.push_back(std::move(asked));
  }
  millijoules_ = sum_of(gpus_, millijoules_of);
  bytes_ = sum_of(gpus_, bytes_of);
}

std::optional<f64> GpuCounters::joules() const {
  const i64 now = sum_of(gpus_, millijoules_of);
  if (now < 0 || millijoules_ < 0) return {};
  return static_cast<f64>(now - millijoules_) / 1000;
}

std::optional<u64> GpuCounters::bytes() const {
  const i64 now = sum_of(gpus_, bytes_of);
  if (now < 0 || bytes_ < 0) return {};
  return static_cast<u64>(std::max<i64>(now - bytes_, 0));
}

}  // namespace komuz::services::model
