// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "base/gpu/devices.h"
#include "base/gpu/memory.h"
#include "bench/ceilings.h"

namespace komuz::bench {
namespace {

constexpr size_t kCopied = size_t{1} << 30;       // bytes within the device
constexpr size_t kTransferred = size_t{1} << 28;  // bytes from and to the host
constexpr u32 kThreads = 256;                     // threads of a block
constexpr u32 kChains = 8;       // of a thread, so that no operation waits for the one before
constexpr u32 kSteps = 1 << 14;  // the steps of a chain

// Word k of the data that is copied: no two neighbours are equal, and no long part is zero.
HD u32 pattern(u64 k) { return static_cast<u32>(k * 0x9E37'79B9u) ^ 0x5BD1'E995u; }

__global__ void fill(u32* words, u64 count) {
  for (u64 k = u64{blockIdx.x} * blockDim.x + threadIdx.x; k < count;
       k += u64{gridDim.x} * blockDim.x)
    words[k] = pattern(k);
}

__global__ void copy_words(const uint4* from, uint4* to, u64 count) {
  for (u64 k = u64{blockIdx.x} * blockDim.x + threadIdx.x; k < count;
       k += u64{gridDim.x} * blockDim.x)
    to[k] = from[k];
}

HD f32 step(f32 a, f32 factor, f32 term) { return std::fma(a, factor, term); }
HD f64 step(f64 a, f64 factor, f64 term) { return std::fma(a, factor, term); }
HD u32 step(u32 a, u32 factor, u32 term) { return a * factor + term; }

// Chain c of every thread begins with c and takes the same steps.
template <class T>
HD T run_chain(u32 chain, T factor, T term) {
  T a = static_cast<T>(chain);
  for (u32 k = 0; k < kSteps; ++k) a = step(a, factor, term);
  return a;
}

template <class T>
__global__ void run_chains(T factor, T term, T* sums) {
  T chains[kChains];
#pragma unroll
  for (u32 c = 0; c < kChains; ++c) chains[c] = static_cast<T>(c);
#pragma unroll 4
  for (u32 k = 0; k < kSteps; ++k) {
#pragma unroll
    for (u32 c = 0; c < kChains; ++c) chains[c] = step(chains[c], factor, term);
  }
  T sum = 0;
#pragma unroll
  for (u32 c = 0; c < kChains; ++c) sum += chains[c];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

class CudaCeilings final : public CeilingMeter {
 public:
  CeilingRun run(Ceiling what) override {
    CeilingRun out;
    cudaError_t error = open();
    if (error == cudaSuccess) {
      switch (what) {
        case Ceiling::CopyThere: error = copy_there(out); break;
        case Ceiling::CopyTo: error = transfer(out, cudaMemcpyHostToDevice); break;
        case Ceiling::CopyFrom: error = transfer(out, cudaMemcpyDeviceToHost); break;
        case Ceiling::FmaF32: error = chains<f32>(out, 0.75f, 1.25f); break;
        case Ceiling::FmaF64: error = chains<f64>(out, 0.75, 1.25); break;
        case Ceiling::MulI32: error = chains<u32>(out, 0x9E37'79B1u, 12'345u); break;
      }
    }
    if (error != cudaSuccess)
      (void)(out.problem = gpu::problem_of(
                 error, "measuring what the GPU can do"));  // nvcc takes an assignment for a result
    return out;
  }

 private:
  cudaError_t open() {
    if (multiprocessors_ != 0) return cudaSuccess;
    const std::vector<gpu::Device> devices = gpu::find_devices().devices;
    int first = 0;  // the first usable one
    for (const gpu::Device& device : devices) {
      if (device.is_usable) break;
      ++first;
    }
    cudaError_t error = cudaSetDevice(first);
    if (error == cudaSuccess)
      error = cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, first);
    if (error == cudaSuccess) error = stream_.open();
    if (error == cudaSuccess) error = events_.open();
    return error;
  }
  [[nodiscard]] u32 blocks() const { return static_cast<u32>(multiprocessors_) * 8; }

  // Measures what start(stream) starts.
  template <class Start>
  cudaError_t timed(CeilingRun& out, const Start& start) {
    cudaError_t error = events_.record(0, stream_.get());
    if (error == cudaSuccess) error = start(stream_.get());
    if (error == cudaSuccess) error = cudaGetLastError();
    if (error == cudaSuccess) error = events_.record(1, stream_.get());
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream_.get());
    out.seconds = events_.seconds_after(0);
    return error;
  }

  cudaError_t copy_there(CeilingRun& out) {
    cudaError_t error = from_.at_least(kCopied);
    if (error == cudaSuccess) error = to_.at_least(kCopied);
    if (error != cudaSuccess) return error;
    fill<<<blocks(), kThreads, 0, stream_.get()>>>(reinterpret_cast<u32*>(from_.data()),
                                                   kCopied / sizeof(u32));
    error = cudaMemsetAsync(to_.data(), 0, kCopied, stream_.get());
    if (error == cudaSuccess)
      error = timed(out, [&](cudaStream_t stream) {
        copy_words<<<blocks(), kThreads, 0, stream>>>(reinterpret_cast<const uint4*>(from_.data()),
                                                      reinterpret_cast<uint4*>(to_.data()),
                                                      kCopied / sizeof(uint4));
        return cudaSuccess;
      });
    out.work = 2.0 * kCopied;
    // Looks at the end of the data, which an incomplete copy does not reach.
    constexpr size_t kLooked = 1 << 20;
    std::vector<u32> end(kLooked / sizeof(u32));
    if (error == cudaSuccess)
      error =
          cudaMemcpy(end.data(), to_.data() + kCopied - kLooked, kLooked, cudaMemcpyDeviceToHost);
    for (size_t k = 0; k < end.size() && error == cudaSuccess; ++k)
      if (end[k] != pattern((kCopied - kLooked) / sizeof(u32) + k))
        (void)(out.problem = device_problem("the copy is not what was copied"));
    return error;
  }

  cudaError_t transfer(CeilingRun& out, cudaMemcpyKind kind) {
    cudaError_t error = pinned_.at_least(kTransferred);
    if (error == cudaSuccess) error = from_.at_least(kCopied);
    const bool is_to = kind == cudaMemcpyHostToDevice;
    if (error == cudaSuccess)
      error = timed(out, [&](cudaStream_t stream) {
        return cudaMemcpyAsync(is_to ? from_.data() : pinned_.data(),
                               is_to ? pinned_.data() : from_.data(), kTransferred, kind, stream);
      });
    out.work = kTransferred;
    return error;
  }

  template <class T>
  cudaError_t chains(CeilingRun& out, T factor, T term) {
    const u32 threads = blocks() * kThreads;
    cudaError_t error = from_.at_least(threads * sizeof(T));
    T* const sums = reinterpret_cast<T*>(from_.data());
    if (error == cudaSuccess)
      error = timed(out, [&](cudaStream_t stream) {
        run_chains<T><<<blocks(), kThreads, 0, stream>>>(factor, term, sums);
        return cudaSuccess;
      });
    out.work = f64(threads) * kChains * kSteps;
    T wanted = 0;
    for (u32 c = 0; c < kChains; ++c) wanted += run_chain<T>(c, factor, term);
    std::vector<T> found(threads);
    if (error == cudaSuccess)
      error = cudaMemcpy(found.data(), sums, threads * sizeof(T), cudaMemcpyDeviceToHost);
    for (u32 k = 0; k < threads && error == cudaSuccess; ++k)
      if (found[k] != wanted) (void)(out.problem = device_problem("a sum is not that of the host"));
    return error;
  }

  int multiprocessors_ = 0;
  gpu::Stream stream_;
  gpu::Events<2> events_;
  gpu::DeviceBuffer from_, to_;
  gpu::PinnedBuffer pinned_;
};

}  // namespace

std::unique_ptr<CeilingMeter> cuda_ceilings() { return std::make_unique<CudaCeilings>(); }

}  // namespace komuz::bench
