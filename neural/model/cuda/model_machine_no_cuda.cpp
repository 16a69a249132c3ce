// SPDX-License-Identifier: Apache-2.0
// A build without CUDA opens no GPU.
#include "base/gpu/devices.h"
#include "neural/model/cuda/model_machine.h"

namespace komuz::neural {

Result<OpenedModelMachine> open_model_machine(std::optional<u32> /*number*/) {
  return gpu::find_devices().problem;
}

}  // namespace komuz::neural
