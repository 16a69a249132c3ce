// SPDX-License-Identifier: Apache-2.0
// Changes of variants give variants; and the survivors of a generation.
#include "engine/search/variation.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <set>

#include "engine/search/evolution.h"
#include "engine/search/population.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine::test {
namespace {

constexpr const char* kTree =
    "pub fn f(x: f64) -> f64 { ?e(x) * ?(0.0..1.0, steps: 9) }\n"
    "space e(x: f64) -> f64 depth 4 { x, 1.0, e + e, e * e, ?[sin(e), cos(e)] }\n";

// x, 1, +, *, a call: of a space in the order of its alternatives. All is below the first
// decision; the point is the last.
TEST(Variation, ChangesGiveVariants) {
  const TestSketch sketch(kTree);
  Variation variation(sketch.plan);
  variation.random = Random(3);
  Decisions one, other;
  DecodedVariant instances;
  std::set<size_t> sizes;
  variation.draw(one);
  for (u32 k = 0; k < 5000; ++k) {
    variation.draw(other);
    variation.cross(one, other);
    variation.mutate(one);
    ASSERT_TRUE(sketch.plan.decode(one, instances));
    sizes.insert(one.size());
  }
  EXPECT_GT(sizes.size(), 10u);
}

// A space's ways are x, 1, +, *, a call. Nothing has a chance of zero, and what is nested goes by weights of its own.
TEST(Variation, DrawsByWeights) {
  const TestSketch sketch(kTree);
  WayWeights weights;
  weights.of_decisions.resize(sketch.plan.decisions().size());
  weights.of_decisions[0] = {1, 1, 96, 1, 1};  // of the program's expansion
  const std::vector<u32> of_ways = weights_of_ways(sketch.plan, weights);
  Variation plain(sketch.plan), weighted(sketch.plan);
  plain.random = weighted.random = Random(3);
  weighted.way_weights = of_ways;
  Decisions one;
  DecodedVariant instances;
  const auto first_ways = [&](Variation& variation, DrawKind kind) {
    std::array<u32, 5> counts{};
    for (u32 k = 0; k < 2000; ++k) {
      variation.draw(one, kind);
      ++counts[one[0]];
    }
    return counts;
  };
  for (const u32 count : first_ways(plain, DrawKind::Ways)) EXPECT_NEAR(count, 400, 90);
  for (const DrawKind kind : {DrawKind::Ways, DrawKind::Variants}) {
    const std::array<u32, 5> counts = first_ways(weighted, kind);
    EXPECT_NEAR(counts[2], 1920, 60);
    for (const u32 count : counts) EXPECT_GT(count, 3u);
  }
  u32 sums = 0;
  for (u32 k = 0; k < 1000; ++k) {
    weighted.mutate(one);
    ASSERT_TRUE(sketch.plan.decode(one, instances));
    sums += one[0] == 2;
  }
  EXPECT_GT(sums, 600u) << "changes draw by weights, too";
}

// What stands high up may be moved down where it does not nest too deep.
TEST(Variation, WhatIsLowEnoughFitsFurtherDown) {
  const TestSketch sketch(
      "fn f(x: f64) -> f64 { ?e(x) }\nspace e(x: f64) -> f64 depth 2 { x, e + e }");
  const Decisions sum = {1, 0, 0}, deep = {1, 1, 0, 0, 0};
  std::vector<DecisionStretch> of_sum, of_deep;
  sketch.plan.list_stretches(sum, of_sum);
  sketch.plan.list_stretches(deep, of_deep);
  EXPECT_TRUE(sketch.plan.fits(sum, of_sum[0], of_deep[1]));
  EXPECT_FALSE(sketch.plan.fits(sum, of_sum[0], of_deep[2])) << "nothing nests there";
  EXPECT_TRUE(sketch.plan.fits(sum, of_sum[1], of_deep[2]));
  EXPECT_FALSE(sketch.plan.fits(deep, of_deep[0], of_deep[1]));
}

// Generations of children of the first one before them, or of none.
std::vector<std::vector<Decisions>> generations_of(const TestSketch& sketch, u32 threads,
                                                   size_t count,
                                                   std::vector<bool>* drawn = nullptr) {
  Breeding breeding(sketch.plan, 5, threads);
  std::vector<std::vector<Decisions>> out;
  for (u32 k = 0; k < 4; ++k) {
    std::vector<Decisions> proposed;
    std::vector<Retries> retries(count);
    breeding.propose(count, proposed, [&](const Breeding::Turn& turn, Decisions& decisions) {
      return retries[turn.number].make(turn, k != 0, decisions, [&] {
        breed(turn.variation, decisions, [&]() -> const Decisions& { return out[0][0]; });
      });
    });
    for (const Retries& one : retries)
      if (drawn != nullptr) drawn->push_back(one.is_drawn_instead());
    out.push_back(proposed);
  }
  return out;
}

TEST(Breeding, IsTheSameForAnyNumberOfThreads) {
  const TestSketch sketch(kTree);
  const auto wanted = generations_of(sketch, 1, 150);
  std::set<Decisions> distinct;
  for (const auto& generation : wanted) distinct.insert(generation.begin(), generation.end());
  EXPECT_EQ(distinct.size(), 600u) << "what is proposed is new";
  EXPECT_NE(wanted[1], wanted[2]);
  for (const u32 threads : {2u, 5u}) EXPECT_EQ(generations_of(sketch, threads, 150), wanted);
}

// Four variants there are, and then none that is new: what stands in a child's place has no parents.
TEST(Breeding, SaysThatAChildHasNoParents) {
  const TestSketch sketch("fn f() -> i64 { ?[0, 1] + ?[0, 2] }");
  std::vector<bool> drawn;
  const auto generations = generations_of(sketch, 2, 1, &drawn);
  std::set<Decisions> distinct;
  for (const auto& generation : generations) distinct.insert(generation[0]);
  EXPECT_EQ(distinct.size(), 4u);
  EXPECT_EQ(drawn, std::vector<bool>(4));
  const auto many = generations_of(sketch, 2, 10, &drawn);
  for (size_t k = 4; k < drawn.size(); ++k) EXPECT_EQ(drawn[k], k >= 14) << k;
  for (const auto& generation : many)
    for (const Decisions& decisions : generation) EXPECT_EQ(decisions.size(), 2u);
}

Individual individual(Decisions decisions, f64 loss, u64 fuel, u64 behaviour, u64 born = 0) {
  return {std::move(decisions), {false, loss, fuel, 1}, behaviour, born};
}

TEST(Population, OfWhatDoesTheSameOneStays) {
  Population population;
  population.add(individual({0}, 5, 2, 7));
  population.add(individual({1}, 5, 1, 7));
  population.add(individual({2}, 5, 1, 8));
  population.add(individual({3}, 5 + 1e-13, 1, 9));
  population.add(individual({4}, 5, 3, 10));
  population.select(10);
  ASSERT_EQ(population.size(), 2u);
  EXPECT_EQ(population[0].decisions, Decisions{1}) << "the one with fewer ticks";
  EXPECT_EQ(population[1].decisions, Decisions{4}) << "it may be another one";
}

TEST(Population, SizesAreKeptApart) {
  Population population;
  const std::vector<Decisions> proposed = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1}, {2}};
  for (u64 k = 0; k < proposed.size(); ++k)
    population.add(individual(proposed[k], static_cast<f64>(k), 1, k));
  population.select(4);
  ASSERT_EQ(population.size(), 4u);
  EXPECT_EQ(population[0].decisions, proposed[0]);
  EXPECT_EQ(population[1].decisions, proposed[1]);
  EXPECT_EQ(population[2].decisions, proposed[3]) << "the best small one is worse than three";
  EXPECT_EQ(population[3].decisions, proposed[4]);
  population.select(2);
  EXPECT_EQ(population[1].decisions, proposed[3]);
}

TEST(Population, TheOldOnesMove) {
  Population population, older;
  older.add(individual({9}, 9, 1, 9, 0));
  for (u32 k = 0; k < 6; ++k) population.add(individual({k}, k, 1, k, k % 3));
  population.move_older(2, older);
  ASSERT_EQ(population.size(), 2u);
  EXPECT_EQ(population[0].decisions, Decisions{2});
  EXPECT_EQ(population[1].decisions, Decisions{5});
  ASSERT_EQ(older.size(), 5u);
  EXPECT_EQ(older[0].decisions, Decisions{9});
  EXPECT_EQ(older[4].decisions, Decisions{4});
}

// Of sixteen decisions all are best at 0. Long after the best is found children are still made of
// what has been drawn since.
TEST(Evolution, TheFirstLayerStartsAnew) {
  std::string source = "fn f() -> i64 { 0";
  for (u32 k = 0; k < 16; ++k) source += " + ?[0, 1, 2, 3, 4, 5, 6, 7]";
  const TestSketch sketch(source + " }");
  Evolution evolution(sketch.plan, {.seed = 1, .threads = 1});
  constexpr size_t kCount = 120;
  std::vector<Decisions> proposed;
  const auto sum = [](const Decisions& decisions) {
    return std::accumulate(decisions.begin(), decisions.end(), 0u);
  };
  size_t far = 0;  // of a generation
  for (u32 generation = 0; generation <= 200; ++generation) {
    evolution.propose(kCount, proposed);
    ASSERT_EQ(proposed.size(), kCount);
    std::vector<Found> found;
    far = 0;
    for (const Decisions& decisions : proposed) {
      found.push_back({{false, static_cast<f64>(sum(decisions)), 1, 1}, sum(decisions), {}});
      far += sum(decisions) > 30;  // of one that is drawn it is 56 in the mean
    }
    evolution.learn(proposed, found, {});
  }
  EXPECT_GE(far, kCount / 6 - 1);
  EXPECT_LE(far, kCount / 3);
}

}  // namespace
}  // namespace komuz::engine::test
