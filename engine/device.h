// SPDX-License-Identifier: Apache-2.0
// Chooses where programs are compiled and run: on the CPU, or on a GPU if one is wanted and present.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "frontend_gpu/device/batch.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

class NativeTier;

enum class DeviceChoice : u8 {
  Auto,  // a GPU where there is one
  Cpu,
  Cuda,
};
// The names that users type, in the order of the enumerators.
inline constexpr std::string_view kDeviceNames[] = {"auto", "cpu", "cuda"};

struct Device {
  std::unique_ptr<frontend::BatchCompiler> compiler;  // null: the CPU
  std::unique_ptr<vm::WarpDevice> warps;              // null: the CPU
  std::string name;                                   // of the GPU
};
// A problem: there is no GPU, and one is demanded.
Result<Device> open_device(DeviceChoice choice);

// The tier has the GPU for kernels from here on, if `device` is one, and kernels may be wanted. `tier`: null for none.
void lend_device(const Device& device, NativeTier* tier);

}  // namespace komuz::engine
