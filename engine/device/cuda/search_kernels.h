// SPDX-License-Identifier: Apache-2.0
// Host side of the kernels that search: a kernel for each step. `task` lies in the host's memory.
#pragma once
#include <cuda_runtime_api.h>

#include "engine/device/search_task.h"

namespace komuz::engine {

[[nodiscard]] cudaError_t launch_search(SearchStep step, const SearchTask& task, u64 elements,
                                        cudaStream_t stream);

}  // namespace komuz::engine
