// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/device/cuda/cuda_device.h"

namespace komuz::frontend {

OpenedDeviceCompiler open_device_compiler() {
  OpenedBatchDevice opened = open_cuda_device();
  if (opened.device == nullptr) return {nullptr, {}, opened.problem};
  return {std::make_unique<BatchCompiler>(std::move(opened.device)), opened.name, {}};
}

}  // namespace komuz::frontend
