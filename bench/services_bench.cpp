// SPDX-License-Identifier: Apache-2.0
// Questions of an editor about a text of a few hundred lines: reading it anew, as after each key, and the questions
// that follow.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "lang/standard_modules.h"
#include "services/complete.h"
#include "services/definition.h"
#include "services/hover.h"
#include "services/references.h"
#include "services/signature.h"

namespace komuz::services {
namespace {

// A module of the standard library; somebody types in its middle.
struct Subject {
  engine::ModuleLoader loader;
  std::string text;
  u32 place = 0;  // behind the typed text
  Analysis analysis{&loader.library()};

  Subject(std::string_view module, std::string_view written) {
    for (const StandardModule& one : standard_modules())
      if (one.name == module) text = one.text;
    const size_t body = text.find("{\n", text.size() / 2) + 2;
    text.insert(body, std::string(written) + "\n");
    place = static_cast<u32>(body + written.size());
    loader.load(text);
    analysis.read(text);
  }
};

constexpr std::string_view kModules[] = {"random", "stats"};
Subject subject(const benchmark::State& state, std::string_view written) {
  return {kModules[state.range(0)], written};
}
void count_lines(benchmark::State& state, const std::string& text) {
  state.counters["lines"] = static_cast<f64>(std::count(text.begin(), text.end(), '\n'));
}

// Two texts in turn, so that neither is known already.
void read_anew(benchmark::State& state, std::string_view written) {
  Subject s = subject(state, written);
  const std::string other = s.text + " ";
  bool is_other = false;
  for (auto _ : state) {
    s.analysis.read((is_other = !is_other) ? other : s.text);
    benchmark::DoNotOptimize(hover(s.analysis, s.place));
  }
  count_lines(state, s.text);
}
template <class Ask>
void ask(benchmark::State& state, std::string_view written, Ask question) {
  Subject s = subject(state, written);
  for (auto _ : state) benchmark::DoNotOptimize(question(s.analysis, s.place));
  count_lines(state, s.text);
}

BENCHMARK_CAPTURE(read_anew, sound, "let written = 1 + 2;")->DenseRange(0, 1);
BENCHMARK_CAPTURE(read_anew, damaged, "let written = min(1, (2")->DenseRange(0, 1);
BENCHMARK_CAPTURE(ask, hover, "let written = 1 + 2; written", hover)->DenseRange(0, 1);
BENCHMARK_CAPTURE(ask, definition, "let written = 1 + 2; written", find_definition)
    ->DenseRange(0, 1);
BENCHMARK_CAPTURE(ask, references, "let written = 1 + 2; written", find_references)
    ->DenseRange(0, 1);
BENCHMARK_CAPTURE(ask, signature, "let written = min(1, 2", call_signature)->DenseRange(0, 1);
BENCHMARK_CAPTURE(ask, complete_value, "let written: i64 = ", complete)->DenseRange(0, 1);
BENCHMARK_CAPTURE(ask, complete_word, "let written: i64 = mi", complete)->DenseRange(0, 1);
BENCHMARK_CAPTURE(ask, complete_member, "let written = [1, 2].", complete)->DenseRange(0, 1);

}  // namespace
}  // namespace komuz::services

BENCHMARK_MAIN();
