// SPDX-License-Identifier: Apache-2.0
// Runs warps on a GPU. The input of a run goes to the device in one transfer. Its output returns in one, or stays.
// Buffers grow to the largest run and stay.
#include <algorithm>

#include "base/gpu/devices.h"
#include "base/gpu/memory.h"
#include "base/gpu/upload.h"
#include "vm/cuda/launch_plan.h"
#include "vm/cuda/outcome_layout.h"
#include "vm/cuda/warp_device.h"
#include "vm/cuda/warp_kernels.h"

namespace komuz::vm {
namespace {

class CudaWarpDevice final : public WarpDevice {
 public:
  Problem open(int ordinal) { return gpu::problem_of(try_open(ordinal), "opening the GPU"); }

  Problem load_cases(const CasesView& cases) override {
    return gpu::problem_of(try_load(cases), "loading the cases");
  }

  Problem run(const WarpBatch& batch, const WarpRun& run) override {
    layout_ = OutcomeLayout(batch.programs.size(), batch.types.size(), run.cases);
    if (batch.programs.empty() || run.cases == 0) return {};
    plan_launches(batch, shared_, kSharedBlocks, kWarpsPerBlock, plan_);
    return gpu::problem_of(make_room(run.fetches), kMakingRoom)
        .then([&] { return gpu::problem_of(send(batch, run), "sending programs to the GPU"); })
        .then([&] { return gpu::problem_of(launch_and_wait(run.fetches), kRunning); });
  }
  Problem run(const ResidentPrograms& programs, const WarpRun& run) override {
    layout_ = OutcomeLayout(programs.count, size_t{programs.count} * programs.cells, run.cases);
    if (programs.count == 0 || run.cases == 0) return {};
    return gpu::problem_of(sort(programs), "sorting programs on the GPU")
        .then([&] { return gpu::problem_of(make_room(false), kMakingRoom); })
        .then([&] {
          return gpu::problem_of(send(programs, run), "sending what programs run on to the GPU");
        })
        .then([&] { return gpu::problem_of(launch_and_wait(false), kRunning); });
  }

  OutcomesView outcomes(const WarpBatch& batch, u32 program) override {
    return layout_.view(batch, program, outcomes_here_.data());
  }
  ResidentOutcomes resident() override { return layout_.resident(outcomes_there_.data()); }
  int gpu() const override { return ordinal_; }

  WarpTimes times() const override {
    return {events_.seconds_after(kStart), events_.seconds_after(kSent),
            events_.seconds_after(kRun)};
  }

 private:
  // Frames that do not fit shared memory may take this fraction of the device's free memory.
  static constexpr u64 kFrameShare = 2;
  // Blocks of a launch for each that can run at a time, so that long and short programs even out.
  static constexpr u32 kWaves = 8;
  static constexpr const char* kMakingRoom = "making room for the programs' frames and outcomes";
  static constexpr const char* kRunning = "running programs on the GPU";

  cudaError_t try_open(int ordinal) {
    int multiprocessors = 0, shared = 0, shared_of_a_block = 0, reserved = 0;
    cudaError_t error = cudaSetDevice(ordinal);
    const auto ask = [&](int& value, cudaDeviceAttr attribute) {
      if (error == cudaSuccess) error = cudaDeviceGetAttribute(&value, attribute, ordinal);
    };
    ask(multiprocessors, cudaDevAttrMultiProcessorCount);
    ask(shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    ask(shared_of_a_block, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    ask(reserved, cudaDevAttrReservedSharedMemoryPerBlock);
    ordinal_ = ordinal;
    multiprocessors_ = static_cast<u32>(multiprocessors);
    shared_ = {static_cast<u32>(shared), static_cast<u32>(shared_of_a_block),
               static_cast<u32>(reserved)};
    if (error == cudaSuccess) error = stream_.open();
    if (error == cudaSuccess) error = events_.open();
    return error == cudaSuccess ? allow_shared_memory(shared_.bytes_of_a_block) : error;
  }

  cudaError_t try_load(const CasesView& cases) {
    cudaError_t error = cudaSetDevice(ordinal_);
    columns_.clear();
    cases_.clear();
    const size_t rows = padded_rows(cases.count);
    std::vector<size_t> places;
    for (const ArgumentColumn& column : cases.columns)
      places.push_back(cases_.reserve<u8>(rows * scalar_bytes(column.type)));
    if (error == cudaSuccess) error = cases_.allocate();
    if (error != cudaSuccess) return error;
    for (size_t i = 0; i < places.size(); ++i) {
      const ArgumentColumn& column = cases.columns[i];
      cases_.put(places[i], static_cast<const u8*>(column.data),
                 size_t{cases.count} * scalar_bytes(column.type));
      columns_.push_back({cases_.on_device<u8>(places[i]), static_cast<u32>(column.type)});
    }
    if (!places.empty()) error = cases_.send(stream_.get());
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  cudaError_t make_room(bool fetches) {
    cudaError_t error = cudaSetDevice(ordinal_);
    if (error == cudaSuccess) error = outcomes_there_.at_least(layout_.bytes());
    if (error == cudaSuccess && fetches) error = outcomes_here_.at_least(layout_.bytes());
    if (error != cudaSuccess || plan_.groups.back().blocks_each != 0) return error;
    // Blocks with frames in the device's memory: as many as run at a time and find room, but at least one.
    size_t free = 0, total = 0;
    error = cudaMemGetInfo(&free, &total);
    const u64 of_a_block = plan_.groups.back().bytes * kWarpsPerBlock;
    const u64 fitting = std::max(frame_bytes_, free / kFrameShare) / of_a_block;
    frame_blocks_ =
        static_cast<u32>(std::clamp<u64>(fitting, 1, u64{multiprocessors_} * kDeviceBlocks));
    const u64 bytes = of_a_block * frame_blocks_;
    if (error == cudaSuccess) error = frames_.at_least(bytes);
    if (error == cudaSuccess) frame_bytes_ = std::max(frame_bytes_, bytes);
    return error;
  }

  cudaError_t send(const WarpBatch& batch, const WarpRun& run) {
    run_.clear();
    const size_t programs = run_.reserve<WarpProgram>(batch.programs.size());
    const size_t ops = run_.reserve<WarpOp>(batch.ops.size());
    const size_t places = run_.reserve<u32>(batch.places.size());
    const size_t constants = run_.reserve<u64>(batch.constants.size());
    const size_t types = run_.reserve<u8>(batch.types.size());
    const size_t order = run_.reserve<u32>(plan_.order.size());
    reserve_launches();
    if (const cudaError_t error = run_.allocate(); error != cudaSuccess) return error;
    run_.put(programs, batch.programs.data(), batch.programs.size());
    run_.put(ops, batch.ops.data(), batch.ops.size());
    run_.put(places, batch.places.data(), batch.places.size());
    run_.put(constants, batch.constants.data(), batch.constants.size());
    run_.put(types, batch.types.data(), batch.types.size());
    run_.put(order, plan_.order.data(), plan_.order.size());
    const ResidentCode sent{run_.on_device<WarpOp>(ops), run_.on_device<u32>(places),
                            run_.on_device<u64>(constants)};
    return send_launches({run_.on_device<WarpProgram>(programs),
                          run.code != nullptr ? *run.code : sent, run_.on_device<u8>(types), 0, 0},
                         run_.on_device<u32>(order), run);
  }
  cudaError_t send(const ResidentPrograms& programs, const WarpRun& run) {
    run_.clear();
    reserve_launches();
    if (const cudaError_t error = run_.allocate(); error != cudaSuccess) return error;
    return send_launches(programs, reinterpret_cast<const u32*>(order_.data()), run);
  }

  void reserve_launches() {
    columns_at_ = run_.reserve<WarpColumn>(columns_.size());
    launches_at_ = run_.reserve<WarpLaunch>(plan_.groups.size());
  }
  // Launches the programs whose places of `order` the plan's groups have.
  cudaError_t send_launches(const ResidentPrograms& programs, const u32* order,
                            const WarpRun& run) {
    run_.put(columns_at_, columns_.data(), columns_.size());
    WarpLaunch launch = layout_.launch(run);
    layout_.place(launch, outcomes_there_.data());
    launch.programs = programs.programs;
    launch.ops = programs.code.ops;
    launch.places = programs.code.places;
    launch.constants = programs.code.constants;
    launch.types = programs.types;
    launch.columns = run_.on_device<WarpColumn>(columns_at_);
    launch.column_count = static_cast<u32>(columns_.size());
    items_.clear();
    for (size_t i = 0; i < plan_.groups.size(); ++i) {
      const LaunchGroup& group = plan_.groups[i];
      launch.order = order + group.begin;
      launch.items = launch.tiles * (group.end - group.begin);
      items_.push_back(launch.items);
      run_.put(launches_at_ + i * sizeof launch, &launch, 1);
    }
    if (const cudaError_t error = events_.record(kStart, stream_.get()); error != cudaSuccess)
      return error;
    return run_.send(stream_.get());
  }

  // Sorts programs into launches where the programs are.
  cudaError_t sort(const ResidentPrograms& programs) {
    LaunchSort task{};
    task.programs = programs.programs;
    task.count = programs.count;
    task.classes = launch_classes(shared_, kSharedBlocks, kWarpsPerBlock);
    constexpr size_t kCounts = 2 * LaunchClasses::kMost * sizeof(u64);
    cudaError_t error = cudaSetDevice(ordinal_);
    if (error == cudaSuccess)
      error = order_.at_least(size_t{programs.count} * task.classes.count * sizeof(u32));
    if (error == cudaSuccess) error = counts_there_.at_least(kCounts);
    if (error == cudaSuccess) error = counts_here_.at_least(kCounts);
    if (error != cudaSuccess) return error;
    task.order = reinterpret_cast<u32*>(order_.data());
    task.programs_of = reinterpret_cast<u64*>(counts_there_.data());
    task.bytes_of = task.programs_of + LaunchClasses::kMost;
    error = cudaMemsetAsync(counts_there_.data(), 0, kCounts, stream_.get());
    if (error == cudaSuccess) error = launch_sorting(task, stream_.get());
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(counts_here_.data(), counts_there_.data(), kCounts,
                              cudaMemcpyDeviceToHost, stream_.get());
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream_.get());
    const auto* const counts = reinterpret_cast<const u64*>(counts_here_.data());
    if (error == cudaSuccess) plan_launches(task, counts, counts + LaunchClasses::kMost, plan_);
    return error;
  }

  cudaError_t launch_and_wait(bool fetches) {
    cudaError_t error = events_.record(kSent, stream_.get());
    for (size_t i = 0; i < plan_.groups.size() && error == cudaSuccess; ++i)
      error = launch_group(i);
    if (error == cudaSuccess) error = events_.record(kRun, stream_.get());
    if (error == cudaSuccess && fetches)
      error = cudaMemcpyAsync(outcomes_here_.data(), outcomes_there_.data(), layout_.bytes(),
                              cudaMemcpyDeviceToHost, stream_.get());
    if (error == cudaSuccess) error = events_.record(kFetched, stream_.get());
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  cudaError_t launch_group(size_t number) {
    const LaunchGroup& group = plan_.groups[number];
    const auto* const launch =
        run_.on_device<WarpLaunch>(launches_at_ + number * sizeof(WarpLaunch));
    const u32 wanted = (items_[number] + kWarpsPerBlock - 1) / kWarpsPerBlock;
    const u32 quads = static_cast<u32>(group.bytes / sizeof(Quad));
    if (group.blocks_each == 0)
      return launch_in_device_memory(launch, quads, reinterpret_cast<Quad*>(frames_.data()),
                                     std::min(wanted, frame_blocks_), stream_.get());
    const u32 most = multiprocessors_ * group.blocks_each * kWaves;
    return launch_in_shared_memory(launch, quads, std::min(wanted, most), stream_.get());
  }

  int ordinal_ = 0;
  u32 multiprocessors_ = 0;
  SharedMemory shared_;
  gpu::Stream stream_;
  enum : u32 { kStart, kSent, kRun, kFetched, kEvents };
  gpu::Events<kEvents> events_;
  gpu::Upload cases_, run_;
  std::vector<WarpColumn> columns_;
  LaunchPlan plan_;
  OutcomeLayout layout_;
  size_t columns_at_ = 0, launches_at_ = 0;  // in run_
  std::vector<u32> items_;                   // of each launch
  gpu::DeviceBuffer outcomes_there_, frames_;
  gpu::PinnedBuffer outcomes_here_;
  gpu::DeviceBuffer order_, counts_there_;  // of programs that lie there
  gpu::PinnedBuffer counts_here_;
  u64 frame_bytes_ = 0;   // of frames_
  u32 frame_blocks_ = 0;  // that have room there
};

}  // namespace

Result<OpenedWarpDevice> open_cuda_device(std::optional<u32> number) {
  Result<gpu::UsableDevice> usable = gpu::usable_device(gpu::find_devices(), number);
  if (usable.problem()) return std::move(usable).problem();
  auto device = std::make_unique<CudaWarpDevice>();
  if (Problem problem = device->open(usable.value().number)) return problem;
  return OpenedWarpDevice{std::move(device), std::move(usable.value().name)};
}

}  // namespace komuz::vm
