// SPDX-License-Identifier: Apache-2.0
// How the host starts the kernels that expand variants: one for each step, whose threads take variants until none is left.
#pragma once
#include <cuda_runtime_api.h>

#include "engine/device/expand_task.h"

namespace komuz::engine {

inline constexpr u32 kExpandThreads = 64;  // of a block

// Each thread has the stretch of the task's scratch that its number says.
[[nodiscard]] cudaError_t launch_expand(ExpandStep step, const ExpandTask& task, u32 blocks,
                                        cudaStream_t stream);

}  // namespace komuz::engine
