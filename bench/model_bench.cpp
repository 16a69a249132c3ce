// SPDX-License-Identifier: Apache-2.0
// How long a model takes for the prefixes of one program's targets, on one core. Weights and words are random: the time
// does not depend on them. bench/model_peers.py has PyTorch do the same on the same core.
//
//   taskset -c 0 build/release/bin/model_bench
//   KOMUZ_SIMD=avx2 …      at a lower SIMD level
#include <benchmark/benchmark.h>

#include <vector>

#include "tests/neural/random_model.h"

namespace komuz::neural {
namespace {

constexpr u32 kSteps = 48, kSource = 40;

std::vector<u8> some_words(u32 count, u32 below) {
  Random random(count);
  std::vector<u8> words(count);
  for (u8& word : words) word = static_cast<u8>(random.below(below));
  return words;
}

const Model& small_model() {
  static const Model model = random_model(kSmallModel, 1);
  return model;
}

// The encoder, then 48 words for each of `range(0)` targets.
void prefixes(benchmark::State& state) {
  const Model& model = small_model();
  const SimdLevel level = best_simd_level();
  const u32 rows = static_cast<u32>(state.range(0));
  const std::vector<u8> source = some_words(kSource, 256), types = some_words(kSource, 9);
  const std::vector<u8> words = some_words(rows, 256), next_types = some_words(rows, 9);
  const std::vector<u32> from(rows, 0);
  for (auto _ : state) {
    const EncodedSource encoded(model, source, types, level);
    PrefixBatch batch(model, encoded, rows, level);
    for (u32 step = 0; step < kSteps; ++step) {
      batch.step(std::span(words).first(batch.rows()), std::span(next_types).first(batch.rows()));
      if (step == 0) batch.keep(from);
    }
    benchmark::DoNotOptimize(batch.logits(rows - 1).data());
  }
  state.counters["words/s"] = benchmark::Counter(static_cast<f64>(rows) * kSteps,
                                                 benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(prefixes)->Arg(1)->Arg(16)->Arg(1000)->Unit(benchmark::kMillisecond);

void encoder(benchmark::State& state) {
  const std::vector<u8> source = some_words(kSource, 256), types = some_words(kSource, 9);
  for (auto _ : state)
    benchmark::DoNotOptimize(EncodedSource(small_model(), source, types, best_simd_level()));
}
BENCHMARK(encoder)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace komuz::neural

BENCHMARK_MAIN();
