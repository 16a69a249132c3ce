// SPDX-License-Identifier: Apache-2.0
// Host side of the kernels that rank variants: a kernel for each step, with a thread for each element.
#pragma once
#include <cuda_runtime_api.h>

#include "engine/device/sweep_task.h"

namespace komuz::engine {

[[nodiscard]] cudaError_t launch_sweep(SweepStep step, const SweepTask& task, u64 elements,
                                       cudaStream_t stream);

}  // namespace komuz::engine
