// SPDX-License-Identifier: Apache-2.0
// Whom lexicase selection selects.
#include "engine/search/lexicase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace komuz::engine {
namespace {

using Losses = std::vector<std::vector<f64>>;

Lexicase lexicase(const Losses& losses) {
  return Lexicase(std::vector<std::span<const f64>>(losses.begin(), losses.end()));
}
// How often each is selected.
std::map<u32, u32> selections(Lexicase selection, u32 rounds = 600) {
  Random random(4);
  Lexicase::Scratch scratch;
  std::map<u32, u32> counts;
  for (u32 k = 0; k < rounds; ++k) ++counts[selection.select(random, scratch)];
  return counts;
}

// The third one has the best sum of 0 and 1, and is never the best on a case that comes first.
TEST(Lexicase, SpecialistsAreSelectedAndNoOneElse) {
  const Losses losses = {
      {0, 0, 1, 1, 1, 1}, {1, 1, 0, 0, 1, 1}, {1, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 1, 0}};
  const auto counts = selections(lexicase(losses));
  ASSERT_EQ(counts.size(), 3u);
  for (const u32 specialist : {0u, 1u, 2u}) EXPECT_GT(counts.at(specialist), 150u);
}

TEST(Lexicase, WhoIsTheBestOnAllCasesIsTheOne) {
  const Losses losses = {{1, 0, 1}, {0, 0, 0}, {0, 1, 1}};
  EXPECT_EQ(selections(lexicase(losses)), (std::map<u32, u32>{{1, 600}}));
}

// Those that no case tells apart are drawn with equal odds.
TEST(Lexicase, EqualsAreDrawn) {
  const Losses losses = {{0, 1}, {0, 1}, {1, 1}};
  const auto counts = selections(lexicase(losses));
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_GT(counts.at(0), 200u);
  EXPECT_GT(counts.at(1), 200u);
}

TEST(Lexicase, EpsilonIsTheMedianAbsoluteDeviation) {
  const f64 infinity = INFINITY;
  const Losses losses = {
      {1, 0, infinity, 5}, {2, 1, infinity, 5}, {4, 0, 3, 5}, {7, 0, 1, 5}, {90, 1, 2, 5}};
  const Lexicase selection = lexicase(losses);
  EXPECT_EQ(selection.epsilon(0), 3.0);  // the median is 4, deviations are 3 2 0 3 86
  EXPECT_EQ(selection.epsilon(1), 0.0);  // of two values the better one is good, and no other
  EXPECT_EQ(selection.epsilon(2), 1.0);  // of the finite ones
  EXPECT_EQ(selection.epsilon(3), 0.0);
}

// On either case 0.1 is near enough to the best; the first one is so on both.
TEST(Lexicase, NearlyTheBestIsGoodEnoughForErrors) {
  const Losses losses = {{0.1, 0.1}, {0.0, 9.0}, {9.0, 0.0}, {0.2, 5.0}, {5.0, 0.2}};
  EXPECT_EQ(selections(lexicase(losses)).count(0), 1u);
  EXPECT_GT(selections(lexicase(losses)).at(0), 100u);
}

TEST(Lexicase, WhatIsInfiniteEverywhereIsOfNoAccount) {
  const f64 infinity = INFINITY;
  const Losses losses = {{infinity, 2}, {infinity, 1}};
  EXPECT_EQ(selections(lexicase(losses)), (std::map<u32, u32>{{1, 600}}));
}

TEST(Lexicase, WhoIsRemovedIsNotSelectedAgain) {
  const Losses losses = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};
  Lexicase selection = lexicase(losses);
  Lexicase::Scratch scratch;
  Random random(1);
  std::vector<u32> order;
  while (selection.left() > 0) {
    order.push_back(selection.select(random, scratch));
    selection.remove(order.back());
  }
  EXPECT_EQ(order.front(), 0u);
  EXPECT_EQ(order.back(), 1u);
  std::ranges::sort(order);
  EXPECT_EQ(order, (std::vector<u32>{0, 1, 2, 3}));
}

TEST(Lexicase, ASeedSaysAll) {
  Losses losses(50, std::vector<f64>(20));
  Random random(3);
  for (std::vector<f64>& of : losses)
    for (f64& loss : of) loss = random.below(100);
  const auto sequence = [&](u64 seed) {
    const Lexicase selection = lexicase(losses);
    Lexicase::Scratch scratch;
    Random own(seed);
    std::vector<u32> out;
    for (u32 k = 0; k < 100; ++k) out.push_back(selection.select(own, scratch));
    return out;
  };
  EXPECT_EQ(sequence(1), sequence(1));
  EXPECT_NE(sequence(1), sequence(2));
}

}  // namespace
}  // namespace komuz::engine
