// SPDX-License-Identifier: Apache-2.0
// The machine of warps on a GPU: nodes a second of expressions (a node is an operator, constant or variable, times
// cases), loops that diverge, and the whole way from text to a ranking. Beside it stands the paper's way, a program
// in each thread, on the same expressions.
//
// Rows of expressions and loops give the time of the kernels, by the device's clock. Their counters show how long
// it took to send the programs and, in a separate run, to fetch all outcomes. Each program first runs once on the
// reference, and the outcomes are compared. Without a GPU every row says why there is none.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "bench/program_per_thread.h"
#include "bench/programs.h"
#include "bench/vm_programs.h"
#include "engine/engine.h"
#include "frontend_gpu/device/cuda/cuda_device.h"
#include "tests/vm/warp_run.h"

namespace komuz::test {
namespace {

// Opened by the first row that needs it.
Result<vm::OpenedWarpDevice>& gpu_device() {
  static Result<vm::OpenedWarpDevice> opened = vm::open_cuda_device();
  return opened;
}

bool is_there(benchmark::State& state) {
  if (!gpu_device().problem()) return true;
  state.SkipWithError(("no GPU: " + gpu_device().problem().text()).c_str());
  return false;
}

// Returns false, which the row shows, if the first program's outcomes differ from the reference's on the first
// cases.
bool agrees(benchmark::State& state, const Code& code, const std::vector<std::vector<u64>>& rows) {
  std::vector<std::vector<u64>> few;
  for (const auto& row : rows)
    few.emplace_back(row.begin(), row.begin() + std::min<i64>(256, static_cast<i64>(row.size())));
  CaseRun wanted(code, few), found(code, few);
  wanted.reference();
  const Problem problem = run_on(*gpu_device().value().device, found.job(), found.outcomes());
  if (!problem && found.values == wanted.values && found.traps == wanted.traps &&
      found.fuel == wanted.fuel)
    return true;
  state.SkipWithError(problem ? problem.text().c_str()
                              : "the outcomes differ from the reference's");
  return false;
}

// `work`: what is counted, in one run.
void run_batch(benchmark::State& state, const vm::WarpBatch& batch, const CaseRun& cases,
               std::string_view name, f64 work) {
  vm::WarpDevice& device = *gpu_device().value().device;
  const vm::Job job = cases.job();
  Problem problem = device.load_cases(job.cases);
  // Outcomes may take a gigabyte. They are fetched once, after buffers have grown to their size.
  vm::WarpRun run{.cases = job.cases.count, .fuel = kDefaultFuel};
  if (!problem) problem = device.run(batch, run);
  if (!problem) problem = device.run(batch, run);
  const f64 fetching = device.times().fetching;
  run.fetches = false;
  f64 sending = 0;
  for (auto _ : state) {
    if (!problem) problem = device.run(batch, run);
    const vm::WarpTimes times = device.times();
    state.SetIterationTime(times.running);
    sending += times.sending;
  }
  if (problem) state.SkipWithError(problem.text().c_str());
  state.counters[std::string(name)] =
      benchmark::Counter(work, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["send_ms"] = 1000 * sending / static_cast<f64>(state.iterations());
  state.counters["fetch_ms"] = 1000 * fetching;
}

// Arguments: programs, cases.
void run_expressions(benchmark::State& state, Scalar type, std::vector<Op> operators) {
  if (!is_there(state)) return;
  const auto programs = static_cast<u32>(state.range(0)), count = static_cast<u32>(state.range(1));
  Expressions expressions(type, std::move(operators));
  const auto rows = arguments(type, count);
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  f64 nodes = 0;
  Code first;
  for (u32 k = 0; k < programs; ++k) {
    Code code = expressions.make(false);
    const CodeError error = check_code(code.view(), code.functions);
    if (error || !lowering.add(code.view(), 0, batch)) {
      state.SkipWithError("an expression does not fit");
      return;
    }
    nodes += static_cast<f64>(expressions.nodes) * count;
    if (k == 0) first = std::move(code);
  }
  if (!agrees(state, first, rows)) return;
  run_batch(state, batch, CaseRun(first, rows), "nodes", nodes);
}

#if defined(KOMUZ_BENCH_CUDA)
// Arguments: programs, cases.
void run_threads(benchmark::State& state, Scalar type) {
  if (!is_there(state)) return;
  const auto programs = static_cast<u32>(state.range(0)), count = static_cast<u32>(state.range(1));
  Expressions expressions(type, {Op::Add, Op::Sub, Op::Mul});
  const auto rows = arguments(type, count);
  bench::ThreadPrograms threads;
  f64 nodes = 0;
  Code last;
  for (u32 k = 0; k < programs; ++k) {
    last = expressions.make(false);
    if (check_code(last.view(), last.functions) || !threads.add(last.view())) {
      state.SkipWithError("an expression does not fit");
      return;
    }
    nodes += static_cast<f64>(expressions.nodes) * count;
  }
  CaseRun wanted(last, rows);
  wanted.reference();
  for (auto _ : state) {
    const bench::ThreadRun run = bench::run_program_per_thread(threads, rows);
    if (run.problem) state.SkipWithError(run.problem.text().c_str());
    if (!std::equal(wanted.values.begin(), wanted.values.end(), run.values.end() - count))
      state.SkipWithError("the values differ from the reference's");
    state.SetIterationTime(run.seconds);
  }
  state.counters["nodes"] =
      benchmark::Counter(nodes, benchmark::Counter::kIsIterationInvariantRate);
}
#endif

// Arguments: copies of the program, cases.
void run_loop(benchmark::State& state, const Code& code, u32 parameters, u32 largest) {
  if (!is_there(state)) return;
  const auto programs = static_cast<u32>(state.range(0)), count = static_cast<u32>(state.range(1));
  Random random(5);
  std::vector<std::vector<u64>> rows(parameters, std::vector<u64>(count));
  for (auto& row : rows)
    for (u64& cell : row) cell = 1 + random.below(largest);
  const CaseRun cases(code, rows);
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  for (u32 k = 0; k < programs; ++k) {
    if (!lowering.add(cases.job().code, 0, batch)) {
      state.SkipWithError("the program does not fit");
      return;
    }
  }
  if (!agrees(state, code, rows)) return;
  run_batch(state, batch, cases, "cases", f64(programs) * count);
}

// From text to ranking by squared error. Argument: 0 for the CPU; 1 to run on the GPU; 2 to compile and run there.
// The reports are compared.
void rank_texts(benchmark::State& state, u32 candidate_count) {
  const bool runs_on_gpu = state.range(0) >= 1, compiles_on_gpu = state.range(0) == 2;
  if (runs_on_gpu && !is_there(state)) return;
  std::unique_ptr<frontend::BatchCompiler> compiler;
  if (compiles_on_gpu) {
    Result<frontend::OpenedDeviceCompiler> opened = frontend::open_device_compiler();
    if (opened.problem()) return state.SkipWithError(opened.problem().text().c_str());
    compiler = std::move(opened.value().compiler);
  }
  constexpr u32 kCases = 256;
  const std::vector<std::string> expressions = bench::make_expressions(candidate_count, 1);
  const bench::Sources sources = bench::make_expression_programs(expressions, "f64");
  std::vector<engine::Candidate> candidates;
  for (const std::string& text : sources.texts) candidates.push_back({"c", text, {}});
  std::string csv = "a,b,c,x,y,z,w,expected\n";
  Random random(9);
  for (u32 row = 0; row < kCases; ++row) {
    for (u32 column = 0; column < 7; ++column)
      csv += std::to_string(1.0 + random.below(2000) / 1000.0) + ",";
    csv += "2.5\n";
  }
  engine::CasesTable table;
  if (engine::read_csv_cases("cases.csv", csv, {}, table)) state.SkipWithError("bad cases");
  engine::EvaluateOptions options;
  options.ranking.score = engine::ScoreKind::SquaredError;
  const auto evaluate = [&](engine::Results& results) {
    engine::CandidateList list(candidates);
    const auto error = engine::evaluate(list, table, options, results);
    if (error) state.SkipWithError(error.text().c_str());
  };
  engine::Results wanted, results;
  evaluate(wanted);
  options.machines.compiler = compiler.get();
  if (runs_on_gpu) options.machines.device = gpu_device().value().device.get();
  for (auto _ : state) evaluate(results);
  std::string wanted_report, report;
  engine::write_report_json(wanted_report, wanted);
  engine::write_report_json(report, results);
  if (report != wanted_report) state.SkipWithError("the reports differ");
  state.SetItemsProcessed(static_cast<i64>(state.iterations() * candidate_count));
  if (!runs_on_gpu) return;
  // What no implementation can avoid: texts go there, scores come back, and each operator is applied to each case.
  f64 operators = 0;
  for (const std::string& expression : expressions)
    operators += static_cast<f64>(std::ranges::count_if(
        expression, [](char c) { return std::string_view("+-*/").find(c) != std::string::npos; }));
  if (compiles_on_gpu) state.counters["need_copy_to"] = static_cast<f64>(sources.bytes);
  state.counters["need_copy_from"] = static_cast<f64>(candidate_count * sizeof(f64));
  state.counters["need_fma_f64"] = operators * kCases;
}
void text_to_ranking(benchmark::State& state) { rank_texts(state, 10'000); }
void few_to_ranking(benchmark::State& state) {
  rank_texts(state, static_cast<u32>(state.range(1)));
}

// Some take a hundredth of the time that the host needs around them, so the benchmark does not wait until they add
// up to a second.
constexpr i64 kRounds = 15;
void shapes(benchmark::internal::Benchmark* row) {
  row->Args({1'000, 256})->Args({10'000, 256})->Args({10'000, 4'096})->Args({1'000, 65'536});
  row->ArgNames({"programs", "cases"})->UseManualTime()->Unit(benchmark::kMillisecond);
  row->Iterations(kRounds);
}
#if defined(KOMUZ_BENCH_CUDA)
void thread_shapes(benchmark::internal::Benchmark* row) {
  row->Args({1'000, 256})->Args({10'000, 256})->Args({100'000, 256});
  row->ArgNames({"programs", "cases"})->UseManualTime()->Unit(benchmark::kMillisecond);
  row->Iterations(3);  // the host compares all values each time
}
#endif
void loop_shapes(benchmark::internal::Benchmark* row) {
  row->Args({1, 256})->Args({1'000, 256})->Args({1'000, 4'096});
  row->ArgNames({"programs", "cases"})->UseManualTime()->Unit(benchmark::kMillisecond);
  row->Iterations(kRounds);
}

using Ops = std::vector<Op>;
const Ops kSums = {Op::Add, Op::Sub, Op::Mul};
const Ops kQuotients = {Op::Add, Op::Sub, Op::Mul, Op::Div};

BENCHMARK_CAPTURE(run_expressions, f32, Scalar::F32, kSums)->Apply(shapes);
BENCHMARK_CAPTURE(run_expressions, f32_quotients, Scalar::F32, kQuotients)->Apply(shapes);
BENCHMARK_CAPTURE(run_expressions, f64, Scalar::F64, kSums)->Apply(shapes);
BENCHMARK_CAPTURE(run_expressions, f64_quotients, Scalar::F64, kQuotients)->Apply(shapes);
BENCHMARK_CAPTURE(run_expressions, i64_products, Scalar::I64, Ops{Op::Mul})->Apply(shapes);
BENCHMARK_CAPTURE(run_expressions, i64_quotients, Scalar::I64, Ops{Op::Div, Op::Rem})
    ->Apply(shapes);
#if defined(KOMUZ_BENCH_CUDA)
BENCHMARK_CAPTURE(run_threads, f32, Scalar::F32)->Apply(thread_shapes);
BENCHMARK_CAPTURE(run_threads, f64, Scalar::F64)->Apply(thread_shapes);
#endif
BENCHMARK_CAPTURE(run_loop, collatz, collatz(1000), 1, 10'000)->Apply(loop_shapes);
BENCHMARK_CAPTURE(run_loop, gcd, gcd(96).code, 2, 10'000)->Apply(loop_shapes);
BENCHMARK_CAPTURE(run_loop, even_squares, divergent_sum(true), 2, 200)->Apply(loop_shapes);
BENCHMARK_CAPTURE(run_loop, count_odds, divergent_sum(false), 2, 200)->Apply(loop_shapes);
BENCHMARK(text_to_ranking)
    ->ArgName("gpu")
    ->Arg(0)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(few_to_ranking)
    ->ArgNames({"gpu", "candidates"})
    ->ArgsProduct({{0, 2}, {10, 100}})
    ->Iterations(50)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace komuz::test

BENCHMARK_MAIN();
