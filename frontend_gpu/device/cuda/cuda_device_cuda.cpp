// SPDX-License-Identifier: Apache-2.0
// The front end on a GPU. There is one launch for each bucket; then one of blocks, which also compiles programs for
// which warps had too little memory; then one that checks the code. Nothing returns to the host between them.
// Buffers grow to what the largest batch needs, and stay.
#include "frontend_gpu/device/cuda/cuda_device.h"

#include <algorithm>
#include <cstring>

#include "base/gpu/devices.h"
#include "base/gpu/memory.h"
#include "frontend_gpu/device/cuda/check_kernel.h"
#include "frontend_gpu/device/cuda/front_kernels.h"
#include "frontend_gpu/device/device_check.h"

namespace komuz::frontend {

namespace {

// The most blocks at a time. The device memory that each needs limits them.
constexpr u32 kMostBlocks = 32;
// Blocks of checking threads on a multiprocessor. Many threads hide the latency of memory; their scratch takes 3
// MiB.
constexpr u32 kCheckBlocks = 4;

// What kernels count.
struct Counters {
  u64 output_used = 0;
  u32 waiting = 0, reserved = 0;
};

class CudaDevice final : public CudaBatchDevice {
 public:
  Problem open(int ordinal) {
    return gpu::problem_of(try_open(ordinal), "opening the GPU for the front end");
  }

  Problem run(const PackedPrograms& programs, DeviceAnswer& answer) override {
    answer = {};
    if (programs.programs.empty()) return {};
    double seconds = 0;
    return load(programs).then([&] { return work(DeviceWork::Whole, seconds); }).then([&] {
      return fetch(answer);
    });
  }
  Problem run_there(const ResidentSources& sources, ResidentResults& out) override {
    out = {};
    if (sources.count == 0) return {};
    sources_ = sources;
    put_in_one_bucket(sources, bucket_end_);
    const cudaError_t room = try_make_room();
    out.is_full = room == cudaErrorMemoryAllocation;
    Problem wrong = gpu::problem_of(room, "making room for code on the GPU");
    double seconds = 0;
    if (!wrong) wrong = work(DeviceWork::Whole, seconds);
    if (!wrong) out = {results(), output_.data()};
    return wrong;
  }
  [[nodiscard]] int gpu() const override { return ordinal_; }
  Problem load(const PackedPrograms& programs) override {
    return gpu::problem_of(try_load(programs), "sending programs to the GPU");
  }
  Problem work(DeviceWork what, double& seconds) override {
    return gpu::problem_of(try_work(what, seconds), "compiling programs on the GPU");
  }
  Problem fetch(DeviceAnswer& answer) override {
    return gpu::problem_of(try_fetch(answer), "fetching code from the GPU");
  }
  ResidentSources loaded() const override { return loaded_; }
  u64 device_bytes() const override {
    return input_bytes() + room_far() + capacity_ + room_results() + room_waiting() +
           sizeof(Counters) + sizeof(Tables);
  }

 private:
  cudaError_t try_open(int ordinal) {
    ordinal_ = ordinal;
    int multiprocessors = 0;
    cudaError_t error = cudaSetDevice(ordinal);
    if (error == cudaSuccess)
      error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, ordinal);
    if (error == cudaSuccess) error = stream_.open();
    if (error == cudaSuccess) error = events_.open();
    if (error == cudaSuccess) error = allow_near_memory();
    if (error == cudaSuccess) error = allow_block_near_memory();
    for (u32 bucket = 0; bucket < kWarpBucketCount && error == cudaSuccess; ++bucket) {
      u32 resident = 0, lexing = 0;
      error = resident_warps(kWarpBuckets[bucket].near_bytes, resident);
      if (error == cudaSuccess)
        error = resident_lexing(kWarpBuckets[bucket].near_bytes / kLexingShare, lexing);
      warps_[bucket] = resident * static_cast<u32>(multiprocessors);
      lexing_[bucket] = lexing * static_cast<u32>(multiprocessors);
    }
    blocks_ = std::min(static_cast<u32>(multiprocessors), kMostBlocks);
    most_check_blocks_ = static_cast<u32>(multiprocessors) * kCheckBlocks;
    if (error == cudaSuccess) error = tables_.at_least(sizeof(Tables));
    if (error == cudaSuccess)
      error = cudaMemcpy(tables_.data(), &tables(), sizeof(Tables), cudaMemcpyHostToDevice);
    // The stream of the kernels does not wait for such a copy.
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    return error;
  }

  // Copies the list of programs and the source to the device, in one pinned buffer.
  cudaError_t try_load(const PackedPrograms& packed) {
    loaded_ = {};
    sources_ = packed.resident();
    std::copy(std::begin(packed.bucket_end), std::end(packed.bucket_end), bucket_end_);
    const size_t rows = sources_.count * sizeof(PackedProgram), bytes = input_bytes();
    cudaError_t error = try_make_room();
    if (error == cudaSuccess) error = sent_.at_least(bytes);
    if (error == cudaSuccess) error = input_.at_least(bytes);
    if (error != cudaSuccess) return error;
    std::memcpy(sent_.data(), packed.programs.data(), rows);
    std::memcpy(sent_.data() + rows, packed.text.data(), packed.text.size());
    error =
        cudaMemcpyAsync(input_.data(), sent_.data(), bytes, cudaMemcpyHostToDevice, stream_.get());
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream_.get());
    sources_.programs = reinterpret_cast<const PackedProgram*>(input_.data());
    sources_.text = input_.data() + rows;
    loaded_ = sources_;
    return error;
  }
  // Makes room for the results, and for the groups that work on the sources.
  cudaError_t try_make_room() {
    capacity_ = output_bytes_for(sources_.text_bytes, sources_.count);
    cudaError_t error = cudaSetDevice(ordinal_);
    if (error == cudaSuccess) error = far_.at_least(room_far());
    if (error == cudaSuccess) error = output_.at_least(capacity_);
    if (error == cudaSuccess) error = results_.at_least(room_results());
    if (error == cudaSuccess) error = waiting_.at_least(room_waiting());
    if (error == cudaSuccess) error = counters_.at_least(sizeof(Counters));
    return error;
  }
  [[nodiscard]] size_t input_bytes() const {
    return sources_.count * sizeof(PackedProgram) + sources_.text_bytes;
  }
  [[nodiscard]] u64 room_far() const { return std::max(far_bytes(), check_bytes()); }
  [[nodiscard]] size_t room_results() const { return sources_.count * sizeof(DeviceResult); }
  [[nodiscard]] size_t room_waiting() const { return sources_.count * sizeof(u32); }
  // The device memory that the groups of the largest launch take. Launches do not overlap.
  [[nodiscard]] u64 far_bytes() const {
    u64 most = u64{blocks_} * kBlockFarBytes;
    for (u32 bucket = 0; bucket < kWarpBucketCount; ++bucket)
      most = std::max(most, u64{warps_[bucket]} * kWarpBuckets[bucket].far_bytes);
    return most;
  }

  // The number of blocks of threads that check the batch.
  [[nodiscard]] u32 check_blocks() const {
    return std::clamp((sources_.count + kCheckThreads - 1) / kCheckThreads, 1u, most_check_blocks_);
  }
  [[nodiscard]] u64 check_bytes() const {
    return u64{check_blocks()} * kCheckThreads * DeviceChecker::bytes(check_room());
  }
  [[nodiscard]] DeviceResult* results() const {
    return reinterpret_cast<DeviceResult*>(results_.data());
  }
  [[nodiscard]] CheckLaunch launch_of_check() const {
    return {.results = results(),
            .programs = sources_.count,
            .output = output_.data(),
            .scratch = far_.data(),
            .scratch_bytes = DeviceChecker::bytes(check_room())};
  }

  [[nodiscard]] FrontLaunch launch_of(u32 bucket) const {
    auto* const counters = reinterpret_cast<Counters*>(counters_.data());
    FrontLaunch l{};
    l.programs = sources_.programs;
    l.text = sources_.text;
    l.results = results();
    l.tables = reinterpret_cast<const Tables*>(tables_.data());
    l.output = output_.data();
    l.output_used = &counters->output_used;
    l.output_capacity = capacity_;
    l.waiting = reinterpret_cast<u32*>(waiting_.data());
    l.waiting_count = &counters->waiting;
    l.far = far_.data();
    const bool is_warps = bucket < kWarpBucketCount;
    l.far_bytes = is_warps ? kWarpBuckets[bucket].far_bytes : kBlockFarBytes;
    l.near_bytes = is_warps ? kWarpBuckets[bucket].near_bytes : kBlockNearBytes;
    l.begin = bucket == 0 ? 0 : bucket_end_[bucket - 1];
    l.end = bucket_end_[bucket];
    return l;
  }

  cudaError_t try_work(DeviceWork what, double& seconds) {
    cudaError_t error = cudaSetDevice(ordinal_);
    if (error == cudaSuccess)
      error = cudaMemsetAsync(counters_.data(), 0, sizeof(Counters), stream_.get());
    if (error == cudaSuccess) error = events_.record(kStart, stream_.get());
    for (u32 bucket = 0; bucket < kWarpBucketCount && error == cudaSuccess; ++bucket) {
      FrontLaunch l = launch_of(bucket);
      if (l.begin == l.end) continue;
      switch (what) {
        case DeviceWork::Whole:
        case DeviceWork::Compile:
          error = launch_warps(l, std::min(l.end - l.begin, warps_[bucket]), stream_.get());
          break;
        case DeviceWork::Lex:
          l.near_bytes /= kLexingShare;
          error = launch_lexing(l, std::min(l.end - l.begin, lexing_[bucket]), stream_.get());
          break;
      }
    }
    if (error == cudaSuccess && what != DeviceWork::Lex)
      error = launch_blocks(launch_of(kWarpBucketCount), blocks_, stream_.get());
    if (error == cudaSuccess && what == DeviceWork::Whole)
      error = launch_check(launch_of_check(), check_blocks(), stream_.get());
    if (error == cudaSuccess) error = events_.record(kDone, stream_.get());
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream_.get());
    if (error == cudaSuccess) seconds = events_.seconds_after(kStart);
    return error;
  }

  cudaError_t try_fetch(DeviceAnswer& answer) {
    Counters counters;
    cudaError_t error = cudaSetDevice(ordinal_);
    if (error == cudaSuccess)
      error = cudaMemcpy(&counters, counters_.data(), sizeof counters, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) return error;
    const size_t rows = sources_.count * sizeof(DeviceResult);
    const u64 used = std::min(counters.output_used, capacity_);
    error = received_.at_least(rows + used);
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(received_.data(), results_.data(), rows, cudaMemcpyDeviceToHost,
                              stream_.get());
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(received_.data() + rows, output_.data(), used, cudaMemcpyDeviceToHost,
                              stream_.get());
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream_.get());
    if (error != cudaSuccess) return error;
    answer = {{reinterpret_cast<const DeviceResult*>(received_.data()), sources_.count},
              {received_.data() + rows, used}};
    return error;
  }

  int ordinal_ = 0;
  u32 warps_[kWarpBucketCount] = {}, lexing_[kWarpBucketCount] = {};  // how many run at a time
  u32 blocks_ = 0, most_check_blocks_ = 0;
  gpu::Stream stream_;
  enum : u32 { kStart, kDone, kEvents };
  gpu::Events<kEvents> events_;
  gpu::PinnedBuffer sent_, received_;
  gpu::DeviceBuffer tables_, far_, input_, output_, results_, waiting_, counters_;
  ResidentSources loaded_, sources_;  // what was loaded; what is worked on
  u32 bucket_end_[kBucketCount] = {};
  u64 capacity_ = 0;
};

}  // namespace

Result<OpenedBatchDevice> open_cuda_device(std::optional<u32> number) {
  Result<gpu::UsableDevice> usable = gpu::usable_device(gpu::find_devices(), number);
  if (usable.problem()) return std::move(usable).problem();
  auto device = std::make_unique<CudaDevice>();
  if (Problem problem = device->open(usable.value().number)) return problem;
  return OpenedBatchDevice{std::move(device), std::move(usable.value().name)};
}

}  // namespace komuz::frontend
