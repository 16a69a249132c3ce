// SPDX-License-Identifier: Apache-2.0
// The GPUs of this machine. Asking costs nothing if there is no driver. If there is one, the first question starts
// it.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ints.h"
#include "base/problem.h"

namespace komuz::gpu {

// Its number is its place in Devices::devices.
struct Device {
  std::string name;  // empty: the driver says nothing of it
  std::string bus;   // its place, such as "0000:17:00.0", by which NVML finds it (nvml.h)
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

// A GPU that this build has code for.
struct UsableDevice {
  int number = 0;
  std::string name;
};
// The one of this number; none: the first that is usable. Or why it is not there.
[[nodiscard]] Result<UsableDevice> usable_device(const Devices& found, std::optional<u32> number);
// The numbers, in the order of the list, or those of all usable ones if the list is empty. Or why one is not there.
[[nodiscard]] Result<std::vector<u32>> usable_numbers(const Devices& found,
                                                      std::span<const u32> wanted);

// "13.0" for 13000.
[[nodiscard]] inline std::string version_text(u32 version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace komuz::gpu
