// SPDX-License-Identifier: Apache-2.0
// A build without CUDA scores on no GPU.
#include "base/gpu/devices.h"
#include "engine/device/outcome_scorer.h"

namespace komuz::engine {

Result<std::unique_ptr<OutcomeScorer>> open_cuda_outcome_scorer(int) {
  return gpu::find_devices().problem;
}

}  // namespace komuz::engine
