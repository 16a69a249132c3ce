// SPDX-License-Identifier: Apache-2.0
// How the host starts the front end's kernels. All pointers are to the device's memory.
#pragma once
#include <cuda_runtime_api.h>

#include "frontend_gpu/columns/tables.h"
#include "frontend_gpu/device/packed.h"

namespace komuz::frontend {

// What the programs of a bucket are compiled with.
struct FrontLaunch {
  const u8* text;
  const PackedProgram* programs;
  DeviceResult* results;
  const Tables* tables;
  u8* output;
  u64* output_used;
  u64 output_capacity;
  u32* waiting;  // numbers of programs that wait for a block
  u32* waiting_count;
  u8* far;  // far_bytes for each block of the grid
  u64 far_bytes;
  u32 near_bytes;
  u32 begin, end;  // of `programs`
};

inline constexpr u32 kBlockWarps = 8;

// Has to be called once for a device, before the first launch.
[[nodiscard]] cudaError_t allow_near_memory();
// The number of blocks of the grid that run at a time on a multiprocessor.
[[nodiscard]] cudaError_t resident_warps(u32 near_bytes, u32& blocks);
[[nodiscard]] cudaError_t resident_lexing(u32 near_bytes, u32& blocks);

// One warp in each block of the grid.
[[nodiscard]] cudaError_t launch_warps(const FrontLaunch& launch, u32 blocks, cudaStream_t stream);
// One warp in each block; runs up to the texts' identities.
[[nodiscard]] cudaError_t launch_lexing(const FrontLaunch& launch, u32 blocks, cudaStream_t stream);
// kBlockWarps warps in each block; also takes waiting programs.
[[nodiscard]] cudaError_t launch_blocks(const FrontLaunch& launch, u32 blocks, cudaStream_t stream);
[[nodiscard]] cudaError_t allow_block_near_memory();

}  // namespace komuz::frontend
