// SPDX-License-Identifier: Apache-2.0
// A build without CUDA ranks variants on no GPU.
#include "base/gpu/devices.h"
#include "engine/device/variant_sweep.h"

namespace komuz::engine {

OpenedVariantSweep open_cuda_variant_sweep(int) { return {nullptr, gpu::find_devices().problem}; }

}  // namespace komuz::engine
