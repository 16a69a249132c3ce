// SPDX-License-Identifier: Apache-2.0
// A GPU that runs the kernels of a model.
#include <algorithm>
#include <array>

#include "base/gpu/devices.h"
#include "base/gpu/memory.h"
#include "neural/model/cuda/model_kernels.h"
#include "neural/model/cuda/model_machine.h"

namespace komuz::neural {
namespace {

class CudaModelMachine final : public ModelMachine {
 public:
  ~CudaModelMachine() override {
    // Nothing may still write to memory that goes.
    if (use() == cudaSuccess) (void)cudaStreamSynchronize(stream_.get());
  }

  Problem open(int ordinal) {
    ordinal_ = ordinal;
    cudaError_t error = use();
    if (error == cudaSuccess) error = stream_.open();
    int shared = 0, multiprocessors = 0;
    if (error == cudaSuccess)
      error = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, ordinal);
    if (error == cudaSuccess)
      error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, ordinal);
    if (error == cudaSuccess) error = allow_model_memory(static_cast<u32>(shared));
    shared_bytes_ = static_cast<size_t>(shared);
    blocks_ = static_cast<u32>(multiprocessors);
    return gpu::problem_of(error, "opening the GPU");
  }

  Result<u8*> reserve(DeviceRoom room, size_t bytes) override {
    return grown(rooms_[static_cast<u8>(room)], bytes);
  }
  Result<u8*> reserve_host(HostRoom room, size_t bytes) override {
    return grown(host_rooms_[static_cast<u8>(room)], bytes);
  }
  Problem send(u8* to, const void* from, size_t bytes) override {
    return done("sending words to the GPU", [&] {
      return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_.get());
    });
  }
  Problem fetch(void* to, const u8* from, size_t bytes) override {
    return done("fetching logits from the GPU", [&] {
      return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_.get());
    });
  }
  Problem encode(const EncodeLaunch& launch, u32 rows) override {
    return done("running the encoder", [&] { return launch_encode(launch, rows, stream_.get()); });
  }
  Problem step(const StepLaunch& launch, u32 rows) override {
    return done("running the decoder", [&] { return launch_step(launch, rows, stream_.get()); });
  }
  Problem wait() override {
    return done("running the model", [&] { return cudaStreamSynchronize(stream_.get()); });
  }

  [[nodiscard]] u32 blocks() const override { return blocks_; }
  [[nodiscard]] size_t shared_bytes() const override { return shared_bytes_; }

 private:
  // Whatever thread asks, it is this GPU that does it.
  [[nodiscard]] cudaError_t use() const { return cudaSetDevice(ordinal_); }
  template <class Act>
  Problem done(std::string_view doing, const Act& act) const {
    cudaError_t error = use();
    if (error == cudaSuccess) error = act();
    return gpu::problem_of(error, doing);
  }
  template <class Buffer>
  Result<u8*> grown(Buffer& buffer, size_t bytes) const {
    if (Problem problem = done("reserving memory for the model",
                               [&] { return buffer.at_least(std::max<size_t>(bytes, 1)); }))
      return std::move(problem).with_remedy("ask for fewer candidates, or use the CPU");
    return buffer.data();
  }

  int ordinal_ = 0;
  u32 blocks_ = 0;
  size_t shared_bytes_ = 0;
  gpu::Stream stream_;
  std::array<gpu::DeviceBuffer, kDeviceRooms> rooms_;
  std::array<gpu::PinnedBuffer, kHostRooms> host_rooms_;
};

}  // namespace

Result<OpenedModelMachine> open_model_machine(std::optional<u32> number) {
  Result<gpu::UsableDevice> usable = gpu::usable_device(gpu::find_devices(), number);
  if (usable.problem()) return std::move(usable).problem();
  auto machine = std::make_unique<CudaModelMachine>();
  if (Problem problem = machine->open(usable.value().number)) return problem;
  return OpenedModelMachine{std::move(machine), std::move(usable.value().name)};
}

}  // namespace komuz::neural
