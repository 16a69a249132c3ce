// SPDX-License-Identifier: Apache-2.0
// What a tier does with a GPU.
#include <algorithm>

#include "engine/native/native_tier.h"

namespace komuz::engine {
namespace {

// A process makes so many tries after launches that have failed: some failures are of one kernel, such as too little
// memory.
constexpr u32 kMostDeviceFailures = 3;
constexpr char kKernelName[] = "komuz_kernel";

}  // namespace

bool NativeTier::wants_device() const {
  constexpr CodeClass kClasses[] = {CodeClass::Recursion, CodeClass::ArrayLoops, CodeClass::Loops,
                                    CodeClass::Straight};
  if (has_device_ || device_failures_ >= kMostDeviceFailures) return false;
  if (choice_ != NativeChoice::Auto) return choice_ == NativeChoice::Always;
  return rules_.uses_unmeasured_kernels || std::ranges::any_of(kClasses, [](CodeClass c) {
           return native_way(c, Company::Crowd) != nullptr;
         });
}

void NativeTier::use_device(Result<std::shared_ptr<backend::PtxDevice>> device) {
  const std::lock_guard lock(mutex_);
  if (device.problem()) return add_reason("no kernels on the GPU: " + device.problem().message());
  device_ = std::move(device).value();
  has_device_ = device_ != nullptr;
}

// By the rule of threshold_ns(), but for what the code takes now, which is native code's time where it is native.
bool NativeTier::pays_on_device(const TieredCode& code, const CrowdWork& work) const {
  const CodeClass code_class = code.shape_.code_class;
  const NativeWay* const way = rules_.uses_unmeasured_kernels
                                   ? &stated_way(code_class, Company::Crowd)
                                   : native_way(code_class, Company::Crowd);
  // A case that takes more than a kernel's budget would run here once more.
  if (way == nullptr || 2 * work.ticks_a_case > static_cast<f64>(kMostKernelTicks)) return false;
  const KernelCosts& costs = kernel_costs();
  const f64 here = code.ns_a_tick() * work.ticks_a_case;
  const f64 there = code.vm_ns_a_tick() * work.ticks_a_case / way->gain +
                    costs.ns_a_byte * static_cast<f64>(work.bytes_a_case) +
                    costs.launch_ns / rules_.least_crowd;
  if (there >= here) return false;
  const f64 compile = kernel_pace_.load(std::memory_order_relaxed) * way->compile_ns(code.shape_);
  const f64 threshold = compile / (1 - there / here);
  const f64 worked = static_cast<f64>(code.vm_ns_ + code.native_ns_);
  return worked >= threshold && here * static_cast<f64>(work.waiting) >= threshold + compile;
}

// Why no kernel was made; empty if it was.
std::string NativeTier::make_kernel(TieredCode& code, const backend::Backend& backend,
                                    const NativeWay& way) {
  std::shared_ptr<backend::PtxDevice> device;
  {
    const std::lock_guard lock(mutex_);
    device = device_;
  }
  if (device == nullptr) return "the GPU has failed before";
  const backend::PtxProgram program = {code.kept_.view(), code.function_, kKernelName};
  const Result<std::string> ptx = backend.emit_ptx({&program, 1}, {.effort = way.effort});
  if (ptx.problem()) return ptx.problem().text();
  Result<std::unique_ptr<backend::PtxModule>> module = device->load(ptx.value(), {&program, 1});
  if (module.problem()) return module.problem().text();
  code.kernel_ =
      std::make_unique<KernelCode>(std::move(device), std::move(module).value(), kKernelName);
  return {};
}

void NativeTier::note_failure(TieredCode& kernel, const Problem& problem) {
  kernel.state_ = TieredCode::State::Refused;
  const std::lock_guard lock(mutex_);
  add_reason("the GPU has failed in `" + kernel.name_ + "`: " + problem.message());
  if (++device_failures_ < kMostDeviceFailures) return;
  has_device_ = false;
  device_ = nullptr;
}

}  // namespace komuz::engine
