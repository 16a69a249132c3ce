// SPDX-License-Identifier: Apache-2.0
// What programs are compiled and run on: the CPU, or a GPU where one is to be used and there.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "frontend_gpu/device/batch.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

enum class DeviceChoice : u8 {
  Auto,  // a GPU where there is one
  Cpu,
  Cuda,
};
// As a user names them.
inline constexpr std::string_view kDeviceNames[] = {"auto", "cpu", "cuda"};

struct Device {
  std::unique_ptr<frontend::BatchCompiler> compiler;  // null: the CPU
  std::unique_ptr<vm::WarpDevice> warps;              // null: the CPU
  std::string name;                                   // of the GPU
};
// A problem: there is no GPU, and one is demanded.
Result<Device> open_device(DeviceChoice choice);

}  // namespace komuz::engine
