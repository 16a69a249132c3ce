// SPDX-License-Identifier: Apache-2.0
// A wrapper around a device that records what runs on it.
#pragma once
#include <functional>
#include <utility>

#include "vm/cuda/warp_device.h"

namespace komuz::engine::test {

class ToldDevice final : public vm::WarpDevice {
 public:
  // `on_made`: called before variants run that were made there.
  explicit ToldDevice(
      vm::WarpDevice& device, std::function<void()> on_made = [] {})
      : device_(device), on_made_(std::move(on_made)) {}

  Problem load_cases(const CasesView& cases) override { return device_.load_cases(cases); }
  Problem run(const vm::WarpBatch& batch, const vm::WarpRun& run) override {
    ++other_runs_;
    if (run.code != nullptr) on_made_();
    return device_.run(batch, run);
  }
  Problem run(const vm::ResidentPrograms& programs, const vm::WarpRun& run) override {
    ++resident_runs_;
    on_made_();
    return device_.run(programs, run);
  }
  OutcomesView outcomes(const vm::WarpBatch& batch, u32 program) override {
    return device_.outcomes(batch, program);
  }
  vm::ResidentOutcomes resident() override { return device_.resident(); }
  [[nodiscard]] int gpu() const override { return device_.gpu(); }

  // The number of runs of programs that the host does not know, and of other runs.
  [[nodiscard]] u32 resident_runs() const { return resident_runs_; }
  [[nodiscard]] u32 other_runs() const { return other_runs_; }

 private:
  vm::WarpDevice& device_;
  std::function<void()> on_made_;
  u32 resident_runs_ = 0, other_runs_ = 0;
};

}  // namespace komuz::engine::test
