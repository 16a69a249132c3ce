// SPDX-License-Identifier: Apache-2.0
// Chooses where programs are compiled and run: on the CPU, or on a GPU if one is wanted and present.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "frontend_gpu/device/batch.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

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
  std::string problem;  // why there is no GPU, where one is demanded; empty: all is well
};
[[nodiscard]] Device open_device(DeviceChoice choice);

}  // namespace komuz::engine
