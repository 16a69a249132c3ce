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

  Result<std::unique_ptr<PtxModule>> load(const std::string& module,
                                          std::span<const PtxProgram> /*programs*/) override;
  [[nodiscard]] f64 seconds() const override { return events_.seconds_after(kStart); }

  Problem run(CUmodule module, const std::string& kernel, const PtxRun& run, OutcomesView out) {
    if (run.fuel >> 63 != 0) return device_problem("a budget on a GPU is less than 2^63");
    if (run.rows == 0) return {};
    const u32 blocks = (run.rows - 1) / kBlock + 1;
    CUfunction function = nullptr;
    return use()
        .then([&] {
          return driver_.problem_of(driver_.function(&function, module, kernel.c_str()),
                                    "looking for the kernel `" + kernel + "`");
        })
        .then([&] { return gpu::problem_of(send(run, out), "sending cases to the GPU"); })
        .then([&] { return launch(function, run, blocks); })
        .then([&] { return gpu::problem_of(fetch(run, out), "running a kernel"); });
  }
  void unload(CUmodule module) {
    if (cudaSetDevice(ordinal_) == cudaSuccess) (void)driver_.unload(module);
  }

 private:
  enum : u32 { kStart, kEnd, kEvents };

  Problem use() { return gpu::problem_of(cudaSetDevice(ordinal_), "opening the GPU"); }

  // Makes room for all columns, and sends those of arguments with their addresses.
  cudaError_t send(const PtxRun& run, const OutcomesView& out) {
    Columns arguments, outcomes;
    std::vector<size_t> places;
    const std::span<const ArgumentColumn> columns = run.cases.columns;
    const size_t table = arguments.add(columns.size() * sizeof(u8*));
    for (const ArgumentColumn& column : columns)
      places.push_back(arguments.add(size_t{run.rows} * scalar_bytes(column.type)));
    values_ = outcomes.add(cells(run, out) * run.rows * sizeof(u64));
    traps_ = outcomes.add(run.rows * sizeof(Trap));
    places_ = outcomes.add(run.rows * sizeof(u32));
    depths_ = outcomes.add(run.rows * sizeof(u32));
    fuel_ = outcomes.add(run.rows * sizeof(u64));
    cudaError_t error = arguments_.at_least(arguments.size());
    if (error == cudaSuccess) error = outcomes_.at_least(outcomes.size());
    std::vector<u8*> addresses;
    for (size_t k = 0; k < places.size() && error == cudaSuccess; ++k) {
      const size_t bytes = scalar_bytes(columns[k].type);
      addresses.push_back(arguments_.data() + places[k]);
      error = copy(addresses.back(), static_cast<const u8*>(columns[k].data) + run.first * bytes,
                   run.rows * bytes, cudaMemcpyHostToDevice);
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
    u64 count = run.rows, stride = count, budget = run.fuel;
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

  cudaError_t fetch(const PtxRun& run, const OutcomesView& out) {
    const size_t width = size_t{run.rows} * sizeof(u64);
    cudaError_t error = cudaSuccess;
    if (const size_t height = cells(run, out); height != 0)
      error = cudaMemcpy2DAsync(out.values.data() + run.first, run.cases.count * sizeof(u64),
                                outcomes_.data() + values_, width, width, height,
                                cudaMemcpyDeviceToHost, stream_.get());
    const auto column = [&](auto to, size_t place) {
      const auto rows = to.subspan(run.first, run.rows);
      if (error == cudaSuccess)
        error =
            copy(rows.data(), outcomes_.data() + place, rows.size_bytes(), cudaMemcpyDeviceToHost);
    };
    column(out.traps, traps_);
    column(out.places, places_);
    column(out.depths, depths_);
    column(out.fuel, fuel_);
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream_.get());
  }
  // Of a result.
  static size_t cells(const PtxRun& run, const OutcomesView& out) {
    return out.values.size() / run.cases.count;
  }

  int ordinal_ = 0;
  Driver driver_;
  gpu::Stream stream_;
  gpu::Events<kEvents> events_;
  gpu::DeviceBuffer arguments_, outcomes_;
  size_t values_ = 0, traps_ = 0, places_ = 0, depths_ = 0, fuel_ = 0;  // in outcomes_
};

class CudaPtxModule final : public PtxModule {
 public:
  CudaPtxModule(CudaPtxDevice& device, CUmodule module) : device_(device), module_(module) {}
  ~CudaPtxModule() override { device_.unload(module_); }
  CudaPtxModule(const CudaPtxModule&) = delete;
  CudaPtxModule& operator=(const CudaPtxModule&) = delete;

  Problem run(const std::string& kernel, const PtxRun& run, OutcomesView out) override {
    return device_.run(module_, kernel, run, out);
  }

 private:
  CudaPtxDevice& device_;
  CUmodule module_;
};

Result<std::unique_ptr<PtxModule>> CudaPtxDevice::load(const std::string& module,
                                                       std::span<const PtxProgram> /*programs*/) {
  if (Problem problem = use()) return problem;
  std::array<char, 8192> said{};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {said.data(), reinterpret_cast<void*>(uintptr_t{said.size() - 1})};
  CUmodule loaded = nullptr;
  // A text has to end with a 0, which that of a string does.
  const CUresult result = driver_.load(&loaded, module.c_str(), 2, options, values);
  if (Problem problem = driver_.problem_of(result, "loading a module", said.data())) return problem;
  return std::unique_ptr<PtxModule>(std::make_unique<CudaPtxModule>(*this, loaded));
}

}  // namespace

Result<OpenedPtxDevice> open_ptx_device(std::optional<u32> number) {
  Result<gpu::UsableDevice> usable = gpu::usable_device(gpu::find_devices(), number);
  if (usable.problem()) return std::move(usable).problem();
  auto device = std::make_unique<CudaPtxDevice>();
  if (Problem problem = device->open(usable.value().number)) return problem;
  return OpenedPtxDevice{std::move(device), std::move(usable.value().name)};
}

}  // namespace komuz::backend
