// SPDX-License-Identifier: Apache-2.0
// Kernels on a GPU. Modules are loaded by functions of the driver's library, which is looked for when a GPU is opened: no
// executable needs it to start. Memory and streams are the runtime's; both work in the device's primary context.
#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <vector>

#include "backend/cuda/ptx_device.h"
#include "base/gpu/devices.h"
#include "base/gpu/memory.h"

namespace komuz::backend {
namespace {

constexpr u32 kBlock = 128;  // threads of a block
constexpr u64 kMostBlocks = 0x7FFF'FFFF;

// The functions of the driver's library, by the names that it has had since CUDA 4.
class Driver {
 public:
  Problem open() {
    library_ = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr)
      return device_problem("the driver's library libcuda.so.1 is not there");
    const bool has_all = find(load, "cuModuleLoadDataEx") && find(unload, "cuModuleUnload") &&
                         find(function, "cuModuleGetFunction") && find(launch, "cuLaunchKernel") &&
                         find(error_text, "cuGetErrorString");
    return has_all ? Problem() : device_problem("the driver's library libcuda.so.1 is too old");
  }
  [[nodiscard]] Problem problem_of(CUresult result, const std::string& doing,
                                   const std::string& more = {}) const {
    if (result == CUDA_SUCCESS) return {};
    const char* text = nullptr;
    if (error_text(result, &text) != CUDA_SUCCESS || text == nullptr) text = "unknown";
    return device_problem("CUDA error " + std::to_string(static_cast<int>(result)) + " (" + text +
                          ") while " + doing + (more.empty() ? "" : ": " + more));
  }

  decltype(&cuModuleLoadDataEx) load = nullptr;
  decltype(&cuModuleUnload) unload = nullptr;
  decltype(&cuModuleGetFunction) function = nullptr;
  decltype(&cuLaunchKernel) launch = nullptr;
  decltype(&cuGetErrorString) error_text = nullptr;

 private:
  template <class F>
  bool find(F& found, const char* name) {
    found = reinterpret_cast<F>(dlsym(library_, name));
    return found != nullptr;
  }
  void* library_ = nullptr;  // stays open
};

// Columns one behind the other, each at a multiple of 256 bytes.
class Columns {
 public:
  size_t add(size_t bytes) {
    const size_t at = size_;
    size_ = (at + bytes + 255) / 256 * 256;
    return at;
  }
  [[nodiscard]] size_t size() const { return std::max<size_t>(size_, 1); }

 private:
  size_t size_ = 0;
};

class CudaPtxDevice final : public PtxDevice {
 public:
  ~CudaPtxDevice() override { unload(); }

  Problem open(int ordinal) {
    ordinal_ = ordinal;
    if (Problem problem = driver_.open()) return problem;
    cudaError_t error = cudaSetDevice(ordinal);
    // Makes the primary context that of this thread, with any version of the runtime.
    if (error == cudaSuccess) error = cudaFree(nullptr);
    if (error == cudaSuccess) error = stream_.open();
    if (error == cudaSuccess) error = events_.open();
    return gpu::problem_of(error, "opening the GPU");
  }

  Problem load(const std::string& module) override {
    if (Problem problem = use()) return problem;
    unload();
    std::array<char, 8192> said{};
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {said.data(), reinterpret_cast<void*>(uintptr_t{said.size() - 1})};
    // A text has to end with a 0, which that of a string does.
    const CUresult result = driver_.load(&module_, module.c_str(), 2, options, values);
    if (result != CUDA_SUCCESS) module_ = nullptr;
    return driver_.problem_of(result, "loading a module", said.data());
  }

  Problem run(const std::string& kernel, const PtxRun& run, OutcomesView out) override {
    const u64 count = run.cases.count;
    if (run.fuel >> 63 != 0) return device_problem("a budget on a GPU is less than 2^63");
    if (count == 0) return {};
    const u64 blocks = (count + kBlock - 1) / kBlock;
    if (blocks > kMostBlocks) return device_problem("there are more cases than a launch may have");
    CUfunction function = nullptr;
    return use()
        .then([&] {
          return driver_.problem_of(driver_.function(&function, module_, kernel.c_str()),
                                    "looking for the kernel `" + kernel + "`");
        })
        .then([&] { return gpu::problem_of(send(run.cases, out), "sending cases to the GPU"); })
        .then([&] { return launch(function, run, static_cast<u32>(blocks)); })
        .then([&] { return gpu::problem_of(fetch(out), "running a kernel"); });
  }

  [[nodiscard]] f64 seconds() const override { return events_.seconds_after(kStart); }

 private:
  enum : u32 { kStart, kEnd, kEvents };

  Problem use() { return gpu::problem_of(cudaSetDevice(ordinal_), "opening the GPU"); }
  void unload() {
    if (module_ != nullptr && cudaSetDevice(ordinal_) == cudaSuccess) (void)driver_.unload(module_);
    module_ = nullptr;
  }

  // Makes room for all columns, and sends those of arguments with their addresses.
  cudaError_t send(const CasesView& cases, const OutcomesView& out) {
    Columns arguments, outcomes;
    std::vector<size_t> places;
    const size_t table = arguments.add(cases.columns.size() * sizeof(u8*));
    for (const ArgumentColumn& column : cases.columns)
      places.push_back(arguments.add(cases.count * scalar_bytes(column.type)));
    values_ = outcomes.add(out.values.size_bytes());
    traps_ = outcomes.add(out.traps.size_bytes());
    places_ = outcomes.add(out.places.size_bytes());
    depths_ = outcomes.add(out.depths.size_bytes());
    fuel_ = outcomes.add(out.fuel.size_bytes());
    cudaError_t error = arguments_.at_least(arguments.size());
    if (error == cudaSuccess) error = outcomes_.at_least(outcomes.size());
    std::vector<u8*> addresses;
    for (size_t k = 0; k < places.size() && error == cudaSuccess; ++k) {
      const ArgumentColumn& column = cases.columns[k];
      addresses.push_back(arguments_.data() + places[k]);
      error = copy(addresses.back(), column.data, cases.count * scalar_bytes(column.type),
                   cudaMemcpyHostToDevice);
    }
    if (error != cudaSuccess || addresses.empty()) return error;
    error = copy(arguments_.data() + table, addresses.data(), addresses.size() * sizeof(u8*),
                 cudaMemcpyHostToDevice);
    // The addresses are gone when this returns.
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  // In the order of docs/native.md.
  Problem launch(CUfunction function, const PtxRun& run, u32 blocks) {
    u8* columns = arguments_.data();
    u8 *values = outcomes_.data() + values_, *traps = outcomes_.data() + traps_,
       *places = outcomes_.data() + places_, *depths = outcomes_.data() + depths_,
       *fuel = outcomes_.data() + fuel_;
    u64 count = run.cases.count, stride = count, budget = run.fuel;
    void* given[] = {&columns, &values, &traps, &places, &depths, &fuel, &count, &stride, &budget};
    if (Problem problem =
            gpu::problem_of(events_.record(kStart, stream_.get()), "running a kernel"))
      return problem;
    const CUresult result =
        driver_.launch(function, blocks, 1, 1, kBlock, 1, 1, 0, stream_.get(), given, nullptr);
    return driver_.problem_of(result, "launching a kernel").then([&] {
      return gpu::problem_of(events_.record(kEnd, stream_.get()), "running a kernel");
    });
  }

  cudaError_t fetch(const OutcomesView& out) {
    cudaError_t error = cudaSuccess;
    const auto column = [&](auto to, size_t place) {
      if (error == cudaSuccess && !to.empty())
        error = copy(to.data(), outcomes_.data() + place, to.size_bytes(), cudaMemcpyDeviceToHost);
    };
    column(out.values, values_);
    column(out.traps, traps_);
    column(out.places, places_);
    column(out.depths, depths_);
    column(out.fuel, fuel_);
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream_.get());
  }

  int ordinal_ = 0;
  Driver driver_;
  CUmodule module_ = nullptr;
  gpu::Stream stream_;
  gpu::Events<kEvents> events_;
  gpu::DeviceBuffer arguments_, outcomes_;
  size_t values_ = 0, traps_ = 0, places_ = 0, depths_ = 0, fuel_ = 0;  // in outcomes_
};

}  // namespace

Result<OpenedPtxDevice> open_ptx_device() {
  const gpu::Devices found = gpu::find_devices();
  if (found.problem) return found.problem;
  const auto first = std::ranges::find_if(found.devices, &gpu::Device::is_usable);
  auto device = std::make_unique<CudaPtxDevice>();
  if (Problem problem = device->open(static_cast<int>(first - found.devices.begin())))
    return problem;
  return OpenedPtxDevice{std::move(device), first->name};
}

}  // namespace komuz::backend
