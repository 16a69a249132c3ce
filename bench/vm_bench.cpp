// SPDX-License-Identifier: Apache-2.0
// The machines on 256 cases. Expressions: nodes a second (a node is an operator, constant or variable of an
// expression tree, times cases), lowering included. Loops that diverge: on the batch machine, also with 20 cases,
// and on the reference. Loops on one to eight cases, whose iterations share the lanes, and how many times as long
// the reference takes. As in the engine, the programs of a row share the columns of arguments and of outcomes.
#include <benchmark/benchmark.h>

#include "bench/compare.h"
#include "bench/vm_programs.h"
#include "tests/vm/code_builder.h"
#include "tests/vm/edge_values.h"
#include "tests/vm/element_loops.h"

namespace komuz::test {
namespace {

constexpr u32 kCases = 256;
// Tiles of few lanes, where the cost of control flow decides.
constexpr u32 kFewCases = 20;
constexpr u32 kExpressions = 200;

void run_expressions(benchmark::State& state, Scalar type, std::vector<Op> operators,
                     bool compares) {
  Expressions expressions(type, std::move(operators));
  std::vector<CaseRun> runs;
  u64 nodes = 0;
  for (u32 k = 0; k < kExpressions; ++k) {
    runs.emplace_back(expressions.make(compares), arguments(type, kCases));
    nodes += expressions.nodes * kCases;
  }
  std::vector<vm::Job> jobs;
  for (const CaseRun& run : runs) {
    jobs.push_back(run.job());
    jobs.back().cases = runs[0].job().cases;
  }
  vm::BatchMachine machine;
  const OutcomesView outcomes = runs[0].outcomes();
  for (auto _ : state)
    for (const vm::Job& job : jobs) machine.run(job, outcomes);
  state.counters["nodes"] =
      benchmark::Counter(double(nodes), benchmark::Counter::kIsIterationInvariantRate);
}

// Sixteen values of a function a case, and their sum; measures the time of one value. Arguments go from -largest to
// largest. The second argument, where there is one, is 1.5.
void run_function(benchmark::State& state, Scalar type, Op op, f64 largest) {
  constexpr u32 kValues = 16, kRows = 1024;
  CodeBuilder b;
  b.function("f", {type}, {type});
  for (u32 k = 0; k < kValues; ++k) {
    b.load(0);
    if (operand_count(op_row(op).form) == 2)
      b.constant(type, type == Scalar::F32 ? cell_f32(1.5f) : cell_f64(1.5));
    b.op(op, type);
    if (k != 0) b.op(Op::Add, type);
  }
  b.end_function();
  Random random(7);
  std::vector<u64> row(kRows);
  for (u64& cell : row) {
    const f64 x = (static_cast<f64>(random.next() >> 11) * 0x1p-52 - 1) * largest;
    cell = type == Scalar::F32 ? cell_f32(static_cast<f32>(x)) : cell_f64(x);
  }
  CaseRun run(b.code, {row});
  vm::BatchMachine machine;
  for (auto _ : state) machine.run(run.job(), run.outcomes());
  state.counters["value"] =
      benchmark::Counter(f64{kValues} * kRows, benchmark::Counter::kIsIterationInvariantRate |
                                                   benchmark::Counter::kInvert);
}

CaseRun lists(u32 length) {
  std::vector<std::vector<u64>> rows;
  for (u32 k = 0; k < length; ++k) rows.push_back(arguments(Scalar::F64, kCases)[k % 3]);
  return CaseRun(sum_of_list(length), rows);
}

CaseRun diverging(Code code, u32 parameters, u32 largest = 10'000, u32 cases = kCases) {
  Random random(5);
  std::vector<std::vector<u64>> rows(parameters, std::vector<u64>(cases));
  for (auto& row : rows)
    for (u64& cell : row) cell = 1 + random.below(largest);
  return CaseRun(std::move(code), rows);
}

void run_batch(benchmark::State& state, CaseRun run) {
  vm::BatchMachine machine;
  for (auto _ : state) machine.run(run.job(), run.outcomes());
}
void run_reference(benchmark::State& state, CaseRun run) {
  for (auto _ : state) vm::run_reference(run.job(), run.outcomes());
}

// A loop of 10,000 iterations, on as many cases as the benchmark's argument says.
CaseRun on_few_cases(Code code, const benchmark::State& state) {
  const auto cases = static_cast<u32>(state.range(0));
  std::vector<u64> m(cases);
  for (u32 k = 0; k < cases; ++k) m[k] = k;
  return CaseRun(std::move(code), {std::vector<u64>(cases, 10'000), m});
}
void run_elements(benchmark::State& state, Code code) {
  run_batch(state, on_few_cases(std::move(code), state));
}
void reference_over_elements(benchmark::State& state, Code code) {
  CaseRun run = on_few_cases(std::move(code), state);
  vm::BatchMachine machine;
  bench::compare(
      state, [&] { vm::run_reference(run.job(), run.outcomes()); },
      [&] { machine.run(run.job(), run.outcomes()); });
}

// Code straight out of the checker, but without its ticks of fuel, to measure their cost. Nothing else may run such
// code.
Code without_ticks(const Code& checked) {
  Code bare = checked;
  bare.instructions.clear();
  bare.places.clear();
  std::vector<u32> ticks_before;
  u32 ticks = 0;
  for (size_t k = 0; k < checked.instructions.size(); ++k) {
    ticks_before.push_back(ticks);
    if (checked.instructions[k].op == Op::Tick) {
      ++ticks;
      continue;
    }
    bare.instructions.push_back(checked.instructions[k]);
    bare.places.push_back(checked.places[k]);
  }
  for (Instruction& i : bare.instructions) {
    const OpForm form = op_row(i.op).form;
    const bool has_target = form == OpForm::Branch || form == OpForm::Jump ||
                            form == OpForm::Loop || form == OpForm::ShortCircuit ||
                            form == OpForm::End;
    if (has_target) i.b -= ticks_before[i.b];
  }
  bare.functions[0].code_end = static_cast<u32>(bare.instructions.size());
  return bare;
}

// The time with checks of the budget over the time without them, on code of one function.
void budget_over_none(benchmark::State& state, CaseRun run) {
  const vm::Job job = run.job();
  Code code;
  code.instructions.assign(job.code.instructions.begin(), job.code.instructions.end());
  code.places.assign(job.code.places.begin(), job.code.places.end());
  code.functions.assign(job.code.functions.begin(), job.code.functions.end());
  const Code bare = without_ticks(code);
  vm::Job bare_job = job;
  bare_job.code.instructions = bare.instructions;
  bare_job.code.places = bare.places;
  bare_job.code.functions = bare.functions;
  vm::BatchMachine machine;
  const auto repeat = [&machine, &run](const vm::Job& what) {
    for (u32 k = 0; k < 200; ++k) machine.run(what, run.outcomes());
  };
  bench::compare(
      state, [&] { repeat(job); }, [&] { repeat(bare_job); });
}

void each_count(benchmark::internal::Benchmark* b) {
  for (const i64 cases : {1, 2, 4, 8}) b->Arg(cases);
}

using Ops = std::vector<Op>;
const Ops kSums = {Op::Add, Op::Sub};

BENCHMARK_CAPTURE(run_expressions, f32, Scalar::F32, Ops{Op::Add, Op::Sub, Op::Mul}, false);
BENCHMARK_CAPTURE(run_expressions, f64, Scalar::F64, Ops{Op::Add, Op::Sub, Op::Mul}, false);
BENCHMARK_CAPTURE(run_expressions, f32_quotients, Scalar::F32,
                  Ops{Op::Add, Op::Sub, Op::Mul, Op::Div}, false);
BENCHMARK_CAPTURE(run_expressions, f64_quotients, Scalar::F64,
                  Ops{Op::Add, Op::Sub, Op::Mul, Op::Div}, false);
BENCHMARK_CAPTURE(run_expressions, i64_sums_compared, Scalar::I64, kSums, true);
BENCHMARK_CAPTURE(run_expressions, i64_products, Scalar::I64, Ops{Op::Mul}, false);
BENCHMARK_CAPTURE(run_expressions, i64_quotients, Scalar::I64, Ops{Op::Div, Op::Rem}, false);
BENCHMARK_CAPTURE(run_expressions, f32_powers, Scalar::F32, Ops{Op::Pow}, false);
BENCHMARK_CAPTURE(run_expressions, f64_powers, Scalar::F64, Ops{Op::Pow}, false);
BENCHMARK_CAPTURE(run_function, add_f32, Scalar::F32, Op::Add, 20.0);
BENCHMARK_CAPTURE(run_function, add_f64, Scalar::F64, Op::Add, 20.0);
BENCHMARK_CAPTURE(run_function, div0_f32, Scalar::F32, Op::Div0, 20.0);
BENCHMARK_CAPTURE(run_function, div0_f64, Scalar::F64, Op::Div0, 20.0);
BENCHMARK_CAPTURE(run_function, sqrt0_f32, Scalar::F32, Op::Sqrt0, 20.0);
BENCHMARK_CAPTURE(run_function, sqrt0_f64, Scalar::F64, Op::Sqrt0, 20.0);
BENCHMARK_CAPTURE(run_function, aq_f32, Scalar::F32, Op::Aq, 20.0);
BENCHMARK_CAPTURE(run_function, aq_f64, Scalar::F64, Op::Aq, 20.0);
BENCHMARK_CAPTURE(run_function, exp_f32, Scalar::F32, Op::Exp, 20.0);
BENCHMARK_CAPTURE(run_function, exp_f64, Scalar::F64, Op::Exp, 20.0);
BENCHMARK_CAPTURE(run_function, exp2_f32, Scalar::F32, Op::Exp2, 20.0);
BENCHMARK_CAPTURE(run_function, exp2_f64, Scalar::F64, Op::Exp2, 20.0);
BENCHMARK_CAPTURE(run_function, log_f32, Scalar::F32, Op::Log, 20.0);
BENCHMARK_CAPTURE(run_function, log_f64, Scalar::F64, Op::Log, 20.0);
BENCHMARK_CAPTURE(run_function, log2_f32, Scalar::F32, Op::Log2, 20.0);
BENCHMARK_CAPTURE(run_function, log2_f64, Scalar::F64, Op::Log2, 20.0);
BENCHMARK_CAPTURE(run_function, sin_f32, Scalar::F32, Op::Sin, 20.0);
BENCHMARK_CAPTURE(run_function, sin_f64, Scalar::F64, Op::Sin, 20.0);
BENCHMARK_CAPTURE(run_function, cos_f32, Scalar::F32, Op::Cos, 20.0);
BENCHMARK_CAPTURE(run_function, cos_f64, Scalar::F64, Op::Cos, 20.0);
BENCHMARK_CAPTURE(run_function, tan_f32, Scalar::F32, Op::Tan, 20.0);
BENCHMARK_CAPTURE(run_function, tan_f64, Scalar::F64, Op::Tan, 20.0);
BENCHMARK_CAPTURE(run_function, sinh_f32, Scalar::F32, Op::Sinh, 10.0);
BENCHMARK_CAPTURE(run_function, sinh_f64, Scalar::F64, Op::Sinh, 10.0);
BENCHMARK_CAPTURE(run_function, tanh_f32, Scalar::F32, Op::Tanh, 3.0);
BENCHMARK_CAPTURE(run_function, tanh_f64, Scalar::F64, Op::Tanh, 3.0);
BENCHMARK_CAPTURE(run_function, asin_f32, Scalar::F32, Op::Asin, 1.0);
BENCHMARK_CAPTURE(run_function, asin_f64, Scalar::F64, Op::Asin, 1.0);
BENCHMARK_CAPTURE(run_function, atan_f32, Scalar::F32, Op::Atan, 5.0);
BENCHMARK_CAPTURE(run_function, atan_f64, Scalar::F64, Op::Atan, 5.0);
BENCHMARK_CAPTURE(run_function, atan2_f32, Scalar::F32, Op::Atan2, 5.0);
BENCHMARK_CAPTURE(run_function, atan2_f64, Scalar::F64, Op::Atan2, 5.0);
BENCHMARK_CAPTURE(run_function, cbrt_f32, Scalar::F32, Op::Cbrt, 20.0);
BENCHMARK_CAPTURE(run_function, cbrt_f64, Scalar::F64, Op::Cbrt, 20.0);
BENCHMARK_CAPTURE(run_function, hypot_f32, Scalar::F32, Op::Hypot, 5.0);
BENCHMARK_CAPTURE(run_function, hypot_f64, Scalar::F64, Op::Hypot, 5.0);
BENCHMARK_CAPTURE(run_function, erf_f32, Scalar::F32, Op::Erf, 3.0);
BENCHMARK_CAPTURE(run_function, erf_f64, Scalar::F64, Op::Erf, 3.0);
BENCHMARK_CAPTURE(run_function, pow_f32, Scalar::F32, Op::Pow, 20.0);
BENCHMARK_CAPTURE(run_function, pow_f64, Scalar::F64, Op::Pow, 20.0);
BENCHMARK_CAPTURE(run_function, fmod_f32, Scalar::F32, Op::Fmod, 20.0);
BENCHMARK_CAPTURE(run_function, fmod_f64, Scalar::F64, Op::Fmod, 20.0);
BENCHMARK_CAPTURE(run_function, sin_of_huge_f32, Scalar::F32, Op::Sin, 1e30);
BENCHMARK_CAPTURE(run_function, sin_of_huge_f64, Scalar::F64, Op::Sin, 1e30);
BENCHMARK_CAPTURE(run_batch, collatz, diverging(collatz(1000), 1));
BENCHMARK_CAPTURE(run_reference, collatz, diverging(collatz(1000), 1));
BENCHMARK_CAPTURE(run_batch, gcd, diverging(gcd(96).code, 2));
BENCHMARK_CAPTURE(run_reference, gcd, diverging(gcd(96).code, 2));
BENCHMARK_CAPTURE(run_batch, even_squares, diverging(divergent_sum(true), 2, 200));
BENCHMARK_CAPTURE(run_reference, even_squares, diverging(divergent_sum(true), 2, 200));
BENCHMARK_CAPTURE(run_batch, count_odds, diverging(divergent_sum(false), 2, 200));
BENCHMARK_CAPTURE(run_reference, count_odds, diverging(divergent_sum(false), 2, 200));
BENCHMARK_CAPTURE(run_batch, collatz_of_few, diverging(collatz(1000), 1, 10'000, kFewCases));
BENCHMARK_CAPTURE(run_batch, gcd_of_few, diverging(gcd(96).code, 2, 10'000, kFewCases));
BENCHMARK_CAPTURE(run_batch, even_squares_of_few,
                  diverging(divergent_sum(true), 2, 200, kFewCases));
BENCHMARK_CAPTURE(run_batch, count_odds_of_few, diverging(divergent_sum(false), 2, 200, kFewCases));
BENCHMARK_CAPTURE(run_batch, sum_of_list, lists(64));
BENCHMARK_CAPTURE(run_reference, sum_of_list, lists(64));
BENCHMARK_CAPTURE(run_batch, histogram, diverging(histogram(), 1));
BENCHMARK_CAPTURE(run_reference, histogram, diverging(histogram(), 1));
BENCHMARK_CAPTURE(run_batch, many_cells, diverging(many_cells(64, true), 1, 200));
BENCHMARK_CAPTURE(run_batch, many_cells_one_by_one, diverging(many_cells(64, false), 1, 200));
BENCHMARK_CAPTURE(run_elements, sum, sum_of_elements())->Apply(each_count);
BENCHMARK_CAPTURE(run_elements, sum_of_some, sum_of_some_elements())->Apply(each_count);
BENCHMARK_CAPTURE(run_elements, count, count_of_elements())->Apply(each_count);
BENCHMARK_CAPTURE(run_elements, argmin, argmin_of_elements())->Apply(each_count);
BENCHMARK_CAPTURE(run_elements, best_fit, best_fit())->Apply(each_count);
BENCHMARK_CAPTURE(reference_over_elements, sum, sum_of_elements())->Apply(each_count);
BENCHMARK_CAPTURE(reference_over_elements, sum_of_some, sum_of_some_elements())->Apply(each_count);
BENCHMARK_CAPTURE(reference_over_elements, count, count_of_elements())->Apply(each_count);
BENCHMARK_CAPTURE(reference_over_elements, argmin, argmin_of_elements())->Apply(each_count);
BENCHMARK_CAPTURE(reference_over_elements, best_fit, best_fit())->Apply(each_count);
BENCHMARK_CAPTURE(budget_over_none, collatz, diverging(collatz(1000), 1));
BENCHMARK_CAPTURE(budget_over_none, even_squares, diverging(divergent_sum(true), 2, 200));
BENCHMARK_CAPTURE(budget_over_none, count_odds, diverging(divergent_sum(false), 2, 200));

}  // namespace
}  // namespace komuz::test

BENCHMARK_MAIN();
