// SPDX-License-Identifier: Apache-2.0
// A build without CUDA makes variants on no GPU.
#include "base/gpu/devices.h"
#include "engine/device/variant_maker.h"

namespace komuz::engine {

Result<std::unique_ptr<VariantMaker>> open_cuda_variant_maker(int) {
  return gpu::find_devices().problem;
}

}  // namespace komuz::engine
