// SPDX-License-Identifier: Apache-2.0
// The answer of a build without device code.
#include "base/gpu/devices.h"

namespace komuz::gpu {

Devices find_devices() {
  Devices found;
  found.problem =
      device_problem("this build has no device code: it was made without nvcc 12 or later");
  return found;
}

}  // namespace komuz::gpu
