// SPDX-License-Identifier: Apache-2.0
// A build without CUDA opens no GPU.
#include "backend/cuda/ptx_device.h"
#include "base/gpu/devices.h"

namespace komuz::backend {

Result<OpenedPtxDevice> open_ptx_device(std::optional<u32> /*number*/) {
  return gpu::find_devices().problem;
}

}  // namespace komuz::backend
