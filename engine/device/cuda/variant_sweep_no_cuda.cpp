// SPDX-License-Identifier: Apache-2.0
// A build without CUDA ranks variants on no GPU.
#include "base/gpu/devices.h"
#include "engine/device/variant_sweep.h"

namespace komuz::engine {

Result<std::unique_ptr<VariantSweep>> open_cuda_variant_sweep(int) {
  return gpu::find_devices().problem;
}

}  // namespace komuz::engine
