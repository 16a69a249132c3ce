// SPDX-License-Identifier: Apache-2.0
#include "engine/run/device_team.h"

#include <algorithm>
#include <utility>

namespace komuz::engine {

DeviceTeam::DeviceTeam(const EvaluateOptions& options, u32 workers, bool runs_there)
    : machines_(options.machines), size_(1 + static_cast<u32>(machines_.more_devices.size())) {
  if (size_ > 1) threads_ = std::make_unique<WorkerPool>(size_);
  if (!runs_there) return;
  runners_.push_back(std::make_unique<DeviceRunner>(*machines_.device, options, workers));
  for (const MachineOptions::OtherDevice& other : machines_.more_devices)
    runners_.push_back(std::make_unique<DeviceRunner>(*other.device, options, workers));
}

frontend::BatchCompiler& DeviceTeam::compiler(u32 device) const {
  return device == 0 ? *machines_.compiler : *machines_.more_devices[device - 1].compiler;
}

void DeviceTeam::deal(u32 first, u32 end) {
  first_ = first;
  count_ = std::max(end - first, 1u);
}

Problem DeviceTeam::named(u32 device, const Problem& problem) const {
  const std::string& name =
      device == 0 ? machines_.device_name : machines_.more_devices[device - 1].name;
  return Problem(ProblemKind::Device, problem.place(), name + ": " + problem.message(),
                 "leave " + name + " out, or use `--device cpu`");
}

Problem DeviceTeam::at_once(const std::function<Problem(u32 device)>& work) {
  if (size_ == 1) return work(0);
  std::vector<Problem> problems(size_);
  // Each waits for its device, so each has a thread: they take one device at a time.
  threads_->run(
      size_, [&](u32 /*worker*/, u32 device) { problems[device] = work(device); },
      [](u32 /*done*/) {}, 1);
  for (u32 device = 0; device < size_; ++device)
    if (problems[device].is(ProblemKind::Device)) return named(device, problems[device]);
  for (Problem& problem : problems)
    if (problem) return std::move(problem);
  return {};
}

}  // namespace komuz::engine
