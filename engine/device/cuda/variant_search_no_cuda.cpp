// SPDX-License-Identifier: Apache-2.0
// A build without CUDA searches on no GPU.
#include "base/gpu/devices.h"
#include "engine/device/variant_search.h"

namespace komuz::engine {

OpenedVariantSearch open_cuda_variant_search(int) { return {nullptr, gpu::find_devices().problem}; }

}  // namespace komuz::engine
