// SPDX-License-Identifier: Apache-2.0
// What belongs to a device and must be given back: memory, streams. Only for builds with CUDA. Errors are CUDA's
// own; problem_of makes a sentence of one.
#pragma once
#include <cuda_runtime_api.h>

#include <string>
#include <utility>

#include "base/ints.h"
#include "base/problem.h"

namespace komuz::gpu {

// "out of memory while …; …", "CUDA error 719 (unspecified launch failure) while …"; of cudaSuccess none.
inline Problem problem_of(cudaError_t error, std::string_view doing) {
  if (error == cudaSuccess) return {};
  if (error == cudaErrorMemoryAllocation)
    return device_problem("out of memory while " + std::string(doing) +
                          "; use fewer programs or cases at a time, or the CPU");
  return device_problem("CUDA error " + std::to_string(static_cast<int>(error)) + " (" +
                        cudaGetErrorString(error) + ") while " + std::string(doing));
}

enum class MemoryKind : u8 {
  Device,
  Pinned,  // of the host, for transfers at full speed
};

// Memory that grows, never shrinks, and does not keep its contents when it grows.
template <MemoryKind kind>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { release(); }

  [[nodiscard]] cudaError_t at_least(size_t bytes) {
    if (bytes <= size_) return cudaSuccess;
    release();
    const cudaError_t error = allocate(bytes);
    if (error == cudaSuccess) {
      size_ = bytes;
    } else {
      data_ = nullptr;
      (void)cudaGetLastError();  // a later call would report this error as its own
    }
    return error;
  }
  [[nodiscard]] u8* data() const { return static_cast<u8*>(data_); }

 private:
  cudaError_t allocate(size_t bytes) {
    if constexpr (kind == MemoryKind::Device)
      return cudaMalloc(&data_, bytes);
    else
      return cudaMallocHost(&data_, bytes);
  }
  void release() {
    if (data_ == nullptr) return;
    if constexpr (kind == MemoryKind::Device)
      (void)cudaFree(data_);
    else
      (void)cudaFreeHost(data_);
    data_ = nullptr;
    size_ = 0;
  }

  void* data_ = nullptr;
  size_t size_ = 0;
};
using DeviceBuffer = Buffer<MemoryKind::Device>;
using PinnedBuffer = Buffer<MemoryKind::Pinned>;

class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }
  [[nodiscard]] cudaError_t open() {
    return cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
  }
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Points in time on a stream.
template <u32 count>
class Events {
 public:
  Events() = default;
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events() {
    for (cudaEvent_t event : events_)
      if (event != nullptr) (void)cudaEventDestroy(event);
  }
  [[nodiscard]] cudaError_t open() {
    for (cudaEvent_t& event : events_)
      if (const cudaError_t error = cudaEventCreate(&event); error != cudaSuccess) return error;
    return cudaSuccess;
  }
  [[nodiscard]] cudaError_t record(u32 number, cudaStream_t stream) {
    return cudaEventRecord(events_[number], stream);
  }
  // Seconds from one event to the next, once both have passed; 0 if they have not been recorded.
  [[nodiscard]] f64 seconds_after(u32 number) const {
    float milliseconds = 0;
    if (cudaEventElapsedTime(&milliseconds, events_[number], events_[number + 1]) != cudaSuccess) {
      (void)cudaGetLastError();
      return 0;
    }
    return static_cast<f64>(milliseconds) / 1000;
  }

 private:
  cudaEvent_t events_[count] = {};
};

}  // namespace komuz::gpu
