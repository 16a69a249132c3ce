// SPDX-License-Identifier: Apache-2.0
// Host side of the kernels of a model.
#pragma once
#include <cuda_runtime_api.h>

#include "neural/model/cuda/model_launch.h"

namespace komuz::neural {

// Must be called once for a device, before the first launch.
[[nodiscard]] cudaError_t allow_model_memory(u32 bytes_of_a_block);

// `rows`: of a block, one of kRowsOfABlock.
[[nodiscard]] cudaError_t launch_encode(const EncodeLaunch& launch, u32 rows, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_step(const StepLaunch& launch, u32 rows, cudaStream_t stream);

}  // namespace komuz::neural
