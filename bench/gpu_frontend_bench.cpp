// SPDX-License-Identifier: Apache-2.0
// The front end on a GPU: programs of about 1 KB and their lexing from the device's memory, a small batch and one program from
// the host's memory and back, programs of several sizes, and batches of one program and more. Kernel times are by the device's clock, times with transfers by the host's. Counters
// show where the programs went, and what no implementation can avoid (`need_` and the name of a ceiling, of one round:
// gpu_report.py). Without a GPU every row says why there is none.
#include <benchmark/benchmark.h>

#include <algorithm>
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

  Batch(const Sources& sources, u64 wanted, u64 least_programs = 0) {
    const u64 programs = std::max<u64>(least_programs, sources.texts.size());
    std::vector<std::string_view> views;
    for (u64 k = 0; bytes < wanted || k < programs; ++k) {
      views.push_back(sources.texts[k % sources.texts.size()]);
      bytes += views.back().size();
    }
    std::vector<u32> numbers(views.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    packed.pack(views, numbers);
  }
};

enum class Programs : u8 { Sound, Failing, ManySound, Short, One };
// Short ones, of about 400 bytes.
Batch so_many(u32 programs) {
  constexpr u32 kDistinct = 4096;
  return {make_programs(std::min(programs, kDistinct), 200, 2), 1, programs};
}
Batch batch_of(Programs kind) {
  switch (kind) {
    case Programs::Sound: return {make_programs(256, 800, 1), 64u << 20};
    case Programs::Failing: return {make_failing_programs(256, 800, 1), 64u << 20};
    case Programs::ManySound: return {make_programs(256, 800, 1), 256u << 20};
    case Programs::One: return so_many(1);
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
  state.counters["device_bytes_a_byte"] =
      static_cast<f64>(device.device_bytes()) / static_cast<f64>(batch.bytes);
  state.counters["output_ratio"] =
      static_cast<f64>(answer.output.size()) / static_cast<f64>(batch.bytes);
}

// Works on sources that lie on the device, by the device's clock.
void work_on(benchmark::State& state, CudaBatchDevice* device, const Batch& batch,
             DeviceWork work) {
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
  state.counters["need_copy_there"] = static_cast<f64>(batch.bytes);  // each byte is read
  if (work == DeviceWork::Whole) count_paths(state, *device, batch);
}
void front_end(benchmark::State& state, Programs kind, DeviceWork work) {
  if (CudaBatchDevice* const device = gpu_device(state))
    work_on(state, device, batch_of(kind), work);
}
// Argument: the bytes of each program.
void front_end_of_bytes(benchmark::State& state) {
  constexpr u32 kDistinctBytes = 4u << 20, kBytes = 16u << 20;
  const auto bytes = static_cast<u32>(state.range(0));
  if (CudaBatchDevice* const device = gpu_device(state))
    work_on(state, device, {make_programs(kDistinctBytes / bytes, bytes, 3), kBytes},
            DeviceWork::Whole);
}
// Argument: how many programs are compiled at once.
void front_end_of_programs(benchmark::State& state) {
  if (CudaBatchDevice* const device = gpu_device(state))
    work_on(state, device, so_many(static_cast<u32>(state.range(0))), DeviceWork::Whole);
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
  state.counters["need_copy_to"] = static_cast<f64>(batch.bytes);
  state.counters["need_copy_from"] = static_cast<f64>(answer.output.size());
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
BENCHMARK_CAPTURE(front_end_with_transfers, one_program, Programs::One)
    ->Apply(few_rounds)
    ->UseRealTime();
BENCHMARK(front_end_of_bytes)->RangeMultiplier(10)->Range(100, 100'000)->Apply(few_timed_rounds);
BENCHMARK(front_end_of_programs)->RangeMultiplier(10)->Range(1, 100'000)->Apply(few_timed_rounds);

}  // namespace
}  // namespace komuz::bench

BENCHMARK_MAIN();
