// SPDX-License-Identifier: Apache-2.0
// The individuals that lexicase selection selects.
#include "engine/search/lexicase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "engine/search/case_selection.h"
#include "engine/search/survival.h"

namespace komuz::engine {
namespace {

using Losses = std::vector<std::vector<f64>>;  // of each individual by case

class Selection {
 public:
  explicit Selection(const Losses& losses, u32 threads = 1) : pool_(threads), selection_(pool_) {
    selection_.look_at({losses.begin(), losses.end()});
  }
  [[nodiscard]] u32 select(Random& random) { return selection_.select(0, random); }
  [[nodiscard]] f64 epsilon(u32 c) const { return selection_.gauges()[c].epsilon; }
  // The numbers of those that survive.
  [[nodiscard]] std::vector<u32> survivors(u32 places, u64 seed = 1) {
    const std::vector<bool> stays = selection_.survivors(places, seed, 7);
    std::vector<u32> out;
    for (u32 one = 0; one < stays.size(); ++one)
      if (stays[one]) out.push_back(one);
    return out;
  }
  [[nodiscard]] std::vector<u32> ranked(u32 most, Random random) const {
    std::vector<u32> cases(selection_.columns().cases), pool(selection_.columns().individuals);
    pool.resize(rank_by_cases(selection_.columns(), selection_.gauges().data(), most, random,
                              {cases.data(), pool.data()}));
    return pool;
  }

 private:
  WorkerPool pool_;
  CaseSelection selection_;
};
// How often each is selected.
std::map<u32, u32> selections(const Losses& losses, u32 rounds = 600) {
  Selection selection(losses);
  Random random(4);
  std::map<u32, u32> counts;
  for (u32 k = 0; k < rounds; ++k) ++counts[selection.select(random)];
  return counts;
}
Losses drawn_losses(u64 seed, u32 individuals, u32 cases, u32 values) {
  Random random(seed);
  Losses out(individuals, std::vector<f64>(cases));
  for (std::vector<f64>& of : out)
    for (f64& loss : of) loss = random.below(values);
  return out;
}

// The third one has the best sum of 0 and 1, and is never the best on a case that comes first.
TEST(Lexicase, SpecialistsAreSelectedAndNoOneElse) {
  const Losses losses = {
      {0, 0, 1, 1, 1, 1}, {1, 1, 0, 0, 1, 1}, {1, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 1, 0}};
  const auto counts = selections(losses);
  ASSERT_EQ(counts.size(), 3u);
  for (const u32 specialist : {0u, 1u, 2u}) EXPECT_GT(counts.at(specialist), 150u);
}

TEST(Lexicase, WhoIsTheBestOnAllCasesIsTheOne) {
  const Losses losses = {{1, 0, 1}, {0, 0, 0}, {0, 1, 1}};
  EXPECT_EQ(selections(losses), (std::map<u32, u32>{{1, 600}}));
}

// Those that no case tells apart are drawn with equal odds.
TEST(Lexicase, EqualsAreDrawn) {
  const Losses losses = {{0, 1}, {0, 1}, {1, 1}};
  const auto counts = selections(losses);
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_GT(counts.at(0), 200u);
  EXPECT_GT(counts.at(1), 200u);
}

TEST(Lexicase, EpsilonIsTheMedianAbsoluteDeviation) {
  const f64 infinity = INFINITY;
  const Losses losses = {
      {1, 0, infinity, 5}, {2, 1, infinity, 5}, {4, 0, 3, 5}, {7, 0, 1, 5}, {90, 1, 2, 5}};
  const Selection selection(losses);
  EXPECT_EQ(selection.epsilon(0), 3.0);  // the median is 4, deviations are 3 2 0 3 86
  EXPECT_EQ(selection.epsilon(1), 0.0);  // of two values the better one is good, and no other
  EXPECT_EQ(selection.epsilon(2), 1.0);  // of the finite ones
  EXPECT_EQ(selection.epsilon(3), 0.0);
}

// On either case 0.1 is near enough to the best; the first one is so on both.
TEST(Lexicase, NearlyTheBestIsGoodEnoughForErrors) {
  const Losses losses = {{0.1, 0.1}, {0.0, 9.0}, {9.0, 0.0}, {0.2, 5.0}, {5.0, 0.2}};
  EXPECT_EQ(selections(losses).count(0), 1u);
  EXPECT_GT(selections(losses).at(0), 100u);
}

TEST(Lexicase, WhatIsInfiniteEverywhereIsOfNoAccount) {
  const f64 infinity = INFINITY;
  const Losses losses = {{infinity, 2}, {infinity, 1}};
  EXPECT_EQ(selections(losses), (std::map<u32, u32>{{1, 600}}));
}

TEST(Lexicase, TheKthSmallestIsThatOfSorting) {
  Random random(5);
  for (u32 round = 0; round < 200; ++round) {
    std::vector<u64> keys(1 + random.below(40));
    const u32 shift = random.below(64);  // few values, or many
    for (u64& key : keys) key = random.next() >> shift;
    std::vector<u64> sorted = keys;
    std::ranges::sort(sorted);
    for (u32 k = 0; k < keys.size(); ++k)
      ASSERT_EQ(kth_smallest(keys.data(), static_cast<u32>(keys.size()), k), sorted[k]);
  }
}

// The 256 at equal distances have other losses than those between them.
TEST(Lexicase, OfManySomeAreLookedAt) {
  std::vector<f64> losses(512), looked_at;
  for (u32 k = 0; k < 512; ++k) losses[k] = k % 2 == 0 ? k : 1e6 + 1000.0 * k;
  for (u32 k = 0; k < 512; k += 2) looked_at.push_back(losses[k]);
  losses[511] = -3;
  const CaseGauge gauge = gauge_of(losses.data(), 512);
  EXPECT_EQ(gauge.epsilon, gauge_of(looked_at.data(), 256).epsilon);
  EXPECT_GT(gauge.epsilon, 0);
  EXPECT_EQ(gauge.most, -3 + gauge.epsilon);  // the best is that of all
}

// Against who is left after each case, of which those that are ranked are made.
TEST(Lexicase, WhoIsLeftForLongerIsRankedFirst) {
  for (u32 seed = 0; seed < 40; ++seed) {
    const u32 values = seed % 3 == 0 ? 2 : 5, most = 1 + seed % 12, individuals = 30, cases = 6;
    const Losses losses = drawn_losses(seed, individuals, cases, values);
    const Selection selection(losses);
    Random random(seed);
    std::vector<u32> numbers(cases), left(individuals), wanted;
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::iota(left.begin(), left.end(), 0u);
    while (!numbers.empty() && left.size() > 1) {
      const u32 drawn = random.below(numbers.size()), c = numbers[drawn];
      numbers[drawn] = numbers.back();
      numbers.pop_back();
      f64 best = INFINITY;
      for (const u32 one : left) best = std::min(best, losses[one][c]);
      const auto goes = [&](u32 one) { return losses[one][c] > best + selection.epsilon(c); };
      if (left.size() <= most) {
        std::vector<u32> gone;
        std::ranges::copy_if(left, std::back_inserter(gone), goes);
        wanted.insert(wanted.begin(), gone.begin(), gone.end());
      }
      std::erase_if(left, goes);
    }
    std::swap(left[0], left[random.below(left.size())]);
    if (left.size() > most) left.resize(most);
    wanted.insert(wanted.begin(), left.begin(), left.end());
    EXPECT_EQ(selection.ranked(most, Random(seed)), wanted) << seed;
  }
}

TEST(Lexicase, AsManySurviveAsThereArePlaces) {
  for (const u32 values : {2u, 3u, 1000u}) {
    const Losses losses = drawn_losses(values, 90, 12, values);
    for (const u32 places : {1u, 2u, 30u, 89u}) {
      const std::vector<u32> survivors = Selection(losses).survivors(places);
      EXPECT_EQ(survivors.size(), places);
      EXPECT_EQ(survivors.front(), 0u);  // the best one
      EXPECT_EQ(Selection(losses, 3).survivors(places), survivors);
    }
    EXPECT_NE(Selection(losses).survivors(30, 1), Selection(losses).survivors(30, 2));
  }
}

// Each of the first four is the best on a case of its own; the others, who stand before them in the sum, on none.
TEST(Lexicase, SpecialistsSurvive) {
  Losses losses(40, std::vector<f64>(4, 1));
  for (u32 k = 0; k < 4; ++k) {
    losses[36 + k].assign(4, 9);
    losses[36 + k][k] = 0;
  }
  const std::vector<u32> survivors = Selection(losses).survivors(20);
  for (u32 one = 36; one < 40; ++one) EXPECT_TRUE(std::ranges::count(survivors, one)) << one;
  // The places that nobody was selected for are those of the best.
  for (u32 one = 0; one < 16; ++one) EXPECT_TRUE(std::ranges::count(survivors, one)) << one;
}

// Two want the same one, and the first of them has it; the other one has the second of its own.
TEST(Lexicase, APlaceHasWhoNobodyHadBefore) {
  const u32 ranked[2][2] = {{5, 6}, {5, 7}};
  u64 owners[8];
  std::ranges::fill(owners, Survival::kFree);
  EXPECT_EQ(Survival::next(ranked[1], 2, owners, kNone, 1, 1), 5u);
  owners[5] = Survival::asking(1, 1);
  EXPECT_EQ(Survival::next(ranked[0], 2, owners, kNone, 1, 0), 5u);  // in the same round
  owners[5] = std::min(owners[5], Survival::asking(1, 0));
  EXPECT_EQ(Survival::next(ranked[0], 2, owners, 5, 2, 0), kNone);
  EXPECT_EQ(Survival::next(ranked[1], 2, owners, 5, 2, 1), 7u);
  owners[7] = Survival::asking(2, 1);
  EXPECT_EQ(Survival::next(ranked[1], 2, owners, 7, 5, 1), kNone);
  EXPECT_EQ(Survival::next(ranked[0], 2, owners, kNone, 6, 3), 6u);
  EXPECT_EQ(Survival::next(ranked[1], 2, owners, kNone, 6, 3), kNone);  // all of its are taken
}

TEST(Lexicase, ASeedSaysAll) {
  const Losses losses = drawn_losses(3, 50, 20, 100);
  const auto sequence = [&](u64 seed) {
    Selection selection(losses);
    Random own(seed);
    std::vector<u32> out;
    for (u32 k = 0; k < 100; ++k) out.push_back(selection.select(own));
    return out;
  };
  EXPECT_EQ(sequence(1), sequence(1));
  EXPECT_NE(sequence(1), sequence(2));
}

}  // namespace
}  // namespace komuz::engine
