// SPDX-License-Identifier: Apache-2.0
// A GPU as a BatchDevice. A batch is loaded, worked on and fetched; `run` does all three. The single steps are for
// those who measure them, or who keep sources on the device.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "frontend_gpu/device/batch.h"
#include "frontend_gpu/device/packed.h"

namespace komuz::frontend {

enum class DeviceWork : u8 {
  Whole,    // up to checked code
  Compile,  // up to code
  Lex,      // up to the texts' identities
};

class CudaBatchDevice : public BatchDevice {
 public:
  // Each returns what went wrong, if anything.
  virtual Problem load(const PackedPrograms& programs) = 0;
  // Waits for the end; `seconds` is the kernels' time by the device's clock.
  virtual Problem work(DeviceWork what, double& seconds) = 0;
  // Also fetches what `run_there` left on the device.
  virtual Problem fetch(DeviceAnswer& answer) = 0;
  // What was loaded last, in its place. It stays unchanged until something else is loaded.
  [[nodiscard]] virtual ResidentSources loaded() const = 0;
  // Bytes of the GPU's memory that what was loaded takes, sources, results and the groups that work on them.
  [[nodiscard]] virtual u64 device_bytes() const = 0;
};

// The GPU of this number, or the first for which this build has code; or why there is none.
struct OpenedBatchDevice {
  std::unique_ptr<CudaBatchDevice> device;
  std::string name;
};
Result<OpenedBatchDevice> open_cuda_device(std::optional<u32> number = {});

// The door: compiles batches on such a GPU, or why there is none.
struct OpenedDeviceCompiler {
  std::unique_ptr<BatchCompiler> compiler;
  std::string name;
};
Result<OpenedDeviceCompiler> open_device_compiler(std::optional<u32> number = {});

}  // namespace komuz::frontend
