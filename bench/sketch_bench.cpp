// SPDX-License-Identifier: Apache-2.0
// Variants of a sketch: from decisions to code, bound and expanded, and the whole way from the sketch to the
// ranking; the same on a GPU. If there is none, the rows of the GPU say so.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

#include "engine/device/variant_maker.h"
#include "engine/engine.h"
#include "engine/search/search.h"
#include "engine/sketch/binder.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"

namespace komuz::engine {
namespace {

// 20,480 variants. Some have the same code, because the grid k is in one alternative of four.
constexpr const char* kSketch =
    "pub fn f(x: f64, y: f64) -> f64 {\n"
    "    let fit = ?shape[x, x * x, sqrt(max(y, 0.0)), x * y - 1.0];\n"
    "    ?sign[1.0, -1.0] * fit * ?c(0.01..10.0, steps: 16, log: true) + "
    "?rest[x * ?k(0.0..=3.0, steps: 40) + y, y, max(x, y) - 0.5, abs(x - y)]\n"
    "}\n";
// 10,240 variants, all with distinct code.
constexpr const char* kDistinct =
    "pub fn f(x: f64, y: f64) -> f64 {\n"
    "    let fit = ?shape[x, x * x, sqrt(max(y, 0.0)), x * y - 1.0];\n"
    "    ?sign[1.0, -1.0] * fit * ?c(0.01..10.0, steps: 32, log: true) + "
    "x * ?k(0.0..=3.0, steps: 40) + y\n"
    "}\n";
// 12,174 expressions from a space.
constexpr const char* kSpace =
    "pub fn f(x: f64, y: f64) -> f64 { ?e(x, y) }\n"
    "space e(x: f64, y: f64) -> f64 depth 2 { x, y, ?(0.0..=3.0, steps: 4), e + e, e * e }\n";
// Expressions from a space that has many more.
constexpr const char* kDeepSpace =
    "pub fn f(x: f64, y: f64) -> f64 { ?e(x, y) }\n"
    "space e(x: f64, y: f64) -> f64 depth 6 { x, y, ?(0.0..=3.0, steps: 64), e + e, e * e, e - e "
    "}\n";
// 2,000,000 variants, all with distinct code.
constexpr const char* kMany =
    "pub fn f(x: f64, y: f64) -> f64 {\n"
    "    x * ?(0.0..=3.0, steps: 1000) + y * ?(-1.0..=1.0, steps: 1000) - ?[0.5, min(x, y)]\n"
    "}\n";
// 10,000,000 of them.
constexpr const char* kTenMillion =
    "pub fn f(x: f64, y: f64) -> f64 {\n"
    "    x * ?(0.0..=3.0, steps: 2500) + y * ?(-1.0..=1.0, steps: 2000) - ?[0.5, min(x, y)]\n"
    "}\n";
// The operations of each variant of both on a case, at least.
constexpr f64 kOperationsOfMany = 4;
// 10,000 variants that take a while to run.
constexpr const char* kLoop =
    "pub fn f(x: f64, y: f64) -> f64 {\n"
    "    var a = x;\n"
    "    for i in 0..1000 { a += (?(0.0..1.0, steps: 100) - a * ?(0.0..1.0, steps: 100)) * y; }\n"
    "    a\n"
    "}\n";
constexpr u32 kCases = 256;

CasesTable cases(u32 count = kCases) {
  std::mt19937_64 random(1);
  std::string text = "x,y,expected\n";
  for (u32 i = 0; i < count; ++i) {
    const auto number = [&] { return std::to_string(static_cast<f64>(random() % 100'000) / 128); };
    text += number() + ',' + number() + ',' + number() + '\n';
  }
  CasesTable table;
  if (read_csv_cases("cases.csv", text, {}, table)) table.rows.clear();
  return table;
}

void count_variants(benchmark::State& state, u64 variants) {
  state.counters["variants/s"] = benchmark::Counter(
      static_cast<double>(state.iterations() * variants), benchmark::Counter::kIsRate);
}

// From decisions to code, one after the other.
void bind_variants(benchmark::State& state, const char* source) {
  const SketchProgram sketch = *read_sketch(source, {});
  Binder binder(sketch);
  Decisions decisions;
  Code code;
  u64 number = 0;
  const u64 count = sketch.plan.count().exact;
  for (auto _ : state) {
    if (!sketch.plan.unrank(number, decisions)) state.SkipWithError("no variant");
    number = (number + 1) % count;
    benchmark::DoNotOptimize(binder.bind(decisions, code));
  }
  count_variants(state, 1);
}
BENCHMARK_CAPTURE(bind_variants, choices, kSketch);
BENCHMARK_CAPTURE(bind_variants, space, kSpace);

void expand_variants(benchmark::State& state, const char* source) {
  const SketchProgram sketch = *read_sketch(source, {});
  Fill fill(sketch.source, sketch.plan);
  frontend::Compiler compiler;
  frontend::Compilation program;
  Decisions decisions;
  std::string text;
  u64 number = 0;
  const u64 count = sketch.plan.count().exact;
  for (auto _ : state) {
    if (!sketch.plan.unrank(number, decisions)) state.SkipWithError("no variant");
    number = (number + 1) % count;
    if (!fill.write(decisions, text)) state.SkipWithError("no variant");
    compiler.compile_alike(text, fill.shape(), program);
    if (!program.ok) state.SkipWithError("a variant has errors");
  }
  count_variants(state, 1);
}
BENCHMARK_CAPTURE(expand_variants, choices, kSketch);
BENCHMARK_CAPTURE(expand_variants, space, kSpace);

// Opened by the first row that needs it. If there is none, null, and the row says so.
vm::WarpDevice* gpu_device(benchmark::State& state) {
  static const Result<vm::OpenedWarpDevice> opened = vm::open_cuda_device();
  if (!opened.problem()) return opened.value().device.get();
  state.SkipWithError(("no GPU: " + opened.problem().text()).c_str());
  return nullptr;
}

// From numbers to warp code, as a device makes it: by one thread of the host, or by a GPU.
void make_variants(benchmark::State& state, const char* source, bool on_gpu) {
  const SketchProgram sketch = *read_sketch(source, {});
  std::unique_ptr<VariantMaker> maker = host_variant_maker();
  if (on_gpu) {
    vm::WarpDevice* const device = gpu_device(state);
    if (device == nullptr) return;
    Result<std::unique_ptr<VariantMaker>> opened = open_variant_maker(*device);
    if (opened.problem()) return state.SkipWithError(opened.problem().text().c_str());
    maker = std::move(opened).value();
  }
  VariantMaker::List list;
  const u64 count = sketch.plan.count().exact;
  for (u64 number = 0; number < count; ++number) list.add(number);
  Problem problem = maker->load_sketch(sketch, 0);
  // Large buffers get their room first.
  for (u32 k = 0; k < 4 && !problem; ++k) problem = maker->make(list);
  for (auto _ : state)
    if (!problem) problem = maker->make(list);
  if (problem) return state.SkipWithError(problem.text().c_str());
  count_variants(state, count);
  state.counters["left"] =
      static_cast<double>(std::ranges::count(maker->made(), Made::Left, &MadeVariant::made));
}
BENCHMARK_CAPTURE(make_variants, host_choices, kSketch, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(make_variants, host_space, kSpace, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(make_variants, gpu_choices, kSketch, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(make_variants, gpu_space, kSpace, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// From the sketch's text to the ranking of all its variants on cases, on one thread.
void rank_variants(benchmark::State& state, const char* source, bool expands,
                   vm::WarpDevice* device = nullptr, u32 count = kCases) {
  const CasesTable table = cases(count);
  u64 variants = 0;
  for (auto _ : state) {
    const SketchProgram program = *read_sketch(source, {});
    SketchCandidates candidates(program.source, program.plan, {});
    EvaluateOptions options;
    options.programs.sketch = &program;
    options.programs.expands_variants = expands;
    options.ranking.score = ScoreKind::SquaredError;
    options.machines.threads = 1;
    options.machines.device = device;
    Results results;
    if (evaluate(candidates, table, options, results)) state.SkipWithError("bad cases");
    variants = results.rows.size();
  }
  count_variants(state, variants);
}
BENCHMARK_CAPTURE(rank_variants, bound, kSketch, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rank_variants, expanded, kSketch, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rank_variants, distinct_bound, kDistinct, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rank_variants, distinct_expanded, kDistinct, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rank_variants, space_bound, kSpace, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rank_variants, space_expanded, kSpace, true)->Unit(benchmark::kMillisecond);

// On so few cases that variants share lanes.
void rank_on_few_cases(benchmark::State& state, const char* source) {
  rank_variants(state, source, false, nullptr, static_cast<u32>(state.range(0)));
}
BENCHMARK_CAPTURE(rank_on_few_cases, distinct, kDistinct)
    ->Unit(benchmark::kMillisecond)
    ->Arg(1)
    ->Arg(8)
    ->Arg(32);
BENCHMARK_CAPTURE(rank_on_few_cases, loop, kLoop)
    ->Unit(benchmark::kMillisecond)
    ->Arg(1)
    ->Arg(8)
    ->Arg(32);

void rank_on_gpu(benchmark::State& state, const char* source) {
  if (vm::WarpDevice* const device = gpu_device(state)) rank_variants(state, source, false, device);
}
BENCHMARK_CAPTURE(rank_on_gpu, choices, kSketch)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(rank_on_gpu, distinct, kDistinct)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(rank_on_gpu, space, kSpace)->Unit(benchmark::kMillisecond)->UseRealTime();

// The ten best of many, with all threads, as a table asks for them. A GPU ranks what it makes, unless somebody
// looks at every row.
enum class RankedBy { Cpu, GpuAndHost, Gpu };
void find_best(benchmark::State& state, RankedBy way, const char* source = kMany) {
  class EveryRow final : public ResultSink {
    void on_result(const Results&, u32) override {}
  };
  vm::WarpDevice* const device = way == RankedBy::Cpu ? nullptr : gpu_device(state);
  if (way != RankedBy::Cpu && device == nullptr) return;
  const CasesTable table = cases();
  const SketchProgram program = *read_sketch(source, {});
  EvaluateOptions options;
  options.programs.sketch = &program;
  options.ranking.score = ScoreKind::SquaredError;
  options.machines.device = device;
  options.ranking.best_rows = 10;
  options.details.keep_details = false;
  EveryRow sink;
  for (auto _ : state) {
    SketchCandidates candidates(program.source, program.plan, {});
    Results results;
    if (evaluate(candidates, table, options, results,
                 way == RankedBy::GpuAndHost ? &sink : nullptr))
      state.SkipWithError("it failed");
  }
  const u64 variants = program.plan.count().exact;
  count_variants(state, variants);
  if (way != RankedBy::Cpu)
    state.counters["need_fma_f64"] = static_cast<f64>(variants) * kCases * kOperationsOfMany;
}
BENCHMARK_CAPTURE(find_best, cpu, RankedBy::Cpu)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(find_best, gpu_and_host, RankedBy::GpuAndHost)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(find_best, gpu, RankedBy::Gpu)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(find_best, gpu_ten_million, RankedBy::Gpu, kTenMillion)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Generations of a search for an expression, with all threads, as a table asks for them. A GPU breeds them as well
// as it runs them, unless somebody looks at every row.
void search_generations(benchmark::State& state, RankedBy way) {
  class EveryRow final : public ResultSink {
    void on_result(const Results&, u32) override {}
  };
  vm::WarpDevice* const device = way == RankedBy::Cpu ? nullptr : gpu_device(state);
  if (way != RankedBy::Cpu && device == nullptr) return;
  const CasesTable table = cases();
  const SketchProgram program = *read_sketch(kDeepSpace, {});
  EveryRow sink;
  u64 variants = 0;
  for (auto _ : state) {
    EvaluateOptions options;
    options.programs.sketch = &program;
    options.ranking.score = ScoreKind::SquaredError;
    options.machines.device = device;
    options.ranking.best_rows = 10;
    options.details.keep_details = false;
    SearchOptions search{.population = 4096, .generations = 20, .tunes_constants = false};
    options.machines.epoch = options.machines.device_epoch = search.population;
    settle(program.plan, search, options);
    SearchCandidates candidates(program.source, program.plan, search,
                                way == RankedBy::GpuAndHost ? &sink : nullptr);
    Results results;
    if (evaluate(candidates, table, options, results, &candidates))
      state.SkipWithError("it failed");
    variants = results.candidates();
  }
  count_variants(state, variants);
}
BENCHMARK_CAPTURE(search_generations, cpu, RankedBy::Cpu)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(search_generations, gpu_and_host, RankedBy::GpuAndHost)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(search_generations, gpu, RankedBy::Gpu)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace komuz::engine

BENCHMARK_MAIN();
