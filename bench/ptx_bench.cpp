// SPDX-License-Identifier: Apache-2.0
// Programs as kernels for GPUs, beside NVIDIA's compiler of CUDA C. `ptx_over_nvrtc` is the ratio of the processor times
// that both take for 64 kernels of one module, from checked code and from CUDA C to PTX; it needs NVRTC. `ptx` is our
// time alone.
//
//   ptx_bench --write FILE    writes the module of the programs of native_programs.h, for bench/ptx_size.py
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <string>

#include "backend/backend.h"
#include "bench/compare.h"
#include "bench/native_programs.h"
#include "frontend_gpu/frontend.h"

namespace komuz::bench {
namespace {

// Programs of one module.
class Module {
 public:
  // False: there is no such program, or it does not compile.
  bool add(const std::string& name, const std::string& symbol) {
    for (const NativeProgram& program : kManyPrograms) {
      if (name != program.name) continue;
      frontend::Compilation& compiled = compiled_.emplace_back();
      frontend::Compiler().compile(text_of(program), compiled);
      if (!compiled.ok) return false;
      const CodeView code = compiled.code.view();
      kernels_.push_back({code, static_cast<u32>(code.find_function("f")), symbol});
      return true;
    }
    return false;
  }
  [[nodiscard]] Result<std::string> emit() const {
    const Result<const backend::Backend*> opened = backend::open_backend();
    if (opened.problem()) return Problem(opened.problem());
    return opened.value()->emit_ptx(kernels_);
  }

 private:
  std::deque<frontend::Compilation> compiled_;
  std::vector<backend::PtxProgram> kernels_;
};

// NVIDIA's compiler, as nvrtc.h declares it: a program is a pointer, and 0 is success.
class Nvrtc {
 public:
  Nvrtc() {
#if defined(KOMUZ_BENCH_NVRTC)
    library_ = dlopen(KOMUZ_BENCH_NVRTC, RTLD_NOW | RTLD_LOCAL);
#endif
    find(create_, "nvrtcCreateProgram");
    find(compile_, "nvrtcCompileProgram");
    find(size_, "nvrtcGetPTXSize");
    find(destroy_, "nvrtcDestroyProgram");
  }
  [[nodiscard]] bool is_there() const { return library_ != nullptr; }
  // Gives the bytes of the PTX; 0: it does not compile.
  [[nodiscard]] size_t compile(const std::string& text) const {
    void* program = nullptr;
    const char* const options[] = {"--gpu-architecture=compute_75", "--fmad=false", "--std=c++20"};
    size_t bytes = 0;
    if (create_(&program, text.c_str(), "kernels.cu", 0, nullptr, nullptr) != 0) return 0;
    if (compile_(program, 3, options) == 0) size_(program, &bytes);
    destroy_(&program);
    return bytes;
  }

 private:
  template <class F>
  void find(F& function, const char* name) {
    if (library_ == nullptr) return;
    function = reinterpret_cast<F>(dlsym(library_, name));
    if (function == nullptr) library_ = nullptr;
  }
  void* library_ = nullptr;
  int (*create_)(void**, const char*, const char*, int, const char* const*,
                 const char* const*) = nullptr;
  int (*compile_)(void*, int, const char* const*) = nullptr;
  int (*size_)(void*, size_t*) = nullptr;
  int (*destroy_)(void**) = nullptr;
};

// Those that need no mathematical functions, which NVRTC would have to read first.
struct Pair {
  const char *name, *in_cuda;
};
constexpr Pair kMixed[] = {
    {"poly", "Poly"}, {"collatz", "Collatz"}, {"sort", "Sort"}, {"packing", "Packing"}};
constexpr Pair kExpressions[] = {{"poly", "Poly"}};

std::string symbol_of(const Pair& pair, u32 number) {
  return std::string(pair.name) + "_" + std::to_string(number);
}

std::string cuda_text(std::span<const Pair> pairs, u32 count) {
  std::ifstream in(KOMUZ_BENCH_KERNELS, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (u32 k = 0; k < count; ++k) {
    const Pair& pair = pairs[k % pairs.size()];
    text += std::string("KOMUZ_BENCH_KERNEL(") + pair.in_cuda + ", " + symbol_of(pair, k) + ")\n";
  }
  return text;
}

// What `ptx_over_nvrtc` and `ptx` compile.
bool fill(Module& module, std::span<const Pair> pairs, u32 count) {
  for (u32 k = 0; k < count; ++k) {
    const Pair& pair = pairs[k % pairs.size()];
    if (!module.add(pair.name, symbol_of(pair, k))) return false;
  }
  return true;
}

void ptx_over_nvrtc(benchmark::State& state, std::span<const Pair> pairs) {
  const Nvrtc nvrtc;
  if (!nvrtc.is_there()) return state.SkipWithError("NVRTC was not found");
  const u32 count = static_cast<u32>(state.range(0));
  Module module;
  if (!fill(module, pairs, count)) return state.SkipWithError("a program does not compile");
  const std::string text = cuda_text(pairs, count);
  if (const auto made = module.emit(); made.problem())
    return state.SkipWithError(made.problem().text().c_str());
  if (nvrtc.compile(text) == 0) return state.SkipWithError("NVRTC does not compile the kernels");
  compare(
      state, [&] { benchmark::DoNotOptimize(module.emit().value().size()); },
      [&] { benchmark::DoNotOptimize(nvrtc.compile(text)); });
}

void ptx(benchmark::State& state, std::span<const Pair> pairs) {
  Module module;
  if (!fill(module, pairs, static_cast<u32>(state.range(0))))
    return state.SkipWithError("a program does not compile");
  for (auto _ : state)
    if (const auto made = module.emit(); made.problem())
      return state.SkipWithError(made.problem().text().c_str());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

int write_module(const char* file) {
  Module module;
  for (const NativeProgram& program : kManyPrograms)
    if (!module.add(program.name, std::string(program.name) + "_kernel")) return 1;
  const Result<std::string> made = module.emit();
  if (made.problem()) {
    std::cerr << made.problem().text() << "\n";
    return 1;
  }
  return (std::ofstream(file, std::ios::binary) << made.value()) ? 0 : 1;
}

}  // namespace
}  // namespace komuz::bench

int main(int argc, char** argv) {
  using namespace komuz::bench;
  if (argc == 3 && std::strcmp(argv[1], "--write") == 0) return write_module(argv[2]);
  const std::pair<const char*, std::span<const Pair>> kinds[] = {{"expressions", kExpressions},
                                                                 {"mixed", kMixed}};
  for (const auto& [name, pairs] : kinds) {
    benchmark::RegisterBenchmark((std::string("ptx_over_nvrtc/") + name).c_str(), ptx_over_nvrtc,
                                 pairs)
        ->ArgName("programs")
        ->Arg(64)
        ->Iterations(3)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((std::string("ptx/") + name).c_str(), ptx, pairs)
        ->ArgName("programs")
        ->Arg(1)
        ->Arg(64)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
