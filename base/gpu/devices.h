// SPDX-License-Identifier: Apache-2.0
// The GPUs of this machine. Asking costs nothing if there is no driver. If there is one, the first question starts
// it.
#pragma once
#include <string>
#include <vector>

#include "base/ints.h"
#include "base/problem.h"

namespace komuz::gpu {

struct Device {
  std::string name;
  u64 memory_bytes = 0;
  u32 major = 0, minor = 0;  // compute capability
  u32 multiprocessors = 0;
  bool is_usable = false;  // this build has code for it
};

struct Devices {
  bool is_built = false;  // this build has device code
  u32 driver = 0;  // CUDA version that the driver serves, 1000 · major + 10 · minor; 0: no driver
  u32 runtime = 0;  // the CUDA version of this build
  std::vector<Device> devices;
  Problem problem;  // why none is usable, if none is
};

[[nodiscard]] Devices find_devices();

// "13.0" for 13000.
[[nodiscard]] inline std::string version_text(u32 version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace komuz::gpu
