// SPDX-License-Identifier: Apache-2.0
// How the host starts the kernel that checks code. All pointers are to the device's memory.
#pragma once
#include <cuda_runtime_api.h>

#include "frontend_gpu/device/device_result.h"

namespace komuz::frontend {

// The programs of a batch, after they have been compiled.
struct CheckLaunch {
  DeviceResult* results;
  u32 programs;
  u8* output;
  u8* scratch;  // scratch_bytes for each thread
  u64 scratch_bytes;
};

inline constexpr u32 kCheckThreads = 64;  // threads of a block

[[nodiscard]] cudaError_t launch_check(const CheckLaunch& launch, u32 blocks, cudaStream_t stream);

}  // namespace komuz::frontend
