// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include <array>

#include "base/gpu/devices.h"
#include "base/gpu/memory.h"

namespace komuz::gpu {
namespace {

// The architecture for which ordinary builds and bundles are compiled. There is no code for others.
constexpr u32 kMajor = 9;

u32 version_of(cudaError_t (*query)(int*)) {
  int version = 0;
  return query(&version) == cudaSuccess && version > 0 ? static_cast<u32>(version) : 0;
}

Problem why_none(const Devices& found, cudaError_t error) {
  if (found.driver == 0) return device_problem("there is no NVIDIA driver");
  if (error == cudaErrorInsufficientDriver)
    return device_problem("the NVIDIA driver serves CUDA " + version_text(found.driver) +
                          ", but this build needs " + version_text(found.runtime) +
                          "; update the driver");
  if (error == cudaErrorNoDevice) return device_problem("the NVIDIA driver sees no GPU");
  if (error != cudaSuccess) return problem_of(error, "asking for GPUs");
  return device_problem("no GPU has compute capability 9.x, for which this build has code");
}

}  // namespace

Devices find_devices() {
  Devices found;
  found.is_built = true;
  found.driver = version_of(cudaDriverGetVersion);
  found.runtime = version_of(cudaRuntimeGetVersion);
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    (void)cudaGetLastError();  // a later call would report this error as its own
    count = 0;
  }
  bool is_any_usable = false;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties;
    // One that says nothing of itself keeps its number.
    Device& device = found.devices.emplace_back();
    if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) {
      (void)cudaGetLastError();
      continue;
    }
    device.name = properties.name;
    std::array<char, 32> bus{};
    if (cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), ordinal) == cudaSuccess)
      device.bus = bus.data();
    device.memory_bytes = properties.totalGlobalMem;
    device.major = static_cast<u32>(properties.major);
    device.minor = static_cast<u32>(properties.minor);
    device.multiprocessors = static_cast<u32>(properties.multiProcessorCount);
    device.is_usable = device.major == kMajor;
    is_any_usable |= device.is_usable;
  }
  if (!is_any_usable) found.problem = why_none(found, error);
  return found;
}

}  // namespace komuz::gpu
