// SPDX-License-Identifier: Apache-2.0
// A code as a kernel that is loaded on a GPU. Nothing stops a kernel but its cases' budgets, so a job becomes launches that
// are over soon: budgets are small, and a launch has as many rows as took kLaunchNs before. A stop is seen between two of
// them.
#pragma once
#include <memory>
#include <string>

#include "backend/cuda/ptx_device.h"
#include "vm/vm.h"

namespace komuz::engine {

// The largest budget of a case on a GPU: a thread of one takes a tenth of a second for it, or some (an estimate).
inline constexpr u64 kMostKernelTicks = u64{1} << 20;

class KernelCode {
 public:
  KernelCode(std::shared_ptr<backend::PtxDevice> device, std::unique_ptr<backend::PtxModule> module,
             std::string symbol)
      : device_(std::move(device)), module_(std::move(module)), symbol_(std::move(symbol)) {}

  struct Run {
    Problem problem;       // of the device
    bool is_slow = false;  // it was given up
  };
  // The job's budget is at most kMostKernelTicks, and its constants have no columns. It is given up when it has taken far
  // more than `here_ns_a_tick`, which it would take elsewhere; 0: never. Behind a problem, or where it was given up, the
  // outcomes are meaningless, as after a stop. For one thread at a time, of all codes of the device.
  [[nodiscard]] Run run(const vm::Job& job, OutcomesView out, f64 here_ns_a_tick);

 private:
  // What a launch may take, with its transfers, in nanoseconds.
  static constexpr i64 kLaunchNs = 20'000'000;
  static constexpr u32 kFirstRows = 8192, kLeastRows = 1024, kMostRows = 1u << 20;

  std::shared_ptr<backend::PtxDevice> device_;  // outlives the module
  std::unique_ptr<backend::PtxModule> module_;
  std::string symbol_;
  u32 rows_ = kFirstRows;  // of the next launch
};

}  // namespace komuz::engine
