// SPDX-License-Identifier: Apache-2.0
// Chooses where programs are compiled and run: on the CPU, or on GPUs if some are wanted and present.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/gpu/devices.h"
#include "base/problem.h"
#include "engine/candidates/evaluate_options.h"
#include "frontend_gpu/device/batch.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

enum class DeviceKind : u8 {
  Auto,  // a GPU where there is one
  Cpu,
  Cuda,
};
// The names that users type, in the order of the enumerators.
inline constexpr std::string_view kDeviceNames[] = {"auto", "cpu", "cuda"};

struct DeviceChoice {
  DeviceKind kind = DeviceKind::Auto;
  // Of Cuda alone: GPUs by their numbers, each once. Empty: the first that can be used, or all of them.
  std::vector<u32> gpus;
  bool takes_all = false;

  bool operator==(const DeviceChoice&) const = default;
};
// A name, or GPUs: `cuda:1`, `cuda:0,1`, `cuda:all`. A problem names `what` was written so, such as `--device`. Whether
// these GPUs are there is not asked.
[[nodiscard]] Result<DeviceChoice> read_device_choice(std::string_view what, std::string_view text);
// The numbers of the GPUs of a choice that takes some, or why one of them is not there.
[[nodiscard]] Result<std::vector<u32>> chosen_gpus(const DeviceChoice& choice,
                                                   const gpu::Devices& found);

struct Device {
  std::unique_ptr<frontend::BatchCompiler> compiler;
  std::unique_ptr<vm::WarpDevice> warps;
  std::string name;  // of the GPU
  u32 number = 0;
};
// What was opened of a choice.
struct Devices {
  std::vector<Device> gpus;  // empty: the CPU

  // What people are told: "NVIDIA H200", "NVIDIA H200 (cuda:0) and NVIDIA H200 (cuda:1)"; empty: the CPU.
  [[nodiscard]] std::string name() const;
};
// A problem: a GPU is not there, and it is demanded.
[[nodiscard]] Result<Devices> open_devices(const DeviceChoice& choice);

// Runs with these options take the devices, which outlive them, and no others; none: the processor. Kernels of their
// native tier, where such may be wanted, take the first.
void use_devices(const Devices& devices, MachineOptions& options);

}  // namespace komuz::engine
