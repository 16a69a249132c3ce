// SPDX-License-Identifier: Apache-2.0
// A build without CUDA searches on no GPU.
#include "base/gpu/devices.h"
#include "engine/device/variant_search.h"

namespace komuz::engine {

Result<std::unique_ptr<VariantSearch>> open_cuda_variant_search(int) {
  return gpu::find_devices().problem;
}

}  // namespace komuz::engine
