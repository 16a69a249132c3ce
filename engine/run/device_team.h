// SPDX-License-Identifier: Apache-2.0
// The devices of a run. Each epoch is cut into as many stretches of neighbouring candidates as there are devices, whose
// lengths differ by one at most, and device k compiles, makes and runs those of stretch k. All devices work at the same
// time, and the run waits for the last one. Which device a candidate comes to shows in no byte: what a device does with it
// follows from the candidate alone, and whatever depends on an order is done by the calling thread, in input order
// (evaluate.h).
//
// A device that fails ends the run, as the only one does: its candidates are not given to others, since nobody knows what
// it had done to them. Rows of earlier epochs are in the log, if there is one.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "base/problem.h"
#include "engine/run/device_runner.h"
#include "engine/support/worker_pool.h"

namespace komuz::engine {

class DeviceTeam {
 public:
  // `runs_there`: programs run on the devices. Without it these compile, at most.
  DeviceTeam(const EvaluateOptions& options, u32 workers, bool runs_there);

  // At least 1, though there may be no device.
  [[nodiscard]] u32 size() const { return size_; }
  [[nodiscard]] bool runs_there() const { return !runners_.empty(); }
  // The compiler of a device; the options have one.
  [[nodiscard]] frontend::BatchCompiler& compiler(u32 device) const;
  // Only if runs_there().
  [[nodiscard]] DeviceRunner& runner(u32 device) { return *runners_[device]; }
  // The one that ranks by itself what can be ranked on a device.
  [[nodiscard]] DeviceRunner& first() { return *runners_[0]; }

  // Deals out the candidates [first, end) of the epoch.
  void deal(u32 first, u32 end);
  [[nodiscard]] u32 device_of(u32 i) const {
    return size_ == 1 ? 0 : static_cast<u32>(u64{i - first_} * size_ / count_);
  }

  // Calls the work of every device, at the same time. The problem of the first device that has one; where there are
  // several, it begins with the device's name.
  [[nodiscard]] Problem at_once(const std::function<Problem(u32 device)>& work);

 private:
  [[nodiscard]] Problem named(u32 device, const Problem& problem) const;

  const MachineOptions& machines_;
  const u32 size_;
  std::vector<std::unique_ptr<DeviceRunner>> runners_;  // empty: programs run on the host
  std::unique_ptr<WorkerPool> threads_;                 // one a device, where there are several
  u32 first_ = 0, count_ = 1;
};

}  // namespace komuz::engine
