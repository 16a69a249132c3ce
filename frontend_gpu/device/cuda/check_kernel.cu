// SPDX-License-Identifier: Apache-2.0
// Each thread checks programs until none is left. A check is one walk from the first instruction to the last, and
// programs differ, so the threads of a warp diverge. The large number of threads hides the latency of memory.
#include "frontend_gpu/device/cuda/check_kernel.h"
#include "frontend_gpu/device/device_check.h"

namespace komuz::frontend {

__global__ void __launch_bounds__(kCheckThreads)
    check_programs(const __grid_constant__ CheckLaunch l) {
  const u32 thread = blockIdx.x * kCheckThreads + threadIdx.x;
  const u32 threads = gridDim.x * kCheckThreads;
  RowsMemory memory(l.scratch + thread * l.scratch_bytes);
  DeviceChecker checker(memory, check_room());
  for (u32 k = thread; k < l.programs; k += threads) check_result(checker, l.output, l.results[k]);
}

cudaError_t launch_check(const CheckLaunch& launch, u32 blocks, cudaStream_t stream) {
  check_programs<<<blocks, kCheckThreads, 0, stream>>>(launch);
  return cudaGetLastError();
}

}  // namespace komuz::frontend
