// SPDX-License-Identifier: Apache-2.0
// DeviceWork on a GPU: its memory, and the stream for its kernels and copies. Only in builds with CUDA.
#pragma once
#include <string_view>
#include <vector>

#include "base/gpu/memory.h"
#include "engine/device/device_work.h"

namespace komuz::engine {

// `Work` is a DeviceWork.
template <class Work>
class CudaWork : public Work {
 public:
  Problem open(int gpu) {
    gpu_ = gpu;
    cudaError_t error = cudaSetDevice(gpu);
    if (error == cudaSuccess) error = stream_.open();
    return gpu::problem_of(error, "opening the GPU to look at variants");
  }

 protected:
  Problem reserve(u32 part, size_t bytes, u8*& out) override {
    if (parts_.size() <= part) parts_.resize(part + 1);
    cudaError_t error = cudaSetDevice(gpu_);
    if (error == cudaSuccess) error = parts_[part].at_least(bytes);
    this->is_full_ = error == cudaErrorMemoryAllocation;
    out = parts_[part].data();
    return gpu::problem_of(error, "making room for what is known of variants");
  }
  Problem fetch(void* to, const void* from, size_t bytes) override {
    return gpu::problem_of(copy(to, from, bytes, cudaMemcpyDeviceToHost), "fetching variants");
  }
  Problem send(void* to, const void* from, size_t bytes) override {
    return gpu::problem_of(copy(to, from, bytes, cudaMemcpyHostToDevice), "sending variants");
  }

  // Starts kernels: start(stream). `waits`: returns after they have ended, for a reader in another stream.
  template <class Start>
  Problem launch(const Start& start, bool waits, std::string_view doing) {
    cudaError_t error = cudaSetDevice(gpu_);
    if (error == cudaSuccess) error = start(stream_.get());
    if (error == cudaSuccess && waits) error = cudaStreamSynchronize(stream_.get());
    return gpu::problem_of(error, doing);
  }

 private:
  cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    cudaError_t error = cudaSetDevice(gpu_);
    if (error == cudaSuccess && bytes != 0)
      error = cudaMemcpyAsync(to, from, bytes, kind, stream_.get());
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  int gpu_ = 0;
  gpu::Stream stream_;
  std::vector<gpu::DeviceBuffer> parts_;
};

}  // namespace komuz::engine
