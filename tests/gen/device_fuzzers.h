// SPDX-License-Identifier: Apache-2.0
// One step of each fuzzer of a device. A step is a batch that follows from its seed, run on the device and on the
// host. An empty answer means that both gave the same bytes; otherwise it tells the difference. fuzzers.h has the
// fuzzers of single programs.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "backend/cuda/ptx_device.h"
#include "engine/device.h"
#include "engine/engine.h"
#include "engine/sketch/sketch_program.h"
#include "frontend_gpu/device/batch.h"
#include "vm/cuda/warp_device.h"

namespace komuz::test {

struct FuzzedDevice {
  std::unique_ptr<frontend::BatchCompiler> compiler;
  std::unique_ptr<vm::WarpDevice> warps;
  std::shared_ptr<backend::PtxDevice> kernels;
  std::vector<engine::Device> more;  // beside these, for runs on several devices
};
[[nodiscard]] FuzzedDevice fuzzed_emulator();
// The first GPU, and beside it all others.
Result<FuzzedDevice> fuzzed_gpu();

// The size of a step. The emulator takes a thousand times as long as a GPU.
struct DeviceBatch {
  u32 programs, cases, population, generations;
};
inline constexpr DeviceBatch kEmulatedBatch{6, 21, 12, 3}, kGpuBatch{300, 133, 300, 12};

class DeviceFuzzers {
 public:
  DeviceFuzzers(FuzzedDevice device, DeviceBatch batch)
      : device_(std::move(device)), batch_(batch) {}

  // Programs, whole and damaged, and sketches compile to the same code and diagnostics.
  [[nodiscard]] std::string front_end(u64 seed);
  // Functions of generated programs give the same outcomes; those with equal parameters run in one batch.
  [[nodiscard]] std::string machine(u64 seed);
  // Candidates, some of them damaged, give the same report.
  [[nodiscard]] std::string candidates(u64 seed);
  // The same, where each is native code: on few cases the host's, on more a kernel of the device. Nothing without LLVM.
  [[nodiscard]] std::string kernels(u64 seed);
  // Variants of a sketch give the same report: all that were asked for, or only the best.
  [[nodiscard]] std::string sketches(u64 seed);
  // A search finds the same.
  [[nodiscard]] std::string searches(u64 seed);

  // Counts, so that a run that tests nothing is noticed.
  u64 compiled = 0, damaged = 0;     // programs that compile, and that do not
  u64 ran = 0, trapped = 0;          // cases
  u64 scored = 0, refused_runs = 0;  // candidates and variants; runs that were an error on both
  u64 searched = 0;                  // the same for searches
  u64 by_kernels = 0, natively = 0;  // cases of candidates, of the device and of all

 private:
  struct Task;
  [[nodiscard]] bool make_task(u64 seed, Task& task);
  template <class MakeSource>
  [[nodiscard]] std::string compare(const Task& task, engine::EvaluateOptions options,
                                    const MakeSource& make_source, u64& counted);

  FuzzedDevice device_;
  DeviceBatch batch_;
  frontend::BatchReader reader_{};
  frontend::Compiler host_{};
};

}  // namespace komuz::test
