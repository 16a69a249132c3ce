// SPDX-License-Identifier: Apache-2.0
// Searches in spaces so deep that nearly all variants are too large, in generations that take longer than the time
// limit, and stops within such a generation.
#include <random>

#include "engine/engine.h"
#include "engine/search/breeding.h"
#include "engine/search/search.h"
#include "engine/search/sort_unless_stopped.h"
#include "engine/sketch/sketch_candidates.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine {
namespace {

using test::TestSketch;

constexpr SearchKind kKinds[] = {SearchKind::Evolve, SearchKind::Local, SearchKind::Random,
                                 SearchKind::Lexicase};

CasesTable few_cases() {
  CasesTable table;
  EXPECT_FALSE(read_csv_cases("cases.csv", "x,expected\n1.0,2.0\n2.0,5.0\n", {}, table));
  return table;
}

struct Searched {
  Results results;
  u64 generations = 0;
  bool is_late = false;
};
Searched search(const std::string& source, SearchOptions options, u64 fuel = kDefaultFuel,
                std::stop_token stop = {}) {
  const auto program = read_sketch(source, {});
  EXPECT_TRUE(program) << source;
  EvaluateOptions evaluation;
  evaluation.programs.sketch = &*program;
  evaluation.ranking.score = ScoreKind::SquaredError;
  evaluation.machines.threads = 2;
  evaluation.limits.fuel = fuel;
  evaluation.machines.epoch = options.population;
  settle(program->plan, options, evaluation);
  SearchCandidates candidates(program->source, program->plan, options);
  Searched out;
  EXPECT_FALSE(evaluate(candidates, few_cases(), evaluation, out.results, &candidates, nullptr,
                        std::move(stop)));
  out.generations = candidates.generations();
  out.is_late = candidates.is_late();
  return out;
}

TEST(DeepSearch, EveryMethodFindsVariantsThatAreNotTooLarge) {
  const char* const kDeep[] = {
      "pub fn f(x: f64) -> f64 { ?e(x) }\n"
      "space e(x: f64) -> f64 depth 16 { x, e + e, e * e, e - e, max(e, e) }\n",
      "pub fn f(x: f64) -> f64 { ?e(x) }\n"
      "space e(x: f64) -> f64 depth 9 { e + e * e - e, x, (e + e) * (e - e) }\n",
      // Also of ways that are taken alike nearly all lead to what is too large.
      "pub fn f(x: f64) -> f64 { ?e(x) }\n"
      "space e(x: f64) -> f64 depth 12 { e + e * e - e, (e + e) * (e - e), e * e * e * e, x, "
      "e - e - e - e, e + e + e + e, ?(0.0..1.0, steps: 9) }\n"};
  for (const char* const source : kDeep)
    for (const SearchKind kind : kKinds) {
      const Searched found = search(source, {.kind = kind, .population = 12, .generations = 2});
      ASSERT_EQ(found.results.rows.size(), 24u);
      for (u32 row = 0; row < found.results.rows.size(); ++row) {
        EXPECT_TRUE(found.results.id(row).starts_with("#["));
        EXPECT_NE(found.results.rows[row].status, Status::Refused);
      }
    }
}

TEST(DeepSearch, SamplesAreNotTooLargeEither) {
  const TestSketch sketch(
      "pub fn f(x: f64) -> f64 { ?e(x) }\n"
      "space e(x: f64) -> f64 depth 12 { e + e * e - e, (e + e) * (e - e), e * e * e * e, x }\n");
  SketchCandidates candidates(sketch.source, sketch.plan, {.samples = 40, .seed = 3});
  CandidateBatch batch;
  candidates.read(batch, 100);
  ASSERT_EQ(batch.rows.size(), 40u);
  for (const Candidate& candidate : batch.rows) {
    EXPECT_TRUE(candidate.error.empty());
    EXPECT_LE(candidate.decisions.size(), kMostDecisions);
  }
}

TEST(DeepSearch, ASketchKnowsThatAllItsVariantsAreTooLarge) {
  std::string source = "fn f(x: f64) -> f64 { ?s0(x) }\n";
  for (u32 k = 0; k < 16; ++k) {
    const std::string next = "?s" + std::to_string(k + 1) + "(x)";
    source +=
        "space s" + std::to_string(k) + "(x: f64) -> f64 depth 0 { " + next + " + " + next + " }\n";
  }
  EXPECT_TRUE(
      TestSketch(source + "space s16(x: f64) -> f64 depth 0 { x, -x }\n").plan.is_too_large());
  EXPECT_FALSE(TestSketch("fn f(x: f64) -> f64 { ?e(x) }\n"
                          "space e(x: f64) -> f64 depth 16 { e + e, x }\n")
                   .plan.is_too_large());
}

// A variant takes a hundredth of a second or more, a generation therefore longer than a minute.
constexpr const char* kSlow =
    "pub fn f(x: f64) -> f64 {\n"
    "    var a = x;\n"
    "    for i in 0..3000000 { a = a * ?(0.0..1.0, steps: 1000) + ?(0.0..1.0, steps: 1000); }\n"
    "    a\n}\n";
constexpr u64 kMuchFuel = 100'000'000;

TEST(DeepSearch, TheTimeEndsTheFirstGeneration) {
  for (const SearchKind kind : kKinds) {
    const Searched found =
        search(kSlow, {.kind = kind, .population = 50'000, .time = std::chrono::milliseconds(150)},
               kMuchFuel);
    EXPECT_TRUE(found.is_late);
    EXPECT_TRUE(found.results.complete);
    EXPECT_EQ(found.generations, 0u);
    EXPECT_LT(found.results.rows.size(), 50'000u);
  }
}

TEST(DeepSearch, AStopIsNoEndByTime) {
  std::stop_source stop;
  stop.request_stop();
  const Searched found = search(kSlow, {.population = 50'000, .time = std::chrono::hours(1)},
                                kMuchFuel, stop.get_token());
  EXPECT_FALSE(found.is_late);
  EXPECT_FALSE(found.results.complete);
  EXPECT_TRUE(found.results.rows.empty());
}

// Whoever proposes is asked no more.
TEST(DeepSearch, AStopEndsBreeding) {
  const TestSketch sketch("fn f(x: f64) -> f64 { x * ?(0.0..1.0, steps: 1000) }");
  std::stop_source stop;
  Breeding breeding(sketch.plan, 1, 1, stop.get_token());
  std::vector<Decisions> proposed;
  u32 made = 0;
  breeding.propose(10'000, proposed, [&](const Breeding::Turn& turn, Decisions& decisions) {
    if (++made == 100) stop.request_stop();
    turn.variation.draw(decisions);
    return true;
  });
  EXPECT_EQ(made, 100u);
}

TEST(DeepSearch, RowsAreSortedInSteps) {
  std::mt19937_64 random(1);
  for (const size_t count : {0, 1, 4095, 4096, 4097, 8192, 12'289, 40'000}) {
    std::vector<u64> rows(count);
    for (u64& row : rows) row = random();
    std::vector<u64> sorted = rows;
    std::ranges::sort(sorted);
    sort_unless_stopped(rows, std::less<>(), {});
    EXPECT_EQ(rows, sorted);
  }
}

}  // namespace
}  // namespace komuz::engine
