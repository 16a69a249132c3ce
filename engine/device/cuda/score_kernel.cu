// SPDX-License-Identifier: Apache-2.0
// The kernel: each warp takes programs until none is left.
#include "engine/device/cuda/score_kernel.h"

#include "base/group/warp_machine.cuh"
#include "engine/device/warp_score.h"

namespace komuz::engine {

__global__ void __launch_bounds__(32 * kScoreWarps, kScoreBlocks)
    score_programs(const ScoreTask* task) {
  WarpScore<WarpMachine> score(WarpMachine{}, task);
  const u32 warps = gridDim.x * kScoreWarps;
  for (u32 program = blockIdx.x * kScoreWarps + threadIdx.x / 32; program < task->programs;
       program += warps)
    score.score(program);
}

cudaError_t launch_scoring(const ScoreTask* task, u32 blocks, cudaStream_t stream) {
  score_programs<<<blocks, 32 * kScoreWarps, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace komuz::engine
