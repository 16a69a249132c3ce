// SPDX-License-Identifier: Apache-2.0
// Host side of the kernels that expand variants: a kernel for each step, whose threads take variants until none is
// left.
#pragma once
#include <cuda_runtime_api.h>

#include "engine/device/expand_task.h"

namespace komuz::engine {

inline constexpr u32 kExpandThreads = 64;  // of a block

// Thread n uses part n of the task's scratch.
[[nodiscard]] cudaError_t launch_expand(ExpandStep step, const ExpandTask& task, u32 blocks,
                                        cudaStream_t stream);

}  // namespace komuz::engine
