// SPDX-License-Identifier: Apache-2.0
// Native code for one case beside what gcc makes of the same program in C with the same checks (native_c_programs.h):
//
//   over_gcc/NAME/effort:N           native code's time over that of gcc -O2, on many cases; outcomes are compared first
//   compile_over_gcc/NAME/effort:N   the time of making an object file of 64 functions as this process runs them, a case
//                                    at a time, over gcc -O2's for C of them, each with its loop over rows; all of
//                                    gcc's processes are included
//   library_over_gcc/NAME/effort:N   the same of 64 functions for C: each for one call and for rows, and for a case
//
// Effort 1 is that of code for this process, 2 that of `komuz build`. Times are of the processor.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "backend/c/c_interface.h"
#include "bench/compare.h"
#include "bench/native_c_programs.h"
#include "bench/native_work.h"

namespace komuz::bench {
namespace {

using backend::Effort;

constexpr const char kFlags[] = "-O2 -march=native -ffp-contract=off -fPIC -w";

// A folder that goes away.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/komuz_peers_XXXXXX";
    path_ = mkdtemp(name) != nullptr ? name : "";
  }
  ~Folder() {
    if (!path_.empty()) static_cast<void>(std::system(("rm -r " + path_).c_str()));
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string replaced(std::string text, std::string_view word, std::string_view by) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
    text.replace(at, word.size(), by);
  return text;
}
std::string c_text(const CProgram& program, const std::string& copy, u32 number) {
  std::string rows = replaced(kRowsInC, "RESULT", program.result);
  rows = replaced(rows, "ARGUMENTS", program.arguments);
  return text_of((program.text + rows).c_str(), copy, number);
}

bool run_gcc(const std::string& options) {
  return std::system(("gcc " + std::string(kFlags) + " " + options).c_str()) == 0;
}

const NativeProgram& program_named(std::string_view name) {
  return *std::ranges::find(kManyPrograms, name, &NativeProgram::name);
}

using Rows = void (*)(const void* const*, size_t, u64, u64*, Trap*, u32*, u32*, u64*);

void over_gcc(benchmark::State& state, const CProgram& program) {
  Work work(program_named(program.name), program_named(program.name).cases);
  if (!work.ok()) return state.SkipWithError("the program does not compile");
  const Result<backend::NativeCode> code = compile(work, 1, static_cast<Effort>(state.range(0)));
  if (code.problem()) return state.SkipWithError(code.problem().text().c_str());
  const Folder folder;
  std::ofstream(folder.file("one.c")) << std::string(kChecksInC) + c_text(program, "", 1001);
  if (!run_gcc("-shared -o " + folder.file("one.so") + " " + folder.file("one.c")))
    return state.SkipWithError("gcc makes nothing of the program");
  void* const library = dlopen(folder.file("one.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto rows = library != nullptr ? reinterpret_cast<Rows>(dlsym(library, "rows")) : nullptr;
  if (rows == nullptr) return state.SkipWithError("the library of gcc does not open");
  std::vector<const void*> columns;
  for (const ArgumentColumn& column : work.cases().columns) columns.push_back(column.data);
  const auto native = [&] { code.value().run({work.cases()}, work.first()); };
  const auto peer = [&] {
    const OutcomesView out = work.second();
    rows(columns.data(), work.cases().count, kDefaultFuel, out.values.data(), out.traps.data(),
         out.places.data(), out.depths.data(), out.fuel.data());
  };
  native();
  peer();
  if (work.agree())
    compare(state, native, peer);
  else
    state.SkipWithError("the outcomes differ");
  dlclose(library);
}

f64 seconds_of(int whose) {
  rusage used{};
  getrusage(whose, &used);
  return static_cast<f64>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<f64>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

constexpr u32 kCopies = 64;

// `for_c`: with what C calls besides the functions of a case.
void compile_over_gcc(benchmark::State& state, const CProgram& program, bool for_c) {
  std::string text, c = kChecksInC;
  for (u32 k = 0; k < kCopies; ++k) {
    const std::string copy = "_" + std::to_string(k);
    text += text_of(program_named(program.name).text, copy, 1001 + k);
    c += c_text(program, copy, 1001 + k);
  }
  frontend::Compiler compiler;
  frontend::Compilation compiled;
  compiler.compile(text, compiled);
  if (!compiled.ok) return state.SkipWithError("the program does not compile");
  const CodeView code = compiled.code.view();
  std::vector<u32> functions;
  for (u32 f = 0; f < code.functions.size(); ++f)
    if (code.functions[f].is_public) functions.push_back(f);
  const Result<backend::CInterface> interface = backend::CInterface::make(
      code, functions,
      {.prefix = "", .fuel = kDefaultFuel, .header = "peers.h", .about = "Of a benchmark."});
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (interface.problem() || opened.problem()) return state.SkipWithError("there is no backend");
  std::vector<backend::CFunction> made(interface.value().functions().begin(),
                                       interface.value().functions().end());
  if (!for_c)
    for (backend::CFunction& f : made) f.fuel = 0;
  const auto emit = [&] {
    return opened.value()->emit(code, functions[0],
                                {.effort = static_cast<Effort>(state.range(0)),
                                 .symbol = "",
                                 .c_functions = made,
                                 .processor = processor()});
  };
  const Result<std::string> first = emit();
  if (first.problem()) return state.SkipWithError(first.problem().text().c_str());
  const Folder folder;
  std::ofstream(folder.file("many.c")) << c;
  std::vector<f64> own, peers;
  for (auto _ : state) {
    const f64 before = seconds_of(RUSAGE_SELF), peer_before = seconds_of(RUSAGE_CHILDREN);
    benchmark::DoNotOptimize(emit());
    own.push_back(seconds_of(RUSAGE_SELF) - before);
    if (!run_gcc("-c -o " + folder.file("many.o") + " " + folder.file("many.c")))
      return state.SkipWithError("gcc makes nothing of the programs");
    peers.push_back(seconds_of(RUSAGE_CHILDREN) - peer_before);
  }
  const auto median = [](std::vector<f64>& times) {
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
  };
  state.counters["ratio"] = median(own) / median(peers);
  state.counters["ms"] = 1e3 * median(own) / kCopies;
  state.counters["gcc_ms"] = 1e3 * median(peers) / kCopies;
}

}  // namespace
}  // namespace komuz::bench

int main(int argc, char** argv) {
  using namespace komuz::bench;
  for (const CProgram& program : kCPrograms) {
    const std::string name = program.name;
    const auto add = [&](const std::string& title, auto work, auto... how) {
      return benchmark::RegisterBenchmark(title.c_str(), work, program, how...)
          ->ArgName("effort")
          ->Arg(1)
          ->Arg(2)
          ->Unit(benchmark::kMillisecond);
    };
    add("over_gcc/" + name, over_gcc);
    add("compile_over_gcc/" + name, compile_over_gcc, false)->Iterations(3);
    add("library_over_gcc/" + name, compile_over_gcc, true)->Iterations(3);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
