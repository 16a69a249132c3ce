// SPDX-License-Identifier: Apache-2.0
#include "base/gpu/devices.h"
#include "engine/device/expanded_maker.h"

namespace komuz::engine {

Result<std::unique_ptr<ExpandedMaker>> open_cuda_expanded_maker(int) {
  return gpu::find_devices().problem;
}

}  // namespace komuz::engine
