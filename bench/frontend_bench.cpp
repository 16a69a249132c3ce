// SPDX-License-Identifier: Apache-2.0
// The front end on one core: lexing by instruction set; whole compiles of programs of about 1 KB, and of
// expressions as one function each; the cost of diagnostics; and the ratio to the recursive-descent yardstick,
// measured side by side. Expressions have one head, as the candidates of a batch do, which the front end keeps
// (columns/kept_head.h); `own_heads` are the same expressions with a head of its own each, `x_alone` the head with the
// shortest body. Before anything is timed, front end and yardstick must have made the same code of every
// input.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <thread>
#include <vector>

#include "base/random.h"
#include "base/simd_level.h"
#include "bench/agreement.h"
#include "bench/compare.h"
#include "bench/programs.h"
#include "bench/recursive_descent.h"
#include "frontend_gpu/columns/workspace.h"
#include "frontend_gpu/frontend.h"
#include "frontend_gpu/wide/wide_lex.h"
#include "lang/check/check_code.h"
#include "vm/count_instructions.h"

namespace komuz::bench {
namespace {

constexpr u32 kPrograms = 256, kProgramBytes = 800;  // the mean is about 1 KB

const Sources& programs() {
  static const Sources made = make_programs(kPrograms, kProgramBytes, 1);
  return made;
}
const Sources& failing_programs() {
  static const Sources made = make_failing_programs(kPrograms, kProgramBytes, 1);
  return made;
}
const Sources& expression_programs() {
  static const Sources made = make_expression_programs(expressions(), "f64");
  return made;
}
const Sources& own_heads() {
  static const Sources made = [] {
    Sources sources;
    for (const std::string& text : expression_programs().texts) {
      constexpr std::string_view kName = "pub fn f";
      const std::string number = std::to_string(sources.texts.size());
      sources.add(std::string(kName) + number + text.substr(kName.size()));
    }
    return sources;
  }();
  return made;
}
const Sources& x_alone() {
  static const Sources made =
      make_expression_programs(std::vector<std::string>(kPrograms, "x"), "f64");
  return made;
}
const std::string& long_source() {
  static const std::string text = make_programs(1, 1u << 20, 2).texts.front();
  return text;
}

// Code as the text has it, which the yardstick makes, too.
const frontend::Options kPlain{.is_plain = true};

// Compiles a batch, one program a call.
class FrontEnd {
 public:
  explicit FrontEnd(const frontend::Options& options = {}) : compiler_(options) {}
  void run(const Sources& sources) {
    for (const std::string& text : sources.texts) {
      compiler_.compile(text, out_);
      benchmark::DoNotOptimize(out_.code.instructions.data());
    }
  }

 private:
  frontend::Compiler compiler_;
  frontend::Compilation out_;
};
// Compiles and checks its code, as the front end does.
class Yardstick {
 public:
  void run(const Sources& sources) {
    for (const std::string& text : sources.texts) {
      if (!compiler_.compile(text, out_)) std::abort();
      const CodeError error = checker_.check(out_.view(), out_.functions);
      if (error) std::abort();
      benchmark::DoNotOptimize(out_.instructions.data());
    }
  }
  void run_unchecked(const Sources& sources) {
    for (const std::string& text : sources.texts) {
      if (!compiler_.compile(text, out_)) std::abort();
      benchmark::DoNotOptimize(out_.instructions.data());
    }
  }

 private:
  RecursiveDescent compiler_;
  CodeChecker checker_;
  Code out_;
};

void set_rates(benchmark::State& state, const Sources& sources) {
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * sources.bytes));
  state.SetItemsProcessed(static_cast<i64>(state.iterations() * sources.texts.size()));
}

void masks_of_bytes(benchmark::State& state, frontend::ByteMasksFunction byte_masks) {
  frontend::Columns columns{};
  frontend::ColumnMemory memory;
  memory.begin(columns, long_source());
  for (auto _ : state) {
    byte_masks(columns.source, columns.blocks, columns.masks);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * long_source().size()));
}

// Masks, token bits, positions, kinds and identity.
void lex(benchmark::State& state, frontend::ByteMasksFunction byte_masks, bool wide) {
  frontend::Columns columns{};
  frontend::ColumnMemory memory;
  frontend::MeteredGroup group(wide);
  memory.begin(columns, long_source());
  for (auto _ : state) {
    byte_masks(columns.source, columns.blocks, columns.masks);
    if (!frontend::find_tokens(group, columns, columns.bytes)) std::abort();
    benchmark::DoNotOptimize(frontend::classify_tokens(group, columns, frontend::tables()));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * long_source().size()));
  state.counters["tokens/s"] = benchmark::Counter(
      static_cast<f64>(state.iterations()) * columns.tokens, benchmark::Counter::kIsRate);
}
// Identifies one program at a time through the door, which copies the text.
void identify(benchmark::State& state) {
  frontend::Compiler compiler;
  for (auto _ : state)
    for (const std::string& text : programs().texts)
      benchmark::DoNotOptimize(compiler.identify(text));
  set_rates(state, programs());
}

void compile(benchmark::State& state, const Sources& sources) {
  FrontEnd front_end;
  for (auto _ : state) front_end.run(sources);
  set_rates(state, sources);
}
void compile_by_yardstick(benchmark::State& state, const Sources& sources) {
  Yardstick yardstick;
  for (auto _ : state) yardstick.run(sources);
  set_rates(state, sources);
}
void compile_by_yardstick_unchecked(benchmark::State& state, const Sources& sources) {
  Yardstick yardstick;
  for (auto _ : state) yardstick.run_unchecked(sources);
  set_rates(state, sources);
}

// The front end's time over the yardstick's: below 1, the front end is faster.
void front_end_to_yardstick(benchmark::State& state, const Sources& sources) {
  FrontEnd front_end(kPlain);
  Yardstick yardstick;
  compare(
      state, [&] { front_end.run(sources); }, [&] { yardstick.run(sources); });
}
// Numbers around 0 for parameters of i64 and f64, the same in every run.
class Inputs {
 public:
  static constexpr u32 kCases = 16;

  [[nodiscard]] CasesView of(const CodeView& code, const Function& f) {
    Random random(1);
    columns_.clear();
    cells_.assign(f.parameter_slots, {});
    for (u32 k = 0; k < f.parameter_slots; ++k) {
      const Scalar type = static_cast<Scalar>(code.slot_types[f.slots_begin + k]);
      std::vector<u64>& cells = cells_[k];
      cells.resize(kCases);
      for (u64& cell : cells) {
        const i64 whole = static_cast<i64>(random.below(40)) - 20;
        cell = type == Scalar::F64 ? std::bit_cast<u64>(static_cast<f64>(whole) / 8.0)
                                   : static_cast<u64>(whole);
      }
      columns_.push_back({type, cells.data()});
    }
    return {columns_, kCases};
  }

 private:
  std::vector<std::vector<u64>> cells_;
  std::vector<ArgumentColumn> columns_;
};
// The instructions that are executed when the last function of each program, which calls those before it, runs on
// 16 cases.
u64 count_executed(const Sources& sources, const frontend::Options& options) {
  frontend::Compiler compiler(options);
  frontend::Compilation out;
  Inputs inputs;
  u64 count = 0;
  for (const std::string& text : sources.texts) {
    compiler.compile(text, out);
    const CodeView code = out.code.view();
    const u32 last = static_cast<u32>(code.functions.size()) - 1;
    count += vm::count_instructions({.code = code,
                                     .function = last,
                                     .cases = inputs.of(code, code.functions[last]),
                                     .fuel = 10'000});
  }
  return count;
}
// The instructions of all functions, each counted once.
u64 count_instructions(const Sources& sources, const frontend::Options& options) {
  frontend::Compiler compiler(options);
  frontend::Compilation out;
  u64 count = 0;
  for (const std::string& text : sources.texts) {
    compiler.compile(text, out);
    count += out.code.instructions.size();
  }
  return count;
}
// The front end's time with optimisation over that without, and the part of the code that is left.
void optimised_to_plain(benchmark::State& state, const Sources& sources) {
  FrontEnd optimised, plain(kPlain);
  compare(
      state, [&] { optimised.run(sources); }, [&] { plain.run(sources); });
  state.counters["instructions"] = static_cast<f64>(count_instructions(sources, {}));
  state.counters["before"] = static_cast<f64>(count_instructions(sources, kPlain));
  state.counters["executed"] = static_cast<f64>(count_executed(sources, {}));
  state.counters["executed_before"] = static_cast<f64>(count_executed(sources, kPlain));
}
// The time of programs with one error each over that of the same programs without.
void failing_to_sound(benchmark::State& state) {
  FrontEnd front_end;
  compare(
      state, [&] { front_end.run(failing_programs()); }, [&] { front_end.run(programs()); });
}

// How the time grows with the length of a program, and with the number of programs. Argument: the steps of a chain.
// Items are steps; their rate should stay the same.
void compile_chain(benchmark::State& state) {
  std::string source = "pub fn f(xs: [i64; 4]) -> i64 { xs";
  for (i64 k = 0; k < state.range(0); ++k) source += "\n.map(x => x + 1)";
  source += ".sum() }\n";
  frontend::Compiler compiler;
  frontend::Compilation out;
  for (auto _ : state) compiler.compile(source, out);
  if (!out.ok) state.SkipWithError("the chain does not compile");
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void compile_of_length(benchmark::State& state) {
  const u32 bytes = static_cast<u32>(state.range(0));
  compile(state, make_programs(std::max(1u, 100'000 / bytes), bytes, 3));
}
void compile_so_many(benchmark::State& state) {
  compile(state,
          make_expression_programs(make_expressions(static_cast<u32>(state.range(0)), 4), "f64"));
}

void register_for_level(SimdLevel level, frontend::ByteMasksFunction byte_masks) {
  if (!simd_level_supported(level)) return;
  const std::string name(simd_level_name(level));
  const bool wide = level == SimdLevel::Avx512 && has_wide_vectors();
  benchmark::RegisterBenchmark(("byte_masks/1MB/" + name).c_str(), masks_of_bytes, byte_masks);
  benchmark::RegisterBenchmark(("lex/1MB/" + name).c_str(), lex, byte_masks, wide);
}

void register_all() {
  register_for_level(SimdLevel::Portable, frontend::byte_masks_portable);
  register_for_level(SimdLevel::Avx2, frontend::byte_masks_avx2);
  register_for_level(SimdLevel::Avx512, frontend::byte_masks_avx512);
  benchmark::RegisterBenchmark("identify/programs", identify);
  const struct {
    const char* name;
    const Sources& sources;
  } inputs[] = {{"programs", programs()},
                {"expressions", expression_programs()},
                {"own_heads", own_heads()},
                {"x_alone", x_alone()}};
  for (const auto& input : inputs) {
    const auto name = [&](const char* what) { return std::string(what) + "/" + input.name; };
    const auto add = [&](const char* what, auto function) {
      benchmark::RegisterBenchmark(
          name(what).c_str(),
          [function, sources = &input.sources](benchmark::State& s) { function(s, *sources); });
    };
    add("compile", compile);
    add("recursive_descent", compile_by_yardstick);
    // Scaling over cores: each thread has a compiler of its own, and the rates add up over all of them.
    benchmark::RegisterBenchmark(
        name("compile_by_threads").c_str(),
        [sources = &input.sources](benchmark::State& s) { compile(s, *sources); })
        ->ThreadRange(1, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())))
        ->UseRealTime();
    add("recursive_descent_unchecked", compile_by_yardstick_unchecked);
    add("frontend_over_recursive_descent", front_end_to_yardstick);
    add("optimised_over_plain", optimised_to_plain);
  }
  benchmark::RegisterBenchmark("compile_of_bytes", compile_of_length)
      ->RangeMultiplier(10)
      ->Range(100, 1'000'000);
  benchmark::RegisterBenchmark("compile_chain_of_steps", compile_chain)->Range(512, 8192);
  benchmark::RegisterBenchmark("compile_so_many_expressions", compile_so_many)
      ->RangeMultiplier(10)
      ->Range(10, 1'000'000);
  benchmark::RegisterBenchmark("compile/failing_programs",
                               [](benchmark::State& s) { compile(s, failing_programs()); });
  benchmark::RegisterBenchmark("failing_over_sound/programs", failing_to_sound);
}

bool agrees(const char* what, const Sources& sources) {
  const std::optional<std::string> difference = first_difference(sources);
  if (difference) std::fprintf(stderr, "%s: %s\n", what, difference->c_str());
  return !difference;
}

}  // namespace
}  // namespace komuz::bench

int main(int argc, char** argv) {
  using namespace komuz::bench;
  if (!agrees("programs", programs()) || !agrees("expressions", expression_programs())) return 1;
  if (!agrees("own heads", own_heads()) || !agrees("x alone", x_alone())) return 1;
  if (!agrees("f32 expressions", make_expression_programs(expressions(), "f32"))) return 1;
  std::printf("%zu programs of %zu bytes; %zu expressions (%s), as programs of %zu bytes\n",
              programs().texts.size(), programs().bytes / programs().texts.size(),
              expression_programs().texts.size(), expressions_origin(),
              expression_programs().bytes / expression_programs().texts.size());
  register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
