// SPDX-License-Identifier: Apache-2.0
#include "engine/device.h"

#include "frontend_gpu/device/cuda/cuda_device.h"

namespace komuz::engine {

namespace {

Result<Device> open_gpu() {
  Result<vm::OpenedWarpDevice> machine = vm::open_cuda_device();
  if (machine.problem()) return std::move(machine).problem();
  Result<frontend::OpenedDeviceCompiler> compiler = frontend::open_device_compiler();
  if (compiler.problem()) return std::move(compiler).problem();
  return Device{std::move(compiler.value().compiler), std::move(machine.value().device),
                std::move(machine.value().name)};
}

}  // namespace

Result<Device> open_device(DeviceChoice choice) {
  if (choice == DeviceChoice::Cpu) return Device();
  Result<Device> gpu = open_gpu();
  if (gpu.problem() && choice == DeviceChoice::Auto) return Device();
  return gpu;
}

}  // namespace komuz::engine
