// SPDX-License-Identifier: Apache-2.0
// Variants that come to a search from others, and those that leave it.
#include "engine/search/migration.h"

#include <gtest/gtest.h>

#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/evaluations.h"

namespace komuz::engine::test {
namespace {

constexpr const char* kMigratedFormula =
    "pub fn f(x: f64) -> f64 {\n"
    "    ?a(0.0..64.0, steps: 64) + ?b(0.0..64.0, steps: 64) * x * x + ?c(0.0..64.0, steps: 64) * "
    "x\n}\n";
constexpr const char* kMigratedTree =
    "pub fn f(x: f64) -> f64 { ?e(x) }\n"
    "space e(x: f64) -> f64 depth 3 { x, ?(0.0..=4.0, steps: 5), e + e, e * e, ?[e, -e] }\n";
// 7 + 2 x + 3 x² is the variant [7, 3, 2].
constexpr const char* kMigratedCases =
    "x,expected\n-2.0,15.0\n-1.0,8.0\n0.0,7.0\n1.0,12.0\n3.0,40.0\n";

Fitness fitness_with(f64 loss, u64 fuel = 1) { return {false, loss, fuel, 100}; }

TEST(Migration, TheBestOfEachBehaviourLeave) {
  BestVariants best(3);
  best.add({1}, fitness_with(4), 10);
  best.add({2}, fitness_with(2), 20);
  best.add({3}, fitness_with(3), 30);
  best.add({4}, fitness_with(1), 30);    // takes the place of [3]
  best.add({5}, fitness_with(2), 50);    // costs what [2] costs
  best.add({6}, {true, 0, 0, 0}, 60);    // trapped
  best.add({}, fitness_with(0), 70);     // was no variant
  best.add({7}, fitness_with(4.5), 80);  // not good enough
  EXPECT_EQ(best.list(), (std::vector<Decisions>{{4}, {2}, {1}}));
  best.add({8}, fitness_with(2, 0), 90);
  EXPECT_EQ(best.list(), (std::vector<Decisions>{{4}, {8}, {2}}));
  BestVariants none(0);
  none.add({1}, fitness_with(4), 10);
  EXPECT_TRUE(none.list().empty());
}

TEST(Migration, IslandsHaveSeedsOfTheirOwn) {
  EXPECT_EQ(island_seed(7, 0), 7u);
  EXPECT_NE(island_seed(7, 1), island_seed(7, 2));
  EXPECT_NE(island_seed(7, 1), island_seed(8, 1));
}

struct MigratedSearch {
  Results results;
  u64 generations = 0;
};
MigratedSearch search_with(const char* source, SearchOptions options, u32 threads = 2) {
  const auto program = read_sketch(source, {});
  EXPECT_TRUE(program);
  EvaluateOptions evaluation;
  evaluation.programs.sketch = &*program;
  evaluation.ranking.score = ScoreKind::SquaredError;
  evaluation.machines.threads = threads;
  evaluation.machines.epoch = options.population;
  settle(program->plan, options, evaluation);
  SearchCandidates candidates(program->source, program->plan, options);
  MigratedSearch out;
  EXPECT_FALSE(
      evaluate(candidates, table_of(kMigratedCases), evaluation, out.results, &candidates));
  out.generations = candidates.generations();
  return out;
}

TEST(Migration, WhoComesTakesTheLastPlacesOfTheNextGeneration) {
  constexpr SearchKind kKinds[] = {SearchKind::Evolve, SearchKind::Local, SearchKind::Random,
                                   SearchKind::Lexicase};
  for (const SearchKind kind : kKinds)
    for (const u32 threads : {1u, 3u}) {
      std::vector<size_t> left;
      auto migration = std::make_shared<Migration>();
      migration->every = 2;
      migration->migrants = 3;
      migration->exchange = [&](std::span<const Decisions> leaving) {
        left.push_back(leaving.size());
        return std::vector<Decisions>{{7, 3, 2}, {1, 1, 1}};
      };
      const SearchOptions options{.kind = kind,
                                  .seed = 5,
                                  .population = 20,
                                  .generations = 6,
                                  .tunes_constants = false,
                                  .migration = migration};
      const MigratedSearch found = search_with(kMigratedFormula, options, threads);
      EXPECT_EQ(left, (std::vector<size_t>{3, 3}));  // nobody asks behind the last generation
      ASSERT_EQ(found.results.rows.size(), 120u);
      const auto program = read_sketch(kMigratedFormula, {});
      EXPECT_EQ(found.results.id(58), variant_name(program->plan, {7, 3, 2}));
      EXPECT_EQ(found.results.id(59), variant_name(program->plan, {1, 1, 1}));
      EXPECT_EQ(found.results.rows[found.results.ranking.front()].score, 0.0);
    }
}

TEST(Migration, ASearchIsTheSameForAnyNumberOfThreads) {
  for (const char* const source : {kMigratedFormula, kMigratedTree}) {
    const auto report = [&](u32 threads) {
      auto migration = std::make_shared<Migration>();
      migration->every = 3;
      std::vector<Decisions> kept;
      // Those that have left come back at the next exchange.
      migration->exchange = [&](std::span<const Decisions> leaving) {
        return std::exchange(kept, {leaving.begin(), leaving.end()});
      };
      return report_of(
          search_with(source,
                      {.seed = 3, .population = 30, .generations = 12, .migration = migration},
                      threads)
              .results);
    };
    EXPECT_EQ(report(1), report(3));
  }
}

TEST(Migration, AnExchangeMayEndTheSearch) {
  auto migration = std::make_shared<Migration>();
  migration->every = 2;
  migration->exchange = [](std::span<const Decisions>) -> std::optional<std::vector<Decisions>> {
    return std::nullopt;
  };
  const MigratedSearch found =
      search_with(kMigratedFormula, {.population = 10, .generations = 50, .migration = migration});
  EXPECT_EQ(found.generations, 2u);
  EXPECT_EQ(found.results.rows.size(), 20u);
  EXPECT_TRUE(found.results.complete);
}

}  // namespace
}  // namespace komuz::engine::test
