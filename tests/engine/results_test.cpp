// SPDX-License-Identifier: Apache-2.0
// Ranking, the pool of workers, and the table of identities.
#include "engine/results/results.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <thread>

#include "base/machine/memory.h"
#include "base/random.h"
#include "engine/results/identity_table.h"
#include "engine/support/worker_pool.h"

namespace komuz::engine {
namespace {

ResultRow scored(f64 score, u64 fuel = 0, u32 bytes = 0, Status status = Status::Ok) {
  ResultRow row;
  row.status = status;
  row.scored = true;
  row.score = score;
  row.fuel = fuel;
  row.code_bytes = bytes;
  return row;
}
ResultRow trapped(u32 bad_cases, Trap first) {
  ResultRow row;
  row.status = Status::Trap;
  row.bad_cases = bad_cases;
  row.first_trap = first;
  return row;
}
ResultRow unranked(Status status) {
  ResultRow row;
  row.status = status;
  return row;
}

TEST(Rank, ExactPutsMorePassedFirstThenFuelSizeAndOrder) {
  Results results;
  results.rows = {unranked(Status::Refused),
                  scored(3, 5, 5),
                  scored(4, 9, 9, Status::Wrong),
                  scored(3, 5, 5),
                  scored(3, 5, 4),
                  scored(3, 4, 9, Status::Trap),
                  unranked(Status::CompileError)};
  rank(results);
  EXPECT_EQ(results.ranking, (std::vector<u32>{2, 5, 4, 1, 3, 0, 6}));
  EXPECT_EQ(results.rows[2].rank, 1u);
  EXPECT_EQ(results.rows[3].rank, 5u);
  EXPECT_EQ(results.rows[0].rank, 0u);
  EXPECT_EQ(results.rows[6].rank, 0u);
}

TEST(Rank, ErrorsPutSmallerFirstAndTrappedLast) {
  Results results;
  results.score = ScoreKind::AbsoluteError;
  results.rows = {trapped(2, Trap::Overflow), scored(2),
                  trapped(1, Trap::Fuel),     scored(1),
                  trapped(1, Trap::None),     unranked(Status::CompileError),
                  scored(1e308 * 10),         trapped(1, Trap::Fuel)};
  rank(results);
  EXPECT_EQ(results.ranking, (std::vector<u32>{3, 1, 6, 4, 2, 7, 0, 5}));
  EXPECT_EQ(results.rows[0].rank, 7u);
}

TEST(Rank, EveryScoreHasAWayUp) {
  for (size_t kind = 0; kind < std::size(kScoreNames); ++kind) {
    Results results;
    results.score = static_cast<ScoreKind>(kind);
    results.rows = {scored(1), scored(2)};
    rank(results);
    const bool larger_is_first = results.ranking.front() == 1;
    const std::string_view name = kScoreNames[kind];
    EXPECT_EQ(larger_is_first,
              name == "exact" || name == "r2" || name == "correlation" || name == "maximize")
        << name;
    EXPECT_EQ(loss_of(results.score, 2) < loss_of(results.score, 1), larger_is_first) << name;
  }
}

// Is b at least as good in everything, and better in something or, as nothing else tells them apart, earlier?
bool dominates(const Results& results, u32 b, u32 a) {
  const ResultRow &x = results.rows[b], &y = results.rows[a];
  const f64 loss = loss_of(results.score, x.score), other = loss_of(results.score, y.score);
  if (loss > other || x.fuel > y.fuel || x.code_bytes > y.code_bytes) return false;
  return loss < other || x.fuel < y.fuel || x.code_bytes < y.code_bytes || b < a;
}

TEST(Rank, TheParetoFrontIsWhatNothingDominates) {
  Random random(9);
  for (u32 round = 0; round < 300; ++round) {
    Results results;
    results.score = round % 2 == 0 ? ScoreKind::Exact : ScoreKind::AbsoluteError;
    const u32 values = 1 + random.below(12);  // few: many are equal
    for (u32 i = random.below(60); i > 0; --i) {
      results.rows.push_back(
          scored(random.below(values), random.below(values), random.below(values)));
      if (random.one_in(8)) results.rows.back() = trapped(random.below(3), Trap::Index);
      if (random.one_in(9)) results.rows.back() = unranked(Status::Refused);
    }
    rank(results);
    u64 front = 0;
    for (u32 a = 0; a < results.rows.size(); ++a) {
      bool wanted = results.rows[a].scored;
      for (u32 b = 0; wanted && b < results.rows.size(); ++b)
        wanted = b == a || !results.rows[b].scored || !dominates(results, b, a);
      EXPECT_EQ(results.rows[a].pareto, wanted) << "round " << round << ", row " << a;
      front += wanted;
    }
    EXPECT_EQ(count_outcomes(results).pareto, front);
  }
}

TEST(Rank, Nothing) {
  Results results;
  rank(results);
  EXPECT_TRUE(results.ranking.empty());
}

TEST(WorkerPool, EveryIndexOnceOnEveryNumberOfWorkers) {
  for (const u32 workers : {1u, 2u, 5u}) {
    WorkerPool pool(workers);
    EXPECT_EQ(pool.size(), workers);
    for (const u32 count : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<u32>> hits(count);
      pool.run(count, [&](u32 worker, u32 index) {
        EXPECT_LT(worker, workers);
        ++hits[index];
      });
      for (const auto& hit : hits) EXPECT_EQ(hit, 1u);
    }
  }
}

// As `ulimit -u` makes it: here no stack of a thread finds room.
TEST(WorkerPool, WithoutMoreThreadsTheCallerDoesTheWork) {
  pthread_attr_t before, huge;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(pthread_attr_init(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, size_t{1} << 48), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  {
    WorkerPool pool(4);
    ASSERT_EQ(pthread_setattr_default_np(&before), 0);
    EXPECT_EQ(pool.size(), 1U);
    std::vector<u32> seen(100);
    pool.run(100, [&](u32 worker, u32 index) { seen[index] += worker + 1; });
    EXPECT_EQ(seen, std::vector<u32>(100, 1));
  }
  pthread_attr_destroy(&before);
  pthread_attr_destroy(&huge);
}

// Who called run() is told once all workers have ended, and the next run is as if nothing had been.
TEST(WorkerPool, LackOfMemoryReachesTheCaller) {
  for (const u32 workers : {1, 3}) {
    WorkerPool pool(workers);
    for (const u32 failing : {0U, 57U, 999U}) {
      std::atomic<u32> begun = 0;
      u32 told = 0;
      const auto body = [&](u32, u32 index) {
        ++begun;
        if (index == failing) throw std::bad_alloc();
      };
      EXPECT_THROW(pool.run(1000, body), std::bad_alloc);
      EXPECT_THROW(pool.run(1000, body, [&](u32 done) { told = done; }), std::bad_alloc);
      EXPECT_LE(told, failing);
      begun = 0;
      pool.run(1000, [&](u32, u32) { ++begun; });
      EXPECT_EQ(begun, 1000U);
      EXPECT_THROW(pool.run(
                       100, [](u32, u32) {}, [](u32) { throw std::bad_alloc(); }),
                   std::bad_alloc);
    }
  }
}

// What a worker has taken and another gives back is counted as such, though a thread tells only of much at a time.
TEST(WorkerPool, WhatWorkersTakeCountsAsMemoryInUse) {
  constexpr size_t kBytes = 12'000;
  constexpr u32 kRounds = 100, kWorkers = 4, kRun = 4;
  std::vector<std::unique_ptr<char[]>> taken(size_t{kRounds} * kWorkers * kRun);
  const u64 before = machine::used_memory();
  for (u32 round = 0; round < kRounds; ++round) {
    WorkerPool pool(kWorkers);
    std::atomic<u32> begun = 0;  // every worker takes one run
    pool.run(pool.size() * kRun, [&](u32, u32 k) {
      if (k % kRun == 0)
        for (++begun; begun != pool.size();) std::this_thread::yield();
      taken[size_t{round} * kWorkers * kRun + k] = std::make_unique_for_overwrite<char[]>(kBytes);
    });
  }
  const auto pieces = static_cast<size_t>(
      std::ranges::count_if(taken, [](const auto& piece) { return piece != nullptr; }));
  EXPECT_GE(machine::used_memory(), before + pieces * kBytes);
  std::ranges::fill(taken, nullptr);
  EXPECT_NEAR(static_cast<f64>(machine::used_memory()), static_cast<f64>(before), 1 << 17);
}

TEST(WorkerPool, ManyShortRounds) {
  WorkerPool pool(3);
  std::atomic<u64> sum = 0;
  for (u32 round = 0; round < 2000; ++round) pool.run(8, [&](u32, u32 index) { sum += index; });
  EXPECT_EQ(sum, 2000u * 28);
}

TEST(WorkerPool, TellsHowManyOfTheFirstAreDone) {
  for (const u32 workers : {1u, 2u, 5u})
    for (const u32 count : {0u, 1u, 4u, 5u, 1001u}) {
      WorkerPool pool(workers);
      const std::thread::id caller = std::this_thread::get_id();
      for (u32 round = 0; round < 3; ++round) {
        std::vector<u32> made(count);  // plain: what was done is visible
        u32 before = 0, told = 0;
        pool.run(
            count, [&](u32, u32 index) { made[index] = index + 1; },
            [&](u32 done) {
              EXPECT_EQ(std::this_thread::get_id(), caller);
              EXPECT_GT(done, before);
              ++told;
              for (; before < done; ++before) ASSERT_EQ(made[before], before + 1);
            });
        EXPECT_EQ(before, count);
        // Not at the end alone: whoever works alone is told behind each of its own.
        if (workers == 1 && count == 1001) {
          EXPECT_GT(told, 100u);
        }
      }
    }
}

// What is left over for the end of a run is done when the first are told.
TEST(WorkerPool, EndsRuns) {
  for (const u32 workers : {1u, 3u})
    for (const u32 taken : {1u, 7u, 64u}) {
      constexpr u32 kCount = 500;
      WorkerPool pool(workers);
      std::vector<std::vector<u32>> left(workers);
      std::vector<u32> made(kCount);
      u32 before = 0;
      pool.run(
          kCount, [&](u32 worker, u32 index) { left[worker].push_back(index); },
          [&](u32 done) {
            for (; before < done; ++before) ASSERT_EQ(made[before], 1u);
          },
          taken,
          [&](u32 worker) {
            EXPECT_LE(left[worker].size(), taken);
            for (const u32 index : left[worker]) made[index] = 1;
            left[worker].clear();
          });
      EXPECT_EQ(before, kCount);
    }
}

TEST(IdentityTable, KeepsTheFirst) {
  IdentityTable table;
  // Low halves collide on purpose, also in the part of them that a slot has.
  const auto identity = [](u32 i) { return frontend::TextHash{i % 100, i / 100}; };
  for (u32 i = 0; i < 5'000; ++i) EXPECT_EQ(table.row(table.insert(identity(i), i)), i);
  for (u32 i = 0; i < 5'000; ++i) EXPECT_EQ(table.insert(identity(i), 5'000 + i), i);
  for (u32 i = 0; i < 5'000; ++i) EXPECT_EQ(table.row(i), i);
}

// One thread's table has one part, that of several has some.
TEST(IdentityTable, TheSmallestIsTheFirstInAnyOrder) {
  for (const u32 threads : {1, 2}) {
    SharedIdentities table(threads);
    const frontend::TextHash identity{3, 4};
    EXPECT_EQ(table.insert(identity, 9).first, 9u);
    EXPECT_EQ(table.insert({3, 20}, 1).first, 1u);
    EXPECT_EQ(table.insert(identity, 5).first, 5u);
    const SharedIdentities::Inserted last = table.insert(identity, 7);
    EXPECT_EQ(last.first, 5u);
    EXPECT_EQ(SharedIdentities::first(last.place), 5u);
  }
}

}  // namespace
}  // namespace komuz::engine
