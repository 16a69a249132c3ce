// SPDX-License-Identifier: Apache-2.0
// A GPU as a BatchDevice. A batch is loaded, worked on and fetched; `run` does all three. The steps stand alone for who
// measures them, or keeps sources on the device.
#pragma once
#include <memory>
#include <string>

#include "frontend_gpu/device/batch.h"
#include "frontend_gpu/device/packed.h"

namespace komuz::frontend {

enum class DeviceWork : u8 {
  Whole,    // code that is checked
  Compile,  // as far as code
  Lex,      // as far as the texts' identities
};

class CudaBatchDevice : public BatchDevice {
 public:
  virtual Problem load(const PackedPrograms& programs) = 0;
  // Waits for the end; `seconds` is what the kernels took by the device's clock.
  virtual Problem work(DeviceWork what, double& seconds) = 0;
  // Also of what `run_there` left on the device.
  virtual Problem fetch(DeviceAnswer& answer) = 0;
  // What was loaded last, where it lies. It stays as it is until something else is loaded.
  [[nodiscard]] virtual ResidentSources loaded() const = 0;
};

// The first GPU that this build has code for, or why there is none.
struct OpenedBatchDevice {
  std::unique_ptr<CudaBatchDevice> device;
  std::string name;
};
Result<OpenedBatchDevice> open_cuda_device();

// The door: compiles batches on the first GPU.
struct OpenedDeviceCompiler {
  std::unique_ptr<BatchCompiler> compiler;
  std::string name;
};
Result<OpenedDeviceCompiler> open_device_compiler();

}  // namespace komuz::frontend
