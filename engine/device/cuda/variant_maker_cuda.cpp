// SPDX-License-Identifier: Apache-2.0
// Makes variants on a GPU. The tables are copied once. A list of variants is one transfer, and so is its answer; the
// code stays on the device. Buffers grow to the largest task and stay.
#include <algorithm>

#include "base/gpu/memory.h"
#include "base/gpu/upload.h"
#include "engine/device/cuda/variant_kernel.h"
#include "engine/device/variant_maker.h"

namespace komuz::engine {
namespace {

class CudaVariantMaker final : public VariantMaker {
 public:
  Problem open(int gpu) { return gpu::problem_of(try_open(gpu), "opening the GPU"); }

 protected:
  Problem load(VariantTask& task) override {
    return gpu::problem_of(try_load(task), "sending a sketch to the GPU");
  }
  Problem run(VariantTask task, const Input& input, Output& out) override {
    return gpu::problem_of(try_run(task, input, out), "making variants on the GPU");
  }

 private:
  cudaError_t try_open(int gpu) {
    gpu_ = gpu;
    int multiprocessors = 0;
    cudaError_t error = cudaSetDevice(gpu);
    if (error == cudaSuccess)
      error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, gpu);
    multiprocessors_ = static_cast<u32>(multiprocessors);
    return error == cudaSuccess ? stream_.open() : error;
  }

  cudaError_t try_load(VariantTask& task) {
    cudaError_t error = cudaSetDevice(gpu_);
    tables_.clear();
    const auto for_each = [&task](const auto& visit) {
      task.variants.for_each(visit);
      task.bind.for_each(visit);
      visit(task.slot_types), visit(task.result_types), visit(task.result_begins);
    };
    std::vector<size_t> places;
    for_each([&]<class T>(std::span<const T>& table) {
      places.push_back(tables_.reserve<T>(table.size()));
    });
    if (error == cudaSuccess) error = tables_.allocate();
    if (error != cudaSuccess) return error;
    size_t number = 0;
    for_each([&]<class T>(std::span<const T>& table) {
      const size_t at = places[number++];
      tables_.put(at, table.data(), table.size());
      table = {tables_.on_device<T>(at), table.size()};
    });
    error = tables_.send(stream_.get());
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  // Layout of an answer: the counts, then the made variants of a list.
  static constexpr size_t kMadeAt = sizeof(MadeCounts);
  [[nodiscard]] static size_t answer_bytes(const VariantTask& task) {
    return kMadeAt + (task.is_stretch ? 0 : task.count * sizeof(MadeVariant));
  }

  cudaError_t try_run(VariantTask task, const Input& input, Output& out) {
    const u32 blocks = blocks_for(task);
    cudaError_t error = cudaSetDevice(gpu_);
    if (error == cudaSuccess) error = place_results(task, blocks);
    size_t task_at = 0;
    if (error == cudaSuccess) error = place_input(task, input, task_at);
    if (error == cudaSuccess) error = launch(task, task_at, blocks);
    if (error != cudaSuccess) return error;
    out.counts = *reinterpret_cast<const MadeCounts*>(answer_here_.data());
    out.made = {reinterpret_cast<const MadeVariant*>(answer_here_.data() + kMadeAt),
                task.is_stretch ? 0 : task.count};
    out.code = {task.code.ops, task.code.places, task.code.constants};
    return cudaSuccess;
  }

  // Points the task to memory for the threads' results.
  cudaError_t place_results(VariantTask& task, u32 blocks) {
    cudaError_t error = answer_here_.at_least(answer_bytes(task));
    const auto place = [&error](gpu::DeviceBuffer& buffer, size_t bytes) {
      if (error == cudaSuccess) error = buffer.at_least(bytes);
      return buffer.data();
    };
    task.scratch = place(scratch_, size_t{blocks} * kVariantThreads * task.scratch_bytes);
    task.code.ops =
        reinterpret_cast<vm::WarpOp*>(place(ops_, task.code.most_ops * sizeof(vm::WarpOp)));
    task.code.places = reinterpret_cast<u32*>(place(places_, task.code.most_ops * sizeof(u32)));
    task.code.constants =
        reinterpret_cast<u64*>(place(constants_, task.code.most_constants * sizeof(u64)));
    u8* const answer = place(answer_there_, answer_bytes(task));
    task.code.counts = reinterpret_cast<MadeCounts*>(answer);
    task.made = reinterpret_cast<MadeVariant*>(answer + kMadeAt);
    return error;
  }

  // Points the task to the lists of variants, and puts it beside them.
  cudaError_t place_input(VariantTask& task, const Input& input, size_t& task_at) {
    input_.clear();
    const size_t numbers = input_.reserve<u64>(input.numbers.size());
    const size_t begins = input_.reserve<u32>(input.decision_begins.size());
    const size_t decisions = input_.reserve<u32>(input.decisions.size());
    task_at = input_.reserve<VariantTask>(1);
    const cudaError_t error = input_.allocate();
    if (error != cudaSuccess) return error;
    input_.put(numbers, input.numbers.data(), input.numbers.size());
    input_.put(begins, input.decision_begins.data(), input.decision_begins.size());
    input_.put(decisions, input.decisions.data(), input.decisions.size());
    task.numbers = input_.on_device<u64>(numbers);
    task.decision_begins = input_.on_device<u32>(begins);
    task.decisions = input_.on_device<u32>(decisions);
    input_.put(task_at, &task, 1);
    return cudaSuccess;
  }

  // Sends the input, runs the task and fetches the answer.
  cudaError_t launch(const VariantTask& task, size_t task_at, u32 blocks) {
    cudaError_t error = cudaMemsetAsync(task.code.counts, 0, kMadeAt, stream_.get());
    if (error == cudaSuccess) error = input_.send(stream_.get());
    const auto start = task.is_stretch ? launch_stretch : launch_variants;
    if (error == cudaSuccess)
      error = start(input_.on_device<VariantTask>(task_at), blocks, stream_.get());
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(answer_here_.data(), answer_there_.data(), answer_bytes(task),
                              cudaMemcpyDeviceToHost, stream_.get());
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  // Enough blocks to hide the latency of memory, within the limit on scratch.
  [[nodiscard]] u32 blocks_for(const VariantTask& task) const {
    constexpr size_t kMostScratch = size_t{2} << 30;
    constexpr u32 kBlocks = 8;  // on a multiprocessor
    const size_t of_a_block = kVariantThreads * task.scratch_bytes;
    const u32 wanted = (task.count + kVariantThreads - 1) / kVariantThreads;
    const size_t fitting = std::max<size_t>(kMostScratch / of_a_block, 1);
    return static_cast<u32>(std::min<size_t>({wanted, fitting, multiprocessors_ * kBlocks}));
  }

  int gpu_ = 0;
  u32 multiprocessors_ = 0;
  gpu::Stream stream_;
  gpu::Upload tables_, input_;
  gpu::DeviceBuffer scratch_, ops_, places_, constants_, answer_there_;
  gpu::PinnedBuffer answer_here_;
};

}  // namespace

Result<std::unique_ptr<VariantMaker>> open_cuda_variant_maker(int gpu) {
  auto maker = std::make_unique<CudaVariantMaker>();
  if (Problem problem = maker->open(gpu)) return problem;
  return std::unique_ptr<VariantMaker>(std::move(maker));
}

}  // namespace komuz::engine
