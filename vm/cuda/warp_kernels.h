// SPDX-License-Identifier: Apache-2.0
// Host side of the kernels. A `launch` lies in the device's memory; `quads` is the memory of a warp.
#pragma once
#include <cuda_runtime_api.h>

#include "vm/cuda/launch_plan.h"
#include "vm/cuda/warp_launch.h"

namespace komuz::vm {

inline constexpr u32 kWarpsPerBlock = 4;
inline constexpr u32 kThreadsPerBlock = kWarpsPerBlock * kWarpLanes;
// Blocks for which the kernels' registers leave room on a multiprocessor.
inline constexpr u32 kSharedBlocks = 5, kDeviceBlocks = 5;

// Must be called once for a device, before the first launch.
[[nodiscard]] cudaError_t allow_shared_memory(u32 bytes_of_a_block);

[[nodiscard]] cudaError_t launch_in_shared_memory(const WarpLaunch* launch, u32 quads, u32 blocks,
                                                  cudaStream_t stream);
[[nodiscard]] cudaError_t launch_in_device_memory(const WarpLaunch* launch, u32 quads, Quad* frames,
                                                  u32 blocks, cudaStream_t stream);

// Uses a thread for each program.
[[nodiscard]] cudaError_t launch_sorting(const LaunchSort& sort, cudaStream_t stream);

}  // namespace komuz::vm
