// SPDX-License-Identifier: Apache-2.0
// Scores on a GPU. The suite is copied once; a task and its answer are one transfer each. Buffers grow to the largest
// task and stay.
#include <algorithm>

#include "base/gpu/memory.h"
#include "base/gpu/upload.h"
#include "engine/device/cuda/score_kernel.h"
#include "engine/device/outcome_scorer.h"

namespace komuz::engine {
namespace {

class CudaScorer final : public OutcomeScorer {
 public:
  Problem open(int gpu) { return gpu::problem_of(try_open(gpu), "opening the GPU for scores"); }

 protected:
  Problem load(const SuiteColumns& columns, ScoreTask& task) override {
    return gpu::problem_of(try_load(columns, task), "sending what cases expect to the GPU");
  }
  Problem run(ScoreTask task, bool fetches, Answer& out) override {
    out = {};
    if (task.programs == 0) return {};
    return gpu::problem_of(try_run(task, fetches, out), "scoring programs on the GPU");
  }

 private:
  cudaError_t try_open(int gpu) {
    gpu_ = gpu;
    int multiprocessors = 0;
    cudaError_t error = cudaSetDevice(gpu);
    if (error == cudaSuccess)
      error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, gpu);
    most_blocks_ = static_cast<u32>(multiprocessors) * kScoreBlocks;
    return error == cudaSuccess ? stream_.open() : error;
  }

  cudaError_t try_load(const SuiteColumns& columns, ScoreTask& task) {
    cudaError_t error = cudaSetDevice(gpu_);
    suite_.clear();
    const auto reserve = [this]<class T>(std::span<const T> column) {
      return suite_.reserve<T>(column.size());
    };
    const size_t expected = reserve(columns.expected), keys = reserve(columns.keys);
    const size_t traps = reserve(columns.expected_traps);
    const size_t tolerances = reserve(columns.tolerances), deviations = reserve(columns.deviations);
    const size_t floors = reserve(columns.floors);
    const size_t measures = reserve(columns.measures), weights = reserve(columns.weights);
    const size_t types = reserve(columns.types);
    if (error == cudaSuccess) error = suite_.allocate();
    if (error != cudaSuccess) return error;
    const auto place = [this]<class T>(size_t at, std::span<const T> column, const T*& out) {
      suite_.put(at, column.data(), column.size());
      out = column.empty() ? nullptr : suite_.on_device<T>(at);
    };
    place(expected, columns.expected, task.expected);
    place(keys, columns.keys, task.keys);
    place(traps, columns.expected_traps, task.expected_traps);
    place(tolerances, columns.tolerances, task.tolerances);
    place(floors, columns.floors, task.floors);
    place(measures, columns.measures, task.measures);
    place(weights, columns.weights, task.weights);
    place(deviations, columns.deviations, task.deviations);
    place(types, columns.types, task.types);
    error = suite_.send(stream_.get());
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  cudaError_t try_run(ScoreTask task, bool fetches, Answer& out) {
    const size_t cells = size_t{task.programs} * task.cells;
    const size_t cells_at = task.programs * sizeof(ProgramScore);
    const size_t bytes = cells_at + cells * sizeof(u64);
    cudaError_t error = cudaSetDevice(gpu_);
    if (error == cudaSuccess) error = answer_there_.at_least(bytes);
    if (error == cudaSuccess && fetches) error = answer_here_.at_least(bytes);
    if (error == cudaSuccess && task.keeps_case_scores)
      error = case_scores_.at_least(size_t{task.programs} * task.cases * sizeof(f64));
    task_.clear();
    const size_t at = task_.reserve<ScoreTask>(1);
    if (error == cudaSuccess) error = task_.allocate();
    if (error != cudaSuccess) return error;
    task.scores = reinterpret_cast<ProgramScore*>(answer_there_.data());
    task.shown_cells = reinterpret_cast<u64*>(answer_there_.data() + cells_at);
    task.case_scores =
        task.keeps_case_scores ? reinterpret_cast<f64*>(case_scores_.data()) : nullptr;
    task_.put(at, &task, 1);
    error = task_.send(stream_.get());
    const u32 wanted = (task.programs + kScoreWarps - 1) / kScoreWarps;
    if (error == cudaSuccess)
      error = launch_scoring(task_.on_device<ScoreTask>(at), std::min(wanted, most_blocks_),
                             stream_.get());
    if (error == cudaSuccess && fetches)
      error = cudaMemcpyAsync(answer_here_.data(), answer_there_.data(), bytes,
                              cudaMemcpyDeviceToHost, stream_.get());
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream_.get());
    out.there = task.scores;
    out.case_scores = task.case_scores;
    if (fetches) {
      out.scores = {reinterpret_cast<ProgramScore*>(answer_here_.data()), task.programs};
      out.shown_cells = {reinterpret_cast<u64*>(answer_here_.data() + cells_at), cells};
    }
    return error;
  }

  int gpu_ = 0;
  u32 most_blocks_ = 0;
  gpu::Stream stream_;
  gpu::Upload suite_, task_;
  gpu::DeviceBuffer answer_there_, case_scores_;
  gpu::PinnedBuffer answer_here_;
};

}  // namespace

Result<std::unique_ptr<OutcomeScorer>> open_cuda_outcome_scorer(int gpu) {
  auto scorer = std::make_unique<CudaScorer>();
  if (Problem problem = scorer->open(gpu)) return problem;
  return std::unique_ptr<OutcomeScorer>(std::move(scorer));
}

}  // namespace komuz::engine
