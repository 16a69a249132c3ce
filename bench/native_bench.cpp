// SPDX-License-Identifier: Apache-2.0
// Native code beside the batch machine: programs that both run in turn on the same cases, and the ratio of their
// processor times (more than 1: native code is faster). Names have the class of the code (engine/native/code_class.h):
//
//   many/CLASS/NAME/lanes:N    on many cases, N at a time; quick/…: recursion without passes
//   alone/CLASS/NAME/lanes:1   on one case that takes long
//   loads/NAME/lanes:N         code that loads all constants, beside that which has them in its instructions (1: as fast)
//   rows/NAME/lanes:N          the same with constants of each lane
//   compile/NAME/lanes:N       making the code, with the mathematical functions there; `instructions` and `kernels` are
//                              what it is made of
//   kernels/lanes:N            making a mathematical function, the mean of eight
//
// The batch machine has the instruction set that KOMUZ_SIMD allows, and native code that which is named in KOMUZ_CPU,
// this processor if none is. All outcomes are compared first. bench/native_classes.py makes the figures of
// engine/native/code_classes.def of it.
#include <benchmark/benchmark.h>

#include <ctime>
#include <map>

#include "bench/compare.h"
#include "bench/native_work.h"
#include "engine/native/code_class.h"
#include "vm/vm.h"

namespace komuz::bench {
namespace {

using backend::Effort;

void run_both(benchmark::State& state, const NativeProgram& program, Effort effort) {
  Work work(program, program.cases);
  if (!work.ok()) return state.SkipWithError("the program does not compile");
  const Result<backend::NativeCode> code = compile(work, static_cast<u32>(state.range(0)), effort);
  if (code.problem()) return state.SkipWithError(code.problem().text().c_str());
  vm::BatchMachine machine;
  const vm::Job job = {work.view(), work.entry(), work.cases()};
  const auto batch = [&] { machine.run(job, work.first()); };
  const auto native = [&] { code.value().run({work.cases()}, work.second()); };
  batch();
  native();
  if (!work.agree()) return state.SkipWithError("the outcomes differ");
  if (work.is_trapped()) return state.SkipWithError("a case traps");
  compare(state, batch, native);
}

// The same native code twice: with constants in it, and with loads of all of them.
void run_loads(benchmark::State& state, const NativeProgram& program, backend::ConstantsOf of) {
  Work work(program, program.cases);
  if (!work.ok()) return state.SkipWithError("the program does not compile");
  const CodeView code = work.view();
  const std::vector<Scalar> types = backend::loadable_types(code);
  std::vector<u32> loaded;
  for (u32 k = 0; k < types.size(); ++k)
    if (types[k] != Scalar::None) loaded.push_back(k);
  const auto lanes = static_cast<u32>(state.range(0));
  const Result<backend::NativeCode> with = compile(work, lanes);
  if (with.problem()) return state.SkipWithError(with.problem().text().c_str());
  const Result<backend::NativeCode> loading = backend::open_backend().value()->compile(
      code, work.entry(), Effort::Normal, processor(), {lanes}, {loaded, of});
  if (loading.problem()) return state.SkipWithError(loading.problem().text().c_str());
  const auto first = [&] { with.value().run({work.cases()}, work.first()); };
  const auto second = [&] {
    loading.value().run({work.cases(), kDefaultFuel, nullptr, code.constants}, work.second());
  };
  first();
  second();
  if (!work.agree()) return state.SkipWithError("the outcomes differ");
  compare(state, first, second);
}

void compile_time(benchmark::State& state, const NativeProgram& program) {
  const Work work(program, 64);
  if (!work.ok()) return state.SkipWithError("the program does not compile");
  const engine::CodeShape shape = engine::shape_of(work.view(), work.entry());
  state.counters["instructions"] = static_cast<f64>(shape.instructions);
  state.counters["kernels"] = static_cast<f64>(shape.kernels);
  const auto lanes = static_cast<u32>(state.range(0));
  const Result<backend::NativeCode> first = compile(work, lanes);
  if (first.problem()) return state.SkipWithError(first.problem().text().c_str());
  for (auto _ : state) benchmark::DoNotOptimize(compile(work, lanes));
}

// A process makes each mathematical function once, so they can be measured once.
void kernel_time(benchmark::State& state) {
  static const NativeProgram kEight = {
      "eight",
      "pub fn f(x: f64) -> f64 {\n    log2(x) + log10(x) + sin(x) + tan(x) + asin(x) + acos(x) + "
      "sinh(x) + cbrt(x)\n}\n",
      64, 1, 10'000};
  static std::map<u32, f64> known;  // by lanes
  const auto lanes = static_cast<u32>(state.range(0));
  const Work work(kEight, 64);
  if (!work.ok()) return state.SkipWithError("the program does not compile");
  const auto seconds = [&] {
    const std::clock_t start = std::clock();
    benchmark::DoNotOptimize(compile(work, lanes));
    return static_cast<f64>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  if (!known.contains(lanes)) {
    const f64 with = seconds();
    known[lanes] = 1e3 * (with - seconds()) / 8;
  }
  for (auto _ : state) benchmark::DoNotOptimize(known);
  state.counters["ms"] = known[lanes];
}

constexpr const char* kClassNames[] = {"Recursion", "ArrayLoops", "Loops", "Straight"};
std::string class_of(const NativeProgram& program) {
  const Work work(program, 1);
  if (!work.ok()) return "none";
  return kClassNames[static_cast<u8>(engine::shape_of(work.view(), work.entry()).code_class)];
}

void register_all() {
  for (const i64 lanes : {1, 8, 16, 32})
    benchmark::RegisterBenchmark("kernels", kernel_time)
        ->ArgName("lanes")
        ->Arg(lanes)
        ->Iterations(1);
  for (const NativeProgram& program : kManyPrograms) {
    const std::string code_class = class_of(program), name = code_class + "/" + program.name;
    const bool recurs = code_class == "Recursion";
    const auto add = [&](const std::string& title, auto... arguments) {
      return benchmark::RegisterBenchmark(title.c_str(), arguments...)
          ->ArgName("lanes")
          ->Unit(benchmark::kMillisecond);
    };
    benchmark::internal::Benchmark* const many =
        add("many/" + name, run_both, program, Effort::Normal)->Arg(1);
    many->Arg(8)->Arg(16)->Arg(32);
    if (recurs) add("quick/" + name, run_both, program, Effort::Quick)->Arg(1);
    for (const i64 lanes : {1, 16})
      if (!recurs || lanes == 1)
        add("loads/" + std::string(program.name), run_loads, program, backend::ConstantsOf::Job)
            ->Arg(lanes);
    if (!recurs)
      add("rows/" + std::string(program.name), run_loads, program, backend::ConstantsOf::Case)
          ->Arg(16);
    benchmark::internal::Benchmark* const made =
        add("compile/" + std::string(program.name), compile_time, program)->Arg(1);
    made->Arg(8)->Arg(16)->Arg(32);
  }
  for (const NativeProgram& program : kLongPrograms)
    benchmark::RegisterBenchmark(("alone/" + class_of(program) + "/" + program.name).c_str(),
                                 run_both, program, Effort::Normal)
        ->ArgName("lanes")
        ->Arg(1)
        ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace komuz::bench

int main(int argc, char** argv) {
  komuz::bench::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
