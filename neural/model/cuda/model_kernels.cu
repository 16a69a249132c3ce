// SPDX-License-Identifier: Apache-2.0
// The kernels of a model: a block of threads for some rows. What the threads share lies in shared memory.
#include "neural/model/cuda/model_kernels.h"

#include "base/group/block_machine.cuh"
#include "neural/model/cuda/model_passes.h"

namespace komuz::neural {

// Of a block. As many threads as the widest product of the small model has columns.
constexpr u32 kModelWarps = 16, kModelThreads = 32 * kModelWarps;
using ModelBlock = BlockMachine<kModelWarps>;

extern __shared__ float4 shared_of_model[];

template <u32 rows>
__global__ void __launch_bounds__(kModelThreads, 1)
    encode_words(const __grid_constant__ EncodeLaunch launch) {
  encode_rows<rows>(launch, blockIdx.x * rows, reinterpret_cast<f32*>(shared_of_model),
                    ModelBlock(nullptr));
}

template <u32 rows>
__global__ void __launch_bounds__(kModelThreads, 1)
    step_prefixes(const __grid_constant__ StepLaunch launch) {
  step_rows<rows>(launch, blockIdx.x * rows, reinterpret_cast<f32*>(shared_of_model),
                  ModelBlock(nullptr));
}

cudaError_t allow_model_memory(u32 bytes_of_a_block) {
  for (const u32 rows : kRowsOfABlock) {
    const cudaError_t error = with_rows(rows, [&](auto of_block) {
      const int bytes = static_cast<int>(bytes_of_a_block);
      const cudaError_t first =
          cudaFuncSetAttribute(encode_words<decltype(of_block)::value>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      return first != cudaSuccess
                 ? first
                 : cudaFuncSetAttribute(step_prefixes<decltype(of_block)::value>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    });
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t launch_encode(const EncodeLaunch& launch, u32 rows, cudaStream_t stream) {
  return with_rows(rows, [&](auto of_block) {
    encode_words<decltype(of_block)::value>
        <<<(launch.count - 1) / rows + 1, kModelThreads,
           block_numbers(launch.model, rows) * sizeof(f32), stream>>>(launch);
    return cudaGetLastError();
  });
}

cudaError_t launch_step(const StepLaunch& launch, u32 rows, cudaStream_t stream) {
  return with_rows(rows, [&](auto of_block) {
    step_prefixes<decltype(of_block)::value>
        <<<(launch.rows - 1) / rows + 1, kModelThreads,
           block_numbers(launch.model, rows) * sizeof(f32), stream>>>(launch);
    return cudaGetLastError();
  });
}

}  // namespace komuz::neural
