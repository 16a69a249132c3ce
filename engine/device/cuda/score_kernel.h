// SPDX-License-Identifier: Apache-2.0
// Host side of the kernel that scores. `task` lies in the device's memory.
#pragma once
#include <cuda_runtime_api.h>

#include "engine/device/score_task.h"

namespace komuz::engine {

inline constexpr u32 kScoreWarps = 4;  // of a block
inline constexpr u32 kScoreBlocks =
    5;  // on a multiprocessor; the kernel's registers leave room for them

[[nodiscard]] cudaError_t launch_scoring(const ScoreTask* task, u32 blocks, cudaStream_t stream);

}  // namespace komuz::engine
