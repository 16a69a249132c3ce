// SPDX-License-Identifier: Apache-2.0
// Kernels that LLVM has made, on a GPU, beside the batch machine on one thread: the figures that the rows for GPUs of
// engine/native/code_classes.def guess. bench/gpu_report.py says which of them are to be corrected.
//
//   kernel/CLASS/NAME   a kernel, by the GPU's clock; `gain`: the batch machine's time for as many cases over that; `stated`:
//                       the gain that the table says
//   load/NAME           the driver makes machine code of a module; `stated`: milliseconds that the table says, LLVM's included
//   launch              a kernel with one case, with waiting for it; `stated`: the table's microseconds
//   bytes               `ns`: nanoseconds of a byte of arguments and outcomes; `stated`: the table's
//   modules             without a GPU, too: every program has its module
//
// Nothing is compiled where there is a GPU: `gpu_kernel_bench --write` prints the modules, and they are read from
// kernel_programs.ptx beside the executable.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include "backend/cuda/ptx_device.h"
#include "bench/native_work.h"
#include "engine/native/code_class.h"
#include "vm/vm.h"

namespace komuz::bench {
namespace {

constexpr u32 kCases = 1u << 17, kManyCases = 1u << 20;
constexpr std::string_view kHead = "// == ";  // before the name of a program, above its module
constexpr char kFile[] = "kernel_programs.ptx";

std::string write_modules() {
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) return opened.problem().text();
  for (const NativeProgram& program : kManyPrograms) {
    const Work work(program, 64);
    if (!work.ok()) return std::string(program.name) + " does not compile";
    const backend::PtxProgram kernel = {work.view(), work.entry(), program.name};
    const Result<std::string> ptx = opened.value()->emit_ptx({&kernel, 1});
    if (ptx.problem()) return ptx.problem().text();
    std::cout << kHead << program.name << "\n" << ptx.value() << "\n";
  }
  return {};
}

// By the names of programs; none where there is no file.
const std::map<std::string, std::string>& modules() {
  static const std::map<std::string, std::string> read = [] {
    std::error_code ignored;
    std::ifstream in(std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / kFile,
                     std::ios::binary);
    std::map<std::string, std::string> found;
    std::string name, line;
    while (std::getline(in, line)) {
      if (line.starts_with(kHead))
        name = line.substr(kHead.size());
      else
        found[name] += line + "\n";
    }
    return found;
  }();
  return read;
}

struct Device {
  std::unique_ptr<backend::PtxDevice> device;
  std::string why_none;
};
Device& gpu() {
  static Device only = [] {
    Result<backend::OpenedPtxDevice> opened = backend::open_ptx_device();
    if (opened.problem()) return Device{nullptr, "no GPU: " + opened.problem().text()};
    return Device{std::move(opened).value().device, {}};
  }();
  return only;
}

// A program's kernel; null, and why, if there is none.
std::unique_ptr<backend::PtxModule> load(const char* name, std::string& why) {
  if (gpu().device == nullptr) {
    why = gpu().why_none;
    return nullptr;
  }
  const auto found = modules().find(name);
  if (found == modules().end()) {
    why = std::string(kFile) + " has no `" + name + "`";
    return nullptr;
  }
  Result<std::unique_ptr<backend::PtxModule>> loaded = gpu().device->load(found->second);
  if (!loaded.problem()) return std::move(loaded).value();
  why = loaded.problem().text();
  return nullptr;
}

f64 wall_ns() {
  return static_cast<f64>(std::chrono::steady_clock::now().time_since_epoch() /
                          std::chrono::nanoseconds(1));
}

// The batch machine's nanoseconds of a case, on one thread: the least of three runs.
f64 batch_ns(Work& work, u32 cases) {
  vm::BatchMachine machine;
  f64 least = 0;
  for (u32 n = 0; n < 3; ++n) {
    const std::clock_t start = std::clock();
    machine.run({work.view(), work.entry(), work.cases()}, work.first());
    const f64 ns = 1e9 * static_cast<f64>(std::clock() - start) / CLOCKS_PER_SEC / cases;
    if (n == 0 || ns < least) least = ns;
  }
  return least;
}

void run_kernel(benchmark::State& state, const NativeProgram& program) {
  std::string why;
  const std::unique_ptr<backend::PtxModule> module = load(program.name, why);
  if (module == nullptr) return state.SkipWithError(why.c_str());
  Work few(program, program.cases);
  const f64 on_batch = batch_ns(few, program.cases);
  const auto run = [&](Work& work, u32 cases) {
    return module->run(program.name, {work.cases(), kDefaultFuel, 0, cases}, work.second());
  };
  if (const Problem problem = run(few, program.cases))
    return state.SkipWithError(problem.text().c_str());
  if (!few.agree()) return state.SkipWithError("the outcomes differ");
  Work many(program, kCases);
  f64 seconds = 0;
  for (auto _ : state) {
    if (const Problem problem = run(many, kCases))
      return state.SkipWithError(problem.text().c_str());
    seconds = gpu().device->seconds();
    state.SetIterationTime(seconds);
  }
  const engine::CodeShape shape = engine::shape_of(few.view(), few.entry());
  state.counters["gain"] = on_batch * kCases / (1e9 * seconds);
  state.counters["stated"] = engine::stated_way(shape.code_class, engine::Company::Crowd).gain;
  state.counters["cases"] = benchmark::Counter(static_cast<f64>(kCases) / seconds);
}

void load_module(benchmark::State& state, const NativeProgram& program) {
  const Work work(program, 64);
  const engine::CodeShape shape = engine::shape_of(work.view(), work.entry());
  for (auto _ : state) {
    std::string why;
    if (load(program.name, why) == nullptr) return state.SkipWithError(why.c_str());
  }
  state.counters["instructions"] = static_cast<f64>(shape.instructions);
  state.counters["stated"] =
      engine::stated_way(shape.code_class, engine::Company::Crowd).compile_ns(shape) / 1e6;
}

void launch(benchmark::State& state) {
  std::string why;
  const NativeProgram& program = kManyPrograms[0];
  const std::unique_ptr<backend::PtxModule> module = load(program.name, why);
  if (module == nullptr) return state.SkipWithError(why.c_str());
  Work work(program, 64);
  for (auto _ : state)
    if (const Problem problem =
            module->run(program.name, {work.cases(), kDefaultFuel, 0, 1}, work.second()))
      return state.SkipWithError(problem.text().c_str());
  state.counters["stated"] = engine::kernel_costs().launch_ns / 1e3;
}

// What a run takes besides its kernel, of which a launch of few cases is not counted.
void bytes(benchmark::State& state) {
  std::string why;
  const NativeProgram& program = kManyPrograms[0];
  const std::unique_ptr<backend::PtxModule> module = load(program.name, why);
  if (module == nullptr) return state.SkipWithError(why.c_str());
  Work work(program, kManyCases);
  const auto besides = [&](u32 cases) {
    const f64 began = wall_ns();
    const Problem problem =
        module->run(program.name, {work.cases(), kDefaultFuel, 0, cases}, work.second());
    if (problem) why = problem.text();
    return wall_ns() - began - 1e9 * gpu().device->seconds();
  };
  f64 ns = 0;
  for (auto _ : state) ns = besides(kManyCases) - besides(1);
  if (!why.empty()) return state.SkipWithError(why.c_str());
  // Two f64 and one result; the trap, its place and depth, the fuel.
  constexpr f64 kBytes = 2 * 8 + 8 + 1 + 4 + 4 + 8;
  state.counters["ns"] = ns / kBytes / kManyCases;
  state.counters["stated"] = engine::kernel_costs().ns_a_byte;
}

void count_modules(benchmark::State& state) {
  u32 there = 0;
  for (auto _ : state) {
    there = 0;
    // Where nothing would run, nothing is missing.
    if (modules().empty() && gpu().device == nullptr) continue;
    for (const NativeProgram& program : kManyPrograms) {
      const auto found = modules().find(program.name);
      const std::string entry = std::string(".visible .entry ") + program.name + "(";
      if (found == modules().end() || found->second.find(entry) == std::string::npos)
        return state.SkipWithError((std::string("no module of ") + program.name).c_str());
      ++there;
    }
  }
  state.counters["programs"] = there;
}

const char* class_name(const NativeProgram& program) {
  constexpr const char* kNames[] = {"Recursion", "ArrayLoops", "Loops", "Straight"};
  const Work work(program, 64);
  return kNames[static_cast<u8>(engine::shape_of(work.view(), work.entry()).code_class)];
}

void name_rows() {
  const auto name = [](const std::string& row, auto function, const auto&... more) {
    return benchmark::RegisterBenchmark(row.c_str(), function, more...)
        ->Unit(benchmark::kMillisecond);
  };
  name("modules", count_modules)->Iterations(1);
  for (const NativeProgram& program : kManyPrograms) {
    name(std::string("kernel/") + class_name(program) + "/" + program.name, run_kernel, program)
        ->UseManualTime()
        ->Iterations(5);
    name(std::string("load/") + program.name, load_module, program)->UseRealTime()->Iterations(3);
  }
  name("launch", launch)->UseRealTime()->Iterations(200);
  name("bytes", bytes)->UseRealTime()->Iterations(5);
}

}  // namespace
}  // namespace komuz::bench

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--write") == 0) {
    const std::string why = komuz::bench::write_modules();
    if (!why.empty()) std::cerr << "gpu_kernel_bench: " << why << "\n";
    return why.empty() ? 0 : 1;
  }
  komuz::bench::name_rows();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
