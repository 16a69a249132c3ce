// SPDX-License-Identifier: Apache-2.0
#include "engine/device.h"

#include "backend/cuda/ptx_device.h"
#include "engine/native/native_tier.h"
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

void lend_device(const Device& device, NativeTier* tier) {
  if (tier == nullptr || device.warps == nullptr || !tier->wants_device()) return;
  Result<backend::OpenedPtxDevice> opened = backend::open_ptx_device();
  if (opened.problem()) return tier->use_device(std::move(opened).problem());
  tier->use_device(std::shared_ptr<backend::PtxDevice>(std::move(opened).value().device));
}

}  // namespace komuz::engine
