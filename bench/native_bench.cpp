// SPDX-License-Identifier: Apache-2.0
// Native code beside the batch machine: six programs, each run by both in turn on the same cases, and the ratio of
// their processor times (more than 1: native code is faster). The first argument of a row is the number of lanes. The
// batch machine has the instruction set that KOMUZ_SIMD allows, and native code that which is named in KOMUZ_CPU, this
// processor if none is. All outcomes are compared first. `compile` is the time that making the code takes.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "backend/backend.h"
#include "bench/compare.h"
#include "bench/native_programs.h"
#include "frontend_gpu/frontend.h"
#include "vm/vm.h"

namespace komuz::bench {
namespace {

// The code of a program, and arguments for it.
class Work {
 public:
  explicit Work(const Program& program, u32 cases) : cases_(cases) {
    frontend::Compiler compiler;
    compiler.compile(program.text, compiled_);
    if (!compiled_.ok) return;
    const CodeView code = view();
    const Function& f = code.functions[entry()];
    std::mt19937_64 random(7);
    for (u32 k = 0; k < f.parameter_slots; ++k) {
      const auto type = static_cast<Scalar>(code.slot_types[f.slots_begin + k]);
      std::vector<u64>& column = arguments_.emplace_back(cases + 64);
      for (u32 row = 0; row < cases; ++row) {
        const u64 number = 1 + random() % 10'000;
        const f64 real = static_cast<f64>(number) / 128;
        if (type == Scalar::F64)
          std::memcpy(&column[row], &real, sizeof real);
        else
          column[row] = number;
      }
      // Columns start at multiples of 64 bytes.
      const size_t skip = (64 - reinterpret_cast<uintptr_t>(column.data()) % 64) % 64 / 8;
      std::memmove(column.data() + skip, column.data(), cases * 8);
      columns_.push_back({type, column.data() + skip});
    }
    for (Outcomes* const out : {&first_, &second_}) {
      out->values.resize(u64{f.result_cells} * cases);
      out->traps.resize(cases);
      out->places.resize(cases);
      out->depths.resize(cases);
      out->fuel.resize(cases);
    }
  }

  [[nodiscard]] bool ok() const { return compiled_.ok; }
  [[nodiscard]] CodeView view() const { return compiled_.code.view(); }
  [[nodiscard]] u32 entry() const {
    return static_cast<u32>(compiled_.code.view().find_function("f"));
  }
  [[nodiscard]] CasesView cases() const { return {columns_, cases_}; }
  [[nodiscard]] OutcomesView first() { return first_.view(); }
  [[nodiscard]] OutcomesView second() { return second_.view(); }
  [[nodiscard]] bool agree() const { return first_ == second_; }

 private:
  struct Outcomes {
    std::vector<u64> values;
    std::vector<Trap> traps;
    std::vector<u32> places, depths;
    std::vector<u64> fuel;
    bool operator==(const Outcomes&) const = default;
    OutcomesView view() { return {values, traps, places, depths, fuel}; }
  };
  frontend::Compilation compiled_;
  u32 cases_;
  std::vector<std::vector<u64>> arguments_;
  std::vector<ArgumentColumn> columns_;
  Outcomes first_, second_;
};

std::string processor() {
  const char* const named = std::getenv("KOMUZ_CPU");
  return named != nullptr ? named : "native";
}

Result<backend::NativeCode> compile(const Work& work, u32 lanes) {
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) return Problem(opened.problem());
  return opened.value()->compile(work.view(), work.entry(), backend::Effort::Normal, processor(),
                                 {lanes});
}

void over_batch(benchmark::State& state, const Program& program) {
  Work work(program, program.cases);
  if (!work.ok()) return state.SkipWithError("the program does not compile");
  const Result<backend::NativeCode> code = compile(work, static_cast<u32>(state.range(0)));
  if (code.problem()) return state.SkipWithError(code.problem().text().c_str());
  vm::BatchMachine machine;
  const vm::Job job = {work.view(), work.entry(), work.cases()};
  const auto batch = [&] { machine.run(job, work.first()); };
  const auto native = [&] { code.value().run({work.cases()}, work.second()); };
  batch();
  native();
  if (!work.agree()) return state.SkipWithError("the outcomes differ");
  compare(state, batch, native);
}

void compile_time(benchmark::State& state, const Program& program) {
  const Work work(program, 64);
  if (!work.ok()) return state.SkipWithError("the program does not compile");
  for (auto _ : state) {
    const Result<backend::NativeCode> code = compile(work, static_cast<u32>(state.range(0)));
    if (code.problem()) return state.SkipWithError(code.problem().text().c_str());
  }
}

}  // namespace
}  // namespace komuz::bench

int main(int argc, char** argv) {
  using namespace komuz::bench;
  for (const Program& program : kPrograms) {
    const std::string name = program.name;
    benchmark::RegisterBenchmark(("over_batch/" + name).c_str(), over_batch, program)
        ->ArgName("lanes")
        ->Arg(1)
        ->Arg(8)
        ->Arg(16)
        ->Arg(32)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("compile/" + name).c_str(), compile_time, program)
        ->ArgName("lanes")
        ->Arg(1)
        ->Arg(16)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
