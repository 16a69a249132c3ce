// SPDX-License-Identifier: Apache-2.0
// The limits of the GPU, by its own clock: bytes a second within its memory and from and to that of the host,
// multiplications and additions a second. Without a GPU every row says why there is none.
#include <benchmark/benchmark.h>

#include "base/gpu/devices.h"
#include "bench/ceilings.h"

namespace komuz::bench {
namespace {

#if defined(KOMUZ_BENCH_CUDA)
CeilingMeter& meter() {
  static const std::unique_ptr<CeilingMeter> only = cuda_ceilings();
  return *only;
}
#endif

void ceiling(benchmark::State& state, [[maybe_unused]] Ceiling what,
             [[maybe_unused]] const char* counted) {
  static const Problem no_gpu = gpu::find_devices().problem;
  if (no_gpu) return state.SkipWithError(("no GPU: " + no_gpu.text()).c_str());
#if defined(KOMUZ_BENCH_CUDA)
  f64 work = 0;
  if (const CeilingRun warm = meter().run(what); warm.problem)
    return state.SkipWithError(warm.problem.text().c_str());
  for (auto _ : state) {
    const CeilingRun run = meter().run(what);
    if (run.problem) state.SkipWithError(run.problem.text().c_str());
    state.SetIterationTime(run.seconds);
    work = run.work;
  }
  state.counters[counted] = benchmark::Counter(work, benchmark::Counter::kIsIterationInvariantRate);
#endif
}

void few_rounds(benchmark::internal::Benchmark* row) {
  row->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);
}
BENCHMARK_CAPTURE(ceiling, copy_there, Ceiling::CopyThere, "bytes")->Apply(few_rounds);
BENCHMARK_CAPTURE(ceiling, copy_to, Ceiling::CopyTo, "bytes")->Apply(few_rounds);
BENCHMARK_CAPTURE(ceiling, copy_from, Ceiling::CopyFrom, "bytes")->Apply(few_rounds);
BENCHMARK_CAPTURE(ceiling, fma_f32, Ceiling::FmaF32, "operations")->Apply(few_rounds);
BENCHMARK_CAPTURE(ceiling, fma_f64, Ceiling::FmaF64, "operations")->Apply(few_rounds);
BENCHMARK_CAPTURE(ceiling, mul_i32, Ceiling::MulI32, "operations")->Apply(few_rounds);

}  // namespace
}  // namespace komuz::bench

BENCHMARK_MAIN();
