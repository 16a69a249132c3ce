// SPDX-License-Identifier: Apache-2.0
// Variants ranked on a GPU. Of a stretch nothing but counts comes to the host.
#include "base/gpu/memory.h"
#include "engine/cuda/sweep_kernels.h"
#include "engine/cuda/variant_sweep.h"

namespace komuz::engine {
namespace {

class CudaVariantSweep final : public VariantSweep {
 public:
  [[nodiscard]] std::string open(int gpu) {
    gpu_ = gpu;
    cudaError_t error = cudaSetDevice(gpu);
    if (error == cudaSuccess) error = stream_.open();
    return said(error, "opening the GPU to rank variants");
  }

 protected:
  std::string reserve(Part part, size_t bytes, u8*& out) override {
    gpu::DeviceBuffer& buffer = parts_[static_cast<u32>(part)];
    cudaError_t error = cudaSetDevice(gpu_);
    if (error == cudaSuccess) error = buffer.at_least(bytes);
    out = buffer.data();
    return said(error, "making room for what is known of variants");
  }
  std::string run(SweepStep step, const SweepTask& task, u64 elements) override {
    cudaError_t error = cudaSetDevice(gpu_);
    if (error == cudaSuccess) error = launch_sweep(step, task, elements, stream_.get());
    // Who makes the next stretch has a stream of its own.
    if (error == cudaSuccess && is_read_elsewhere(step))
      error = cudaStreamSynchronize(stream_.get());
    return said(error, "ranking variants on the GPU");
  }
  std::string fetch(void* to, const void* from, size_t bytes) override {
    return said(copy(to, from, bytes, cudaMemcpyDeviceToHost), "fetching the best variants");
  }
  std::string send(void* to, const void* from, size_t bytes) override {
    return said(copy(to, from, bytes, cudaMemcpyHostToDevice), "sending what variants give");
  }

 private:
  static std::string said(cudaError_t error, std::string_view doing) {
    return error == cudaSuccess ? std::string() : gpu::error_text(error, doing);
  }
  // Tables that are cleared or moved; all other steps are followed by a fetch.
  static bool is_read_elsewhere(SweepStep step) {
    return step == SweepStep::ClearKnown || step == SweepStep::ClearBehaviours ||
           step == SweepStep::MoveKnown || step == SweepStep::MoveBehaviours;
  }
  cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    cudaError_t error = cudaSetDevice(gpu_);
    if (error == cudaSuccess && bytes != 0)
      error = cudaMemcpyAsync(to, from, bytes, kind, stream_.get());
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  int gpu_ = 0;
  gpu::Stream stream_;
  gpu::DeviceBuffer parts_[kParts];
};

}  // namespace

OpenedVariantSweep open_cuda_variant_sweep(int gpu) {
  auto sweep = std::make_unique<CudaVariantSweep>();
  std::string problem = sweep->open(gpu);
  if (!problem.empty()) return {nullptr, std::move(problem)};
  return {std::move(sweep), {}};
}

}  // namespace komuz::engine
