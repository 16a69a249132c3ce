// SPDX-License-Identifier: Apache-2.0
// A block of several warps compiles a long program, then the next one, then programs for which warps had too little
// memory.
#define KOMUZ_NARROW_PASSES
#include "base/group/block_machine.cuh"
#include "frontend_gpu/device/cuda/front_kernels.h"
#include "frontend_gpu/device/device_program.h"

namespace komuz::frontend {

using Block = BlockMachine<kBlockWarps>;
using BlockGroup = CoopGroup<Block, DeviceScratch>;

__global__ void __launch_bounds__(32 * kBlockWarps, 1)
    compile_by_blocks(const __grid_constant__ FrontLaunch l) {
  extern __shared__ u64 near[];
  __shared__ Block::Boxes boxes;
  const u32 own = l.end - l.begin, all = own + *l.waiting_count;
  for (u32 k = blockIdx.x; k < all; k += gridDim.x) {
    const u32 number = k < own ? l.begin + k : l.waiting[k - own];
    const PackedProgram program = l.programs[number];
    const GroupMemory memory{reinterpret_cast<u8*>(near), l.near_bytes,
                             l.far + blockIdx.x * l.far_bytes, l.far_bytes};
    BlockGroup group(Block(&boxes), DeviceScratch{});
    DeviceProgram<BlockGroup>(group, *l.tables, {l.text + program.begin, program.bytes}, memory,
                              {l.output, l.output_used, l.output_capacity})
        .compile(l.results[number]);
    if (threadIdx.x == 0) l.results[number].by_block = 1;
    __syncthreads();
  }
}

cudaError_t allow_block_near_memory() {
  return cudaFuncSetAttribute(compile_by_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(kBlockNearBytes));
}

cudaError_t launch_blocks(const FrontLaunch& launch, u32 blocks, cudaStream_t stream) {
  compile_by_blocks<<<blocks, 32 * kBlockWarps, launch.near_bytes, stream>>>(launch);
  return cudaGetLastError();
}

}  // namespace komuz::frontend
