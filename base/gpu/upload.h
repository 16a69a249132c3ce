// SPDX-License-Identifier: Apache-2.0
// Sends many columns to a GPU in one transfer. Only for builds with CUDA.
#pragma once
#include <cstring>

#include "base/gpu/memory.h"

namespace komuz::gpu {

// Several columns in one block of pinned memory, each at a multiple of 256 bytes, and the same block on the device.
class Upload {
 public:
  void clear() { size_ = 0; }
  // The place where the next column will lie.
  template <class T>
  [[nodiscard]] size_t reserve(size_t count) {
    const size_t at = size_;
    size_ = (at + count * sizeof(T) + 255) / 256 * 256;
    return at;
  }
  [[nodiscard]] cudaError_t allocate() {
    const cudaError_t error = host_.at_least(size_);
    return error != cudaSuccess ? error : device_.at_least(size_);
  }
  template <class T>
  void put(size_t at, const T* data, size_t count) {
    if (count != 0) std::memcpy(host_.data() + at, data, count * sizeof(T));
  }
  template <class T>
  [[nodiscard]] const T* on_device(size_t at) const {
    return reinterpret_cast<const T*>(device_.data() + at);
  }
  [[nodiscard]] cudaError_t send(cudaStream_t stream) {
    return cudaMemcpyAsync(device_.data(), host_.data(), size_, cudaMemcpyHostToDevice, stream);
  }

 private:
  PinnedBuffer host_;
  DeviceBuffer device_;
  size_t size_ = 0;
};

}  // namespace komuz::gpu
