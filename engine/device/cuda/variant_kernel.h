// SPDX-License-Identifier: Apache-2.0
// Host side of the kernels that make variants. `task` lies in the device's memory.
#pragma once
#include <cuda_runtime_api.h>

#include "engine/device/variant_task.h"

namespace komuz::engine {

inline constexpr u32 kVariantThreads = 64;  // of a block

// Thread n uses part n of the task's scratch.
[[nodiscard]] cudaError_t launch_variants(const VariantTask* task, u32 blocks, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_stretch(const VariantTask* task, u32 blocks, cudaStream_t stream);

}  // namespace komuz::engine
