// SPDX-License-Identifier: Apache-2.0
// The kernels: each warp takes items of the launch until none is left. Frames lie in shared memory if they fit, else
// in the device's memory.
#include "vm/cuda/warp_kernels.h"

#include "base/group/warp_machine.cuh"
#include "vm/cuda/warp_vm.h"

namespace komuz::vm {

__device__ __forceinline__ void run_items(const WarpLaunch* launch, Quad* memory, u32 warp) {
  WarpVm<WarpMachine> vm(WarpMachine{}, launch, memory);
  const u32 warps = gridDim.x * kWarpsPerBlock;
  for (u32 item = warp; item < launch->items; item += warps) vm.run_item(item);
}

__global__ void __launch_bounds__(kThreadsPerBlock, kSharedBlocks)
    run_in_shared_memory(const WarpLaunch* launch, u32 quads) {
  extern __shared__ Quad shared[];
  const u32 warp = threadIdx.x / kWarpLanes;
  run_items(launch, shared + warp * quads, blockIdx.x * kWarpsPerBlock + warp);
}

__global__ void __launch_bounds__(kThreadsPerBlock, kDeviceBlocks)
    run_in_device_memory(const WarpLaunch* launch, u32 quads, Quad* frames) {
  const u32 warp = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpLanes;
  run_items(launch, frames + u64{warp} * quads, warp);
}

cudaError_t allow_shared_memory(u32 bytes_of_a_block) {
  const cudaError_t error =
      cudaFuncSetAttribute(run_in_shared_memory, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(bytes_of_a_block));
  if (error != cudaSuccess) return error;
  // Frames need the memory more than the cache does: the rest that is read, code and constants, is small.
  return cudaFuncSetAttribute(run_in_shared_memory, cudaFuncAttributePreferredSharedMemoryCarveout,
                              cudaSharedmemCarveoutMaxShared);
}

cudaError_t launch_in_shared_memory(const WarpLaunch* launch, u32 quads, u32 blocks,
                                    cudaStream_t stream) {
  run_in_shared_memory<<<blocks, kThreadsPerBlock, kWarpsPerBlock * quads * sizeof(Quad), stream>>>(
      launch, quads);
  return cudaGetLastError();
}

cudaError_t launch_in_device_memory(const WarpLaunch* launch, u32 quads, Quad* frames, u32 blocks,
                                    cudaStream_t stream) {
  run_in_device_memory<<<blocks, kThreadsPerBlock, 0, stream>>>(launch, quads, frames);
  return cudaGetLastError();
}

__global__ void __launch_bounds__(kThreadsPerBlock)
    sort_programs(const __grid_constant__ LaunchSort sort) {
  const u32 number = blockIdx.x * kThreadsPerBlock + threadIdx.x;
  if (number < sort.count) sort_program(sort, number, WarpMachine{});
}

cudaError_t launch_sorting(const LaunchSort& sort, cudaStream_t stream) {
  const u32 blocks = (sort.count + kThreadsPerBlock - 1) / kThreadsPerBlock;
  sort_programs<<<blocks, kThreadsPerBlock, 0, stream>>>(sort);
  return cudaGetLastError();
}

}  // namespace komuz::vm
