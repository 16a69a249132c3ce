// SPDX-License-Identifier: Apache-2.0
#include "bench/routed_programs.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend_gpu/frontend.h"
#include "gen/gen.h"
#include "lang/reached_functions.h"
#include "neural/corpus/corpus.h"
#include "neural/optimise/measure.h"
#include "neural/optimise/optimise.h"
#include "neural/teacher/costs.h"
#include "neural/tokens/write_words.h"
#include "neural/windows/windows.h"

namespace komuz::neural {
namespace {

// Of the solver, for each proposal, as in runs.
constexpr u64 kResources = 100'000;
// Of each run that is measured.
constexpr u64 kTicks = 1'000;

f64 processor_ns() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * static_cast<f64>(now.tv_sec) + static_cast<f64>(now.tv_nsec);
}

std::string scalar_program(u64 number) {
  CorpusOptions options;
  options.seed = 40'000'000;
  return corpus_program(options, number);
}

// Half of them small, so that not all are large.
std::string general_program(u64 number) {
  const bool is_small = number % 2 == 0;
  return gen::generate_program(number, {.functions = is_small ? 1u : 3u,
                                        .constants = 1,
                                        .statements = is_small ? 2u : 3u,
                                        .depth = is_small ? 2u : 3u,
                                        .tests = false,
                                        .containers = number % 4 >= 2,
                                        .chains = number % 8 >= 6});
}

// The public functions of a text, each as an entry.
void each_entry(Origin origin, u64 number, const std::string& text,
                const std::function<void(const RoutedProgram&)>& use) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile(text, made);
  if (!made.ok) return;
  RoutedProgram program{origin, number, text, std::move(made.code), 0};
  for (u32 f = 0; f < program.code.functions.size(); ++f) {
    if (!program.code.functions[f].is_public) continue;
    program.entry = f;
    use(program);
  }
}

void each_file(Origin origin, const std::vector<std::string>& folders,
               const std::function<void(const RoutedProgram&)>& use) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".komuz") paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (u64 k = 0; k < paths.size(); ++k) {
    std::ifstream file(paths[k]);
    std::ostringstream text;
    text << file.rdbuf();
    each_entry(origin, k, text.str(), use);
  }
}

}  // namespace

void each_program(Origin origin, u64 first, u64 count,
                  const std::function<void(const RoutedProgram&)>& use) {
  switch (origin) {
    case Origin::Scalar:
    case Origin::General:
      for (u64 k = first; k < first + count; ++k)
        each_entry(origin, k, origin == Origin::Scalar ? scalar_program(k) : general_program(k),
                   use);
      break;
    case Origin::Written: each_file(origin, {"examples", "stdlib"}, use); break;
    case Origin::People: each_file(origin, {"tests/neural/programs"}, use); break;
  }
}

MeasuredProgram measure_program(const RoutedProgram& program, const Model& model, f64 seconds) {
  MeasuredProgram out;
  const CodeView code = program.code.view();
  const std::vector<u32> functions = reached_functions(code, program.entry);
  const auto measure = [&](const Model* with, WayMeasure& way) {
    OptimiseOptions options;
    options.by_teacher = false;
    options.model = with;
    options.threads = 1;
    options.judge.resources = kResources;
    const f64 start = processor_ns();
    Optimised optimised = optimise(code, functions, options);
    way.cost_ns = processor_ns() - start;
    way.is_cheaper = !optimised.cheaper.empty();
    way.code = std::move(optimised.code);
    for (const u32 f : functions) way.units += cost_of_code(way.code.view(), f);
    if (!way.is_cheaper) return;
    const MeasuredRuns runs =
        measure_runs(code, way.code.view(), program.entry, 0, kTicks, seconds);
    if (runs.before_ns <= 0) return;
    way.share = std::max(0.0, 1 - runs.after_ns / runs.before_ns);
    out.case_ns = runs.before_ns;
  };
  measure(nullptr, out.by_rules);
  measure(&model, out.by_model);
  if (out.case_ns == 0)
    out.case_ns = measure_runs(code, code, program.entry, 0, kTicks, seconds).before_ns;
  return out;
}

u32 program_class(const RoutedProgram& program) {
  const CodeView code = program.code.view();
  u32 instructions = 0;
  for (const u32 f : reached_functions(code, program.entry))
    instructions += code.functions[f].code_end - code.functions[f].code_begin;
  return instructions < 8 ? 0 : instructions < 16 ? 1 : 2;
}

std::vector<f32> encoded_mean(const RoutedProgram& program, const Model& model) {
  // What the first layer of the decoder takes of a word is a linear image of what the encoder says of it.
  const ModelSize& size = model.size();
  const u32 head_width = size.head_width();
  std::vector<f32> mean(size.d);
  u32 words = 0;
  const CodeView code = program.code.view();
  Source source;
  WordLine line;
  for (const u32 function : reached_functions(code, program.entry))
    for (const CodeWindow& window : find_code_windows(code, function)) {
      const LoneWindow lone = lone_window(code, window);
      if (write_source(lone.code.view(), source, line) != Unwritten::None) continue;
      u8 types[kMostSourceWords];
      for (u32 k = 0; k < line.count; ++k) types[k] = static_cast<u8>(line.types[k]);
      const EncodedSource encoded(model, line.view(), {types, line.count}, best_simd_level());
      for (u32 head = 0; head < size.heads; ++head) {
        const f32* const values = encoded.values(0, head);
        for (u32 d = 0; d < head_width; ++d)
          for (u32 k = 0; k < line.count; ++k)
            mean[head * head_width + d] +=
                values[(d / kPanel * line.count + k) * kPanel + d % kPanel];
      }
      words += line.count;
    }
  for (f32& value : mean) value /= static_cast<f32>(std::max(1u, words));
  return mean;
}

}  // namespace komuz::neural
