// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/device/cuda/cuda_device.h"

namespace komuz::frontend {

Result<OpenedDeviceCompiler> open_device_compiler(std::optional<u32> number) {
  Result<OpenedBatchDevice> opened = open_cuda_device(number);
  if (opened.problem()) return std::move(opened).problem();
  auto& [device, name] = opened.value();
  return OpenedDeviceCompiler{std::make_unique<BatchCompiler>(std::move(device)), std::move(name)};
}

}  // namespace komuz::frontend
