// SPDX-License-Identifier: Apache-2.0
// Expands variants on a GPU. Only the counts of a stretch come to the host.
#include <algorithm>

#include "base/gpu/memory.h"
#include "engine/device/cuda/cuda_work.h"
#include "engine/device/cuda/expand_kernels.h"
#include "engine/device/expanded_maker.h"

namespace komuz::engine {
namespace {

class CudaExpandedMaker final : public CudaWork<ExpandedMaker> {
 public:
  Problem open_multiprocessors(int gpu) {
    int count = 0;
    const cudaError_t error = cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, gpu);
    multiprocessors_ = static_cast<u32>(count);
    return gpu::problem_of(error, "opening the GPU").then([&] { return open(gpu); });
  }

 protected:
  // The compiler of the texts and the device that runs the code have streams of their own.
  Problem run(ExpandStep step, const ExpandTask& task) override {
    return launch(
        [&](cudaStream_t stream) { return launch_expand(step, task, blocks_for(task), stream); },
        true, "expanding variants on the GPU");
  }
  u32 threads_for(const ExpandTask& task) const override {
    return blocks_for(task) * kExpandThreads;
  }

 private:
  // Enough blocks to hide the latency of memory, within the limit on scratch.
  [[nodiscard]] u32 blocks_for(const ExpandTask& task) const {
    constexpr size_t kAllScratch = size_t{2} << 30;
    constexpr u32 kBlocks = 8;  // on a multiprocessor
    const size_t fitting = std::max<size_t>(kAllScratch / (kExpandThreads * task.scratch_bytes), 1);
    const u32 wanted = (task.count + kExpandThreads - 1) / kExpandThreads;
    return static_cast<u32>(std::min<size_t>({wanted, fitting, multiprocessors_ * kBlocks}));
  }

  u32 multiprocessors_ = 0;
};

}  // namespace

Result<std::unique_ptr<ExpandedMaker>> open_cuda_expanded_maker(int gpu) {
  auto maker = std::make_unique<CudaExpandedMaker>();
  if (Problem problem = maker->open_multiprocessors(gpu)) return problem;
  return std::unique_ptr<ExpandedMaker>(std::move(maker));
}

}  // namespace komuz::engine
