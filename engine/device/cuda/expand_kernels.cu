// SPDX-License-Identifier: Apache-2.0
// Each thread takes variants until none is left, as in the kernels for bound code (variant_kernel.cu).
#include "engine/device/cuda/expand_kernels.h"

#include "base/group/warp_machine.cuh"
#include "engine/device/lower_variant.h"
#include "engine/device/write_variant.h"

namespace komuz::engine {

template <class Step>
__device__ void take_variants(const ExpandTask& task) {
  const u32 thread = blockIdx.x * kExpandThreads + threadIdx.x;
  const u32 threads = gridDim.x * kExpandThreads;
  Step step(task, task.scratch + thread * task.scratch_bytes);
  for (u32 variant = thread; variant < task.count; variant += threads)
    step.run(task, variant, WarpMachine{});
}

__global__ void __launch_bounds__(kExpandThreads)
    write_variants(const __grid_constant__ ExpandTask task) {
  take_variants<VariantTextWriter>(task);
}
__global__ void __launch_bounds__(kExpandThreads)
    lower_variants(const __grid_constant__ ExpandTask task) {
  take_variants<VariantLowering>(task);
}

cudaError_t launch_expand(ExpandStep step, const ExpandTask& task, u32 blocks,
                          cudaStream_t stream) {
  switch (step) {
    case ExpandStep::Write: write_variants<<<blocks, kExpandThreads, 0, stream>>>(task); break;
    case ExpandStep::Lower: lower_variants<<<blocks, kExpandThreads, 0, stream>>>(task); break;
  }
  return cudaGetLastError();
}

}  // namespace komuz::engine
