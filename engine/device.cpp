// SPDX-License-Identifier: Apache-2.0
#include "engine/device.h"

#include "frontend_gpu/device/cuda/cuda_device.h"

namespace komuz::engine {

Device open_device(DeviceChoice choice) {
  if (choice == DeviceChoice::Cpu) return {};
  Device device;
  vm::OpenedWarpDevice machine = vm::open_cuda_device();
  std::string problem = std::move(machine.problem);
  if (machine.device != nullptr) {
    frontend::OpenedDeviceCompiler compiler = frontend::open_device_compiler();
    problem = std::move(compiler.problem);
    if (compiler.compiler != nullptr) {
      device.compiler = std::move(compiler.compiler);
      device.warps = std::move(machine.device);
      device.name = std::move(machine.name);
    }
  }
  if (choice == DeviceChoice::Cuda) device.problem = std::move(problem);
  return device;
}

}  // namespace komuz::engine
