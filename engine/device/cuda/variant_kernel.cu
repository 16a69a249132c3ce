// SPDX-License-Identifier: Apache-2.0
// The kernels that make variants: each thread takes variants until none is left. Making one is a walk over tables
// that all threads share. No two walks are alike, so the threads of a warp diverge; many threads hide the latency of
// memory.
#include "base/group/warp_machine.cuh"
#include "engine/device/cuda/variant_kernel.h"
#include "engine/device/make_variant.h"

namespace komuz::engine {

__global__ void __launch_bounds__(kVariantThreads) make_variants(const VariantTask* task) {
  const u32 thread = blockIdx.x * kVariantThreads + threadIdx.x;
  const u32 threads = gridDim.x * kVariantThreads;
  VariantWorkspace workspace(*task, task->scratch + thread * task->scratch_bytes);
  for (u32 variant = thread; variant < task->count; variant += threads)
    workspace.make(*task, variant, WarpMachine{});
}

__global__ void __launch_bounds__(kVariantThreads) make_stretch(const VariantTask* task) {
  const u32 thread = blockIdx.x * kVariantThreads + threadIdx.x;
  const u32 threads = gridDim.x * kVariantThreads;
  VariantWorkspace workspace(*task, task->scratch + thread * task->scratch_bytes);
  for (u32 variant = thread; variant < task->count; variant += threads)
    workspace.make_of_stretch(*task, variant, WarpMachine{});
}

cudaError_t launch_variants(const VariantTask* task, u32 blocks, cudaStream_t stream) {
  make_variants<<<blocks, kVariantThreads, 0, stream>>>(task);
  return cudaGetLastError();
}
cudaError_t launch_stretch(const VariantTask* task, u32 blocks, cudaStream_t stream) {
  make_stretch<<<blocks, kVariantThreads, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace komuz::engine
