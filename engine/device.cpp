// SPDX-License-Identifier: Apache-2.0
#include "engine/device.h"

namespace komuz::engine {

Device open_device(DeviceChoice choice) {
  if (choice == DeviceChoice::Cpu) return {};
  vm::OpenedWarpDevice opened = vm::open_cuda_device();
  Device device;
  device.warps = std::move(opened.device);
  device.name = std::move(opened.name);
  if (choice == DeviceChoice::Cuda) device.problem = std::move(opened.problem);
  return device;
}

}  // namespace komuz::engine
