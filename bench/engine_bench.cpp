// SPDX-License-Identifier: Apache-2.0
// The engine's own work: reading cases and candidates, scoring, ranking, writing the report.
#include <benchmark/benchmark.h>

#include <bit>
#include <cstring>
#include <random>

#include "engine/engine.h"

namespace komuz::engine {
namespace {

constexpr u32 kCases = 256;
constexpr u32 kCandidates = 10'000;

std::string csv_text(u32 cases) {
  std::mt19937_64 random(1);
  std::string out = "x,y,expected\n";
  for (u32 i = 0; i < cases; ++i) {
    const auto number = [&] { return std::to_string(static_cast<f64>(random() % 100'000) / 128); };
    out += number() + ',' + number() + ',' + number() + '\n';
  }
  return out;
}

Signature signature_of_f64() {
  const char f64_code = static_cast<char>(Scalar::F64);
  Signature out;
  out.parameter_types = {static_cast<char>(kTupleCode), 2, f64_code, f64_code};
  out.result_type = {f64_code};
  out.names = {"x", "y"};
  return out;
}

bool make_cases(u32 cases, CasesTable& table, Suite& suite) {
  return !read_csv_cases("cases.csv", csv_text(cases), {}, table) &&
         !make_suite(table, signature_of_f64(), suite);
}

void read_cases_csv(benchmark::State& state) {
  const std::string text = csv_text(100'000);
  for (auto _ : state) {
    CasesTable table;
    if (read_csv_cases("cases.csv", text, {}, table)) state.SkipWithError("bad cases");
    benchmark::DoNotOptimize(table.cells.data());
  }
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * text.size()));
}
BENCHMARK(read_cases_csv)->Unit(benchmark::kMillisecond);

void type_cases(benchmark::State& state) {
  CasesTable table;
  Suite suite;
  if (!make_cases(100'000, table, suite)) state.SkipWithError("bad cases");
  for (auto _ : state)
    if (make_suite(table, signature_of_f64(), suite)) state.SkipWithError("bad cases");
  state.SetItemsProcessed(static_cast<i64>(state.iterations() * 300'000));
}
BENCHMARK(type_cases)->Unit(benchmark::kMillisecond);

void read_candidates_jsonl(benchmark::State& state) {
  std::string text;
  for (u32 i = 0; i < kCandidates; ++i)
    text += R"({"id": "c)" + std::to_string(i) +
            R"(", "source": "pub fn f(x: f64, y: f64) -> f64 {\n    let a = x * y + )" +
            std::to_string(i) + R"(.5;\n    if a < x { a } else { max(a - y, x) }\n}"})" + "\n";
  for (auto _ : state) {
    size_t at = 0;
    JsonlCandidates source("in", [&](std::span<char> buffer) {
      const size_t count = std::min(buffer.size(), text.size() - at);
      std::memcpy(buffer.data(), text.data() + at, count);
      at += count;
      return count;
    });
    CandidateBatch batch;
    for (;;) {
      batch.clear();
      source.read(batch, 1024);
      if (batch.rows.empty()) break;
    }
  }
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * text.size()));
}
BENCHMARK(read_candidates_jsonl)->Unit(benchmark::kMillisecond);

// One iteration scores 10,000 programs on 256 cases. Argument 0 is the score, argument 1 whether there is a
// tolerance.
void score(benchmark::State& state) {
  CasesTable table;
  Suite suite;
  if (!make_cases(kCases, table, suite)) state.SkipWithError("bad cases");
  std::vector<u64> values(kCases), fuel(kCases, 1);
  for (u32 i = 0; i < kCases; ++i)
    values[i] = i % 3 == 0 ? suite.expected_cell(0, static_cast<u32>(i))
                           : std::bit_cast<u64>(static_cast<f64>(i));
  std::vector<Trap> traps(kCases);
  std::vector<u32> places(kCases), depths(kCases);
  const OutcomesView outcomes{values, traps, places, depths, fuel};
  Scorer scorer(suite, static_cast<ScoreKind>(state.range(0)), state.range(1) == 0 ? 0.0 : 1e-9);
  for (auto _ : state) {
    for (u32 i = 0; i < kCandidates; ++i) {
      scorer.begin();
      scorer.add(kCases, outcomes);
      benchmark::DoNotOptimize(scorer.finish());
    }
  }
  state.SetItemsProcessed(static_cast<i64>(state.iterations() * kCandidates * kCases));
}
BENCHMARK(score)
    ->ArgsProduct({{0, 1, 2, 3, 4, 7, 8, 9, 10, 11}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

Results sample_results() {
  Results results;
  CasesTable table;
  if (!make_cases(kCases, table, results.suite)) return results;
  results.typed = true;
  results.cases = kCases;
  std::mt19937_64 random(2);
  for (u32 i = 0; i < kCandidates; ++i) {
    results.add_id("c" + std::to_string(i));
    ResultRow& row = results.rows.emplace_back();
    row.status = Status::Wrong;
    row.scored = true;
    row.score = row.passed = static_cast<u32>(random() % kCases);
    row.fuel = kCases;
    row.code_bytes = static_cast<u32>(100 + random() % 100);
    row.first_failure = i;
    Failure failure;
    failure.case_index = static_cast<u32>(random() % kCases);
    const u64 cell = std::bit_cast<u64>(static_cast<f64>(random() % 1000) / 7);
    failure.actual.keep(results.suite.signature.result_type, {&cell, 1});
    results.failures.push_back(failure);
  }
  rank(results);
  return results;
}

void rank_rows(benchmark::State& state) {
  Results results = sample_results();
  for (auto _ : state) rank(results);
  state.SetItemsProcessed(static_cast<i64>(state.iterations() * kCandidates));
}
BENCHMARK(rank_rows)->Unit(benchmark::kMillisecond);

void write_report(benchmark::State& state) {
  const Results results = sample_results();
  std::string out;
  for (auto _ : state) {
    out.clear();
    write_report_json(out, results);
  }
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * out.size()));
}
BENCHMARK(write_report)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace komuz::engine

BENCHMARK_MAIN();
