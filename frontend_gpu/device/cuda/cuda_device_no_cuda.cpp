// SPDX-License-Identifier: Apache-2.0
// A build without device code opens no GPU.
#include "base/gpu/devices.h"
#include "frontend_gpu/device/cuda/cuda_device.h"

namespace komuz::frontend {

Result<OpenedBatchDevice> open_cuda_device(std::optional<u32> /*number*/) {
  return gpu::find_devices().problem;
}

}  // namespace komuz::frontend
