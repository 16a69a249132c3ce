// SPDX-License-Identifier: Apache-2.0
// A build without CUDA opens no GPU.
#include "base/gpu/devices.h"
#include "vm/cuda/warp_device.h"

namespace komuz::vm {

Result<OpenedWarpDevice> open_cuda_device(std::optional<u32> /*number*/) {
  return gpu::find_devices().problem;
}

}  // namespace komuz::vm
