// SPDX-License-Identifier: Apache-2.0
// Ranks variants on a GPU. Only counts of a stretch come to the host.
#include "engine/device/cuda/cuda_work.h"
#include "engine/device/cuda/sweep_kernels.h"
#include "engine/device/variant_sweep.h"

namespace komuz::engine {
namespace {

class CudaVariantSweep final : public CudaWork<VariantSweep> {
 protected:
  Problem run(SweepStep step, const SweepTask& task, u64 elements) override {
    // The maker of the next stretch has a stream of its own.
    return launch([&](cudaStream_t stream) { return launch_sweep(step, task, elements, stream); },
                  is_read_elsewhere(step), "ranking variants on the GPU");
  }

 private:
  // True for steps that clear or move tables. A fetch follows every other step.
  static bool is_read_elsewhere(SweepStep step) {
    return step == SweepStep::ClearKnown || step == SweepStep::ClearBehaviours ||
           step == SweepStep::MoveKnown || step == SweepStep::MoveBehaviours;
  }
};

}  // namespace

Result<std::unique_ptr<VariantSweep>> open_cuda_variant_sweep(int gpu) {
  auto sweep = std::make_unique<CudaVariantSweep>();
  if (Problem problem = sweep->open(gpu)) return problem;
  return std::unique_ptr<VariantSweep>(std::move(sweep));
}

}  // namespace komuz::engine
