// SPDX-License-Identifier: Apache-2.0
// The front end on a GPU: programs of about 1 KB and their lexing from the device's memory, and a small batch from
// the host's memory and back. Kernel times are by the device's clock, times with transfers by the host's. Counters
// show where the programs went. Without a GPU every row says why there is none.
#include <benchmark/benchmark.h>

#include <chrono>
#include <numeric>
#include <vector>

#include "bench/programs.h"
#include "frontend_gpu/device/cuda/cuda_device.h"

namespace komuz::bench {
namespace {

using frontend::CudaBatchDevice;
using frontend::DeviceAnswer;
using frontend::DeviceEnd;
using frontend::DeviceWork;
using frontend::PackedPrograms;

// Opened by the first row that needs it. If there is none, null, and the row says so.
CudaBatchDevice* gpu_device(benchmark::State& state) {
  static const Result<frontend::OpenedBatchDevice> opened = frontend::open_cuda_device();
  if (!opened.problem()) return opened.value().device.get();
  state.SkipWithError(("no GPU: " + opened.problem().text()).c_str());
  return nullptr;
}

// The programs, repeated until there are so many bytes; each at least once.
struct Batch {
  PackedPrograms packed;
  u64 bytes = 0;

  Batch(const Sources& sources, u64 wanted) {
    std::vector<std::string_view> views;
    for (u64 k = 0; bytes < wanted || k < sources.texts.size(); ++k) {
      views.push_back(sources.texts[k % sources.texts.size()]);
      bytes += views.back().size();
    }
    std::vector<u32> numbers(views.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    packed.pack(views, numbers);
  }
};

enum class Programs : u8 { Sound, Failing, ManySound, Short };
Batch batch_of(Programs kind) {
  switch (kind) {
    case Programs::Sound: return {make_programs(256, 800, 1), 64u << 20};
    case Programs::Failing: return {make_failing_programs(256, 800, 1), 64u << 20};
    case Programs::ManySound: return {make_programs(256, 800, 1), 256u << 20};
    case Programs::Short: break;
  }
  return {make_programs(4096, 200, 2), 1};
}

void count_batch(benchmark::State& state, const Batch& batch) {
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * batch.bytes));
  state.SetItemsProcessed(static_cast<i64>(state.iterations() * batch.packed.programs.size()));
}

// Counts where the programs of the last complete work went.
void count_paths(benchmark::State& state, CudaBatchDevice& device, const Batch& batch) {
  DeviceAnswer answer;
  if (const Problem wrong = device.fetch(answer)) return state.SkipWithError(wrong.text().c_str());
  f64 warps = 0, blocks = 0, checked = 0;
  for (const frontend::DeviceResult& r : answer.results) {
    if (r.end == DeviceEnd::Done) ++(r.by_block != 0 ? blocks : warps);
    checked += r.is_checked;
  }
  state.counters["by_warps"] = warps;
  state.counters["by_blocks"] = blocks;
  state.counters["for_host"] = static_cast<f64>(answer.results.size()) - warps - blocks;
  state.counters["checked"] = checked;
  state.counters["output_ratio"] =
      static_cast<f64>(answer.output.size()) / static_cast<f64>(batch.bytes);
}

// Works on sources that lie on the device, by the device's clock.
void front_end(benchmark::State& state, Programs kind, DeviceWork work) {
  CudaBatchDevice* const device = gpu_device(state);
  if (device == nullptr) return;
  const Batch batch = batch_of(kind);
  double seconds = 0;
  Problem wrong = device->load(batch.packed);
  if (!wrong) wrong = device->work(work, seconds);  // buffers grow to their size
  for (auto _ : state) {
    if (!wrong) wrong = device->work(work, seconds);
    if (wrong) state.SkipWithError(wrong.text().c_str());
    state.SetIterationTime(seconds);
  }
  if (wrong) return;
  count_batch(state, batch);
  if (work == DeviceWork::Whole) count_paths(state, *device, batch);
}

// From the host's memory and back, by the host's clock.
void front_end_with_transfers(benchmark::State& state, Programs kind) {
  CudaBatchDevice* const device = gpu_device(state);
  if (device == nullptr) return;
  const Batch batch = batch_of(kind);
  DeviceAnswer answer;
  Problem wrong = device->run(batch.packed, answer);
  for (auto _ : state)
    if (!wrong) wrong = device->run(batch.packed, answer);
  if (wrong) return state.SkipWithError(wrong.text().c_str());
  count_batch(state, batch);
}

void few_rounds(benchmark::internal::Benchmark* row) {
  row->Unit(benchmark::kMillisecond)->Iterations(9);
}
void few_timed_rounds(benchmark::internal::Benchmark* row) {
  few_rounds(row);
  row->UseManualTime();
}
BENCHMARK_CAPTURE(front_end, lexing, Programs::ManySound, DeviceWork::Lex)->Apply(few_timed_rounds);
BENCHMARK_CAPTURE(front_end, to_code, Programs::Sound, DeviceWork::Compile)
    ->Apply(few_timed_rounds);
BENCHMARK_CAPTURE(front_end, to_checked_code, Programs::Sound, DeviceWork::Whole)
    ->Apply(few_timed_rounds);
BENCHMARK_CAPTURE(front_end, all_failing, Programs::Failing, DeviceWork::Whole)
    ->Apply(few_timed_rounds);
BENCHMARK_CAPTURE(front_end, short_programs, Programs::Short, DeviceWork::Whole)
    ->Apply(few_timed_rounds);
BENCHMARK_CAPTURE(front_end_with_transfers, short_programs, Programs::Short)
    ->Apply(few_rounds)
    ->UseRealTime();

}  // namespace
}  // namespace komuz::bench

BENCHMARK_MAIN();
