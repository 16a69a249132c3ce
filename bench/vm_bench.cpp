// SPDX-License-Identifier: Apache-2.0
// The machines on 256 cases: nodes a second (a node is an operator, constant or variable of an expression tree, times
// cases) of expressions, lowering included, and loops that diverge on the batch machine and on the reference. As in the
// engine, the programs of a row share the columns of arguments and of outcomes.
#include <benchmark/benchmark.h>

#include "tests/vm/code_builder.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

constexpr u32 kCases = 256;
constexpr u32 kExpressions = 200;

// Random trees of 15 operators over three variables and constants.
class Expressions {
 public:
  Expressions(Scalar type, std::vector<Op> operators)
      : type_(type), operators_(std::move(operators)) {}

  u64 nodes = 0;  // of the last one

  Code make(bool compares) {
    CodeBuilder b;
    b.function("f", {type_, type_, type_}, {compares ? Scalar::Bool : type_});
    nodes = 0;
    if (compares) {
      tree(b, 7);
      tree(b, 7);
      b.op(Op::Lt, type_);
      ++nodes;
    } else {
      tree(b, 15);
    }
    b.end_function();
    return b.code;
  }

 private:
  void tree(CodeBuilder& b, u32 operators) {
    ++nodes;
    if (operators == 0) {
      if (random_.below(5) != 0)
        b.load(u16(random_.below(3)));
      else
        b.constant(type_, type_ == Scalar::F32   ? cell_f32(1.5f)
                          : type_ == Scalar::F64 ? cell_f64(1.5)
                                                 : 3);
      return;
    }
    // Integers are divided by variables and constants only, which are not 0: no lane traps.
    const bool divides = type_ == Scalar::I64 && operators_[0] == Op::Div;
    const u32 left = divides ? operators - 1 : random_.below(operators);
    tree(b, left);
    tree(b, operators - 1 - left);
    b.op(operators_[random_.below(u32(operators_.size()))], type_);
  }

  Scalar type_;
  std::vector<Op> operators_;
  Random random_{17};
};

std::vector<std::vector<u64>> arguments(Scalar type) {
  Random random(3);
  std::vector<std::vector<u64>> rows(3, std::vector<u64>(kCases));
  for (auto& row : rows)
    for (u64& cell : row) {
      const u32 x = 1 + random.below(9);
      cell = type == Scalar::F32   ? cell_f32(f32(x) / 4)
             : type == Scalar::F64 ? cell_f64(x / 4.0)
                                   : x;
    }
  return rows;
}

void run_expressions(benchmark::State& state, Scalar type, std::vector<Op> operators,
                     bool compares) {
  Expressions expressions(type, std::move(operators));
  std::vector<CaseRun> runs;
  u64 nodes = 0;
  for (u32 k = 0; k < kExpressions; ++k) {
    runs.emplace_back(expressions.make(compares), arguments(type));
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

Code collatz() {
  constexpr Scalar I = Scalar::I64;
  CodeBuilder b;
  b.function("collatz", {I}, {I});
  const u16 left = b.variable(I), steps = b.variable(I);
  b.i64_constant(1000).store(left).i64_constant(0).store(steps);
  b.loop();
  b.load(0).i64_constant(1).op(Op::Ne).break_if_false();
  b.emit(Op::Limit, Scalar::None, left).tick();
  b.load(0).i64_constant(2).op(Op::Rem).i64_constant(0).op(Op::Eq).if_();
  b.load(0).i64_constant(2).op(Op::Div);
  b.else_(1);
  b.load(0).i64_constant(3).op(Op::Mul).i64_constant(1).op(Op::Add);
  b.end_if().store(0);
  b.load(steps).i64_constant(1).op(Op::Add).store(steps);
  b.end_loop();
  b.load(steps).end_function();
  return b.code;
}

Code gcd() {
  constexpr Scalar I = Scalar::I64;
  CodeBuilder b;
  b.function("gcd", {I, I}, {I}, 96);
  b.load(1).i64_constant(0).op(Op::Eq).if_().load(0).else_(1);
  b.load(1).load(0).load(1).op(Op::Rem).call(0).end_if().end_function();
  return b.code;
}

// Its loop runs n times; half of the lanes, others on each iteration, take the arm. Sums the squares of even numbers, or
// counts the odd ones.
Code divergent_sum(bool squares) {
  constexpr Scalar I = Scalar::I64;
  CodeBuilder b;
  b.function("sum", {I, I}, {I});
  const u16 sum = b.variable(I), next = b.variable(I), bound = b.variable(I), k = b.variable(I);
  b.i64_constant(0).store(sum).load(1).store(next);
  b.load(1).load(0).op(Op::Add).store(bound);
  b.loop().for_next(next).tick();
  b.load(k).i64_constant(2).op(Op::Rem).i64_constant(squares ? 0 : 1).op(Op::Eq).if_();
  b.load(sum);
  if (squares)
    b.load(k).load(k).op(Op::Mul);
  else
    b.i64_constant(1);
  b.op(Op::Add).store(sum).end_if().end_loop();
  b.load(sum).end_function();
  return b.code;
}

CaseRun diverging(Code code, u32 parameters, u32 largest = 10'000) {
  Random random(5);
  std::vector<std::vector<u64>> rows(parameters, std::vector<u64>(kCases));
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
BENCHMARK_CAPTURE(run_batch, collatz, diverging(collatz(), 1));
BENCHMARK_CAPTURE(run_reference, collatz, diverging(collatz(), 1));
BENCHMARK_CAPTURE(run_batch, gcd, diverging(gcd(), 2));
BENCHMARK_CAPTURE(run_reference, gcd, diverging(gcd(), 2));
BENCHMARK_CAPTURE(run_batch, even_squares, diverging(divergent_sum(true), 2, 200));
BENCHMARK_CAPTURE(run_reference, even_squares, diverging(divergent_sum(true), 2, 200));
BENCHMARK_CAPTURE(run_batch, count_odds, diverging(divergent_sum(false), 2, 200));
BENCHMARK_CAPTURE(run_reference, count_odds, diverging(divergent_sum(false), 2, 200));

}  // namespace
}  // namespace komuz::test

BENCHMARK_MAIN();
