// SPDX-License-Identifier: Apache-2.0
// A warp compiles a program, then the next one of its bucket.
#define KOMUZ_NARROW_PASSES
#include "base/group/warp_machine.cuh"
#include "frontend_gpu/device/cuda/front_kernels.h"
#include "frontend_gpu/device/device_program.h"

namespace komuz::frontend {

using WarpGroup = CoopGroup<WarpMachine, DeviceScratch>;

// The number of warps on a multiprocessor at which a lane can have all the registers that it can address, so that
// nothing spills.
constexpr u32 kWarpsAtATime = 8;

__device__ __forceinline__ DeviceProgram<WarpGroup> program_of(WarpGroup& group,
                                                               const FrontLaunch& l, u32 k,
                                                               u64* near) {
  const PackedProgram program = l.programs[k];
  return {
      group,
      *l.tables,
      {l.text + program.begin, program.bytes},
      {reinterpret_cast<u8*>(near), l.near_bytes, l.far + blockIdx.x * l.far_bytes, l.far_bytes},
      {l.output, l.output_used, l.output_capacity}};
}

__global__ void __launch_bounds__(32, kWarpsAtATime)
    compile_by_warps(const __grid_constant__ FrontLaunch l) {
  extern __shared__ u64 near[];
  for (u32 k = l.begin + blockIdx.x; k < l.end; k += gridDim.x) {
    WarpGroup group(WarpMachine{}, DeviceScratch{});
    program_of(group, l, k, near).compile(l.results[k]);
    if (threadIdx.x == 0 && l.results[k].end == DeviceEnd::Waiting)
      l.waiting[atomicAdd(l.waiting_count, 1)] = k;
    __syncwarp();
  }
}

__global__ void __launch_bounds__(32, kWarpsAtATime)
    lex_by_warps(const __grid_constant__ FrontLaunch l) {
  extern __shared__ u64 near[];
  for (u32 k = l.begin + blockIdx.x; k < l.end; k += gridDim.x) {
    WarpGroup group(WarpMachine{}, DeviceScratch{});
    program_of(group, l, k, near).lex(l.results[k]);
    __syncwarp();
  }
}

cudaError_t allow_near_memory() {
  constexpr int kMost = static_cast<int>(kWarpBuckets[kWarpBucketCount - 1].near_bytes);
  const cudaError_t error =
      cudaFuncSetAttribute(compile_by_warps, cudaFuncAttributeMaxDynamicSharedMemorySize, kMost);
  if (error != cudaSuccess) return error;
  return cudaFuncSetAttribute(lex_by_warps, cudaFuncAttributeMaxDynamicSharedMemorySize, kMost);
}

static cudaError_t resident(void (*kernel)(FrontLaunch), u32 near_bytes, u32& blocks) {
  int count = 0;
  const cudaError_t error =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, 32, near_bytes);
  blocks = static_cast<u32>(count > 1 ? count : 1);
  return error;
}
cudaError_t resident_warps(u32 near_bytes, u32& blocks) {
  return resident(compile_by_warps, near_bytes, blocks);
}
cudaError_t resident_lexing(u32 near_bytes, u32& blocks) {
  return resident(lex_by_warps, near_bytes, blocks);
}

cudaError_t launch_warps(const FrontLaunch& launch, u32 blocks, cudaStream_t stream) {
  compile_by_warps<<<blocks, 32, launch.near_bytes, stream>>>(launch);
  return cudaGetLastError();
}
cudaError_t launch_lexing(const FrontLaunch& launch, u32 blocks, cudaStream_t stream) {
  lex_by_warps<<<blocks, 32, launch.near_bytes, stream>>>(launch);
  return cudaGetLastError();
}

}  // namespace komuz::frontend
