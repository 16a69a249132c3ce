// SPDX-License-Identifier: Apache-2.0
#include "engine/device/cuda/sweep_kernels.h"

#include "base/group/warp_machine.cuh"

namespace komuz::engine {

constexpr u32 kThreads = 256;  // of a block

template <SweepStep step>
__global__ void __launch_bounds__(kThreads)
    sweep_variants(const __grid_constant__ SweepTask task, u64 elements) {
  const u64 number = u64{blockIdx.x} * kThreads + threadIdx.x;
  if (number < elements) SweepElement<WarpMachine>(task, number, WarpMachine{}).run(step);
}

template <SweepStep step>
cudaError_t launch(const SweepTask& task, u64 elements, cudaStream_t stream) {
  const auto blocks = static_cast<u32>((elements + kThreads - 1) / kThreads);
  if (blocks != 0) sweep_variants<step><<<blocks, kThreads, 0, stream>>>(task, elements);
  return cudaGetLastError();
}

cudaError_t launch_sweep(SweepStep step, const SweepTask& task, u64 elements, cudaStream_t stream) {
  switch (step) {
    case SweepStep::ClearKnown: return launch<SweepStep::ClearKnown>(task, elements, stream);
    case SweepStep::ClearBehaviours:
      return launch<SweepStep::ClearBehaviours>(task, elements, stream);
    case SweepStep::MoveKnown: return launch<SweepStep::MoveKnown>(task, elements, stream);
    case SweepStep::MoveBehaviours:
      return launch<SweepStep::MoveBehaviours>(task, elements, stream);
    case SweepStep::MoveFound: return launch<SweepStep::MoveFound>(task, elements, stream);
    case SweepStep::BeginStretch: return launch<SweepStep::BeginStretch>(task, elements, stream);
    case SweepStep::Rank: return launch<SweepStep::Rank>(task, elements, stream);
    case SweepStep::FindOthers: return launch<SweepStep::FindOthers>(task, elements, stream);
    case SweepStep::Sort: return launch<SweepStep::Sort>(task, elements, stream);
    case SweepStep::BeginCopies: return launch<SweepStep::BeginCopies>(task, elements, stream);
    case SweepStep::Count: return launch<SweepStep::Count>(task, elements, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace komuz::engine
