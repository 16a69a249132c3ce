// SPDX-License-Identifier: Apache-2.0
// The variants that a device keeps while it ranks: each program once, whichever comes first, and the best ones with
// the ranks and copies of a whole ranking.
#include "engine/device/variant_sweep.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "base/group/plain_machine.h"
#include "engine/results/best_rows.h"

namespace komuz::engine {
namespace {

// Threads of the host in the place of those of a device.
struct AtomicMachine {
  void min_into(u32& cell, u32 value) const {
    const std::atomic_ref word(cell);
    u32 before = word.load();
    while (value < before && !word.compare_exchange_weak(before, value)) {
    }
  }
  u64 compare_exchange(u64& cell, u64 expected, u64 value) const {
    std::atomic_ref(cell).compare_exchange_strong(expected, value);
    return expected;
  }
};

// Many have one lower half, so that threads meet in a slot.
TEST(KnownPrograms, ThreadsThatMeetFindEachProgramOnce) {
  constexpr u32 kRows = 4096, kThreads = 4, kLows = 16, kHighs = 32;
  for (u64 round = 0; round < 20; ++round) {
    std::vector<KnownProgram> slots(2048);
    const KnownPrograms known{slots.data(), slots.size() - 1};
    std::vector<ClaimedSlot> claimed(kRows);
    const auto identity = [round](u32 row) {
      Random random(round * kRows + row);
      const u64 low = random.below(kLows);
      return std::pair(low, u64{random.below(kHighs)});
    };
    {
      std::vector<std::jthread> threads;
      for (u32 t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
          for (u32 row = t; row < kRows; row += kThreads) {
            const auto [low, high] = identity(row);
            claimed[row] = claim(known, low, high, row, AtomicMachine{});
          }
        });
    }
    std::map<std::pair<u64, u64>, u32> slot_of, new_ones, first_rows;
    for (u32 row = 0; row < kRows; ++row) {
      auto key = identity(row);
      // Zero stands for a free slot, and is taken for one.
      key = {std::max<u64>(key.first, 1), std::max<u64>(key.second, 1)};
      slot_of.try_emplace(key, claimed[row].slot);
      first_rows.try_emplace(key, row);
      new_ones[key] += claimed[row].is_new;
      ASSERT_EQ(slot_of[key], claimed[row].slot);
    }
    for (const auto& [key, slot] : slot_of) {
      ASSERT_EQ(new_ones[key], 1u);
      ASSERT_EQ(slots[slot].low, key.first);
      ASSERT_EQ(slots[slot].high, key.second);
      ASSERT_EQ(slots[slot].row, first_rows[key]);
    }
    ASSERT_EQ(std::ranges::count_if(slots, [](const KnownProgram& p) { return p.low != 0; }),
              static_cast<std::ptrdiff_t>(slot_of.size()));
  }
}

// A program in words of the test: all that there is of it follows from its number.
struct Program {
  u64 number;
  ProgramScore score{};
  u32 bytes;

  Program(u64 of, ScoreKind kind) : number(of), bytes(static_cast<u32>(8 + of % 3)) {
    Random random(of);
    score.behaviour = 1 + random.below(60);
    score.shown = kNone;
    score.first_bad = score.first_failure = kNone;
    score.fuel = 100 + random.below(3);
    score.passed = random.below(4);
    score.sum = random.below(4);
    if (random.one_in(5)) {
      score.shown = score.first_failure = 3;
      if (kind != ScoreKind::Exact) score.bad_cases = 1 + random.below(3), score.first_bad = 3;
      score.trap = random.one_in(2) ? Trap::None : Trap::Index;
    }
  }
  [[nodiscard]] ResultRow row(ScoreKind kind) const {
    ResultRow row;
    row.code_bytes = bytes;
    write_row(tally_of(score, kind, {}, 1), kind, score.shown != kNone, score.trap, row);
    return row;
  }
};

class Model {
 public:
  explicit Model(const VariantSweep::Options& options)
      : kind_(options.score), rows_(options.score, options.best, options.of_behaviours) {}

  void add(const Program& program) {
    const auto row = static_cast<u32>(counted++);
    const auto [known, is_new] = first_.try_emplace(program.number, row);
    const ResultRow own = program.row(kind_);
    ++counts.by_status[static_cast<size_t>(own.status)];
    if (is_new) {
      ++counts.programs;
      behaviours_.insert({own.behaviour, 0});
      counts.behaviours = behaviours_.size();
      rows_.add(own, std::to_string(row), row);
    } else {
      ++counts.duplicates;
      rows_.add_copy(known->second);
    }
  }
  void write(Results& out) const { rows_.write(out); }

  u64 counted = 0;
  OutcomeCounts counts;

 private:
  ScoreKind kind_;
  BestRows rows_;
  std::map<u64, u32> first_;
  std::map<u64, u32> behaviours_;
};

// Makes and scores the stretch as devices do.
void sweep_stretch(VariantSweep& sweep, std::span<const Program> programs) {
  VariantStretch stretch{};
  ASSERT_EQ(sweep.next(static_cast<u32>(programs.size()), stretch).text(), "");
  std::vector<ProgramScore> scores;
  for (u32 k = 0; k < programs.size(); ++k) {
    const ClaimedSlot claimed = claim(stretch.known, programs[k].number, ~programs[k].number,
                                      stretch.first_row + k, PlainMachine{});
    stretch.slots[k] = claimed.slot;
    if (!claimed.is_new) continue;
    stretch.slot_of[scores.size()] = claimed.slot;
    stretch.bytes_of[scores.size()] = programs[k].bytes;
    scores.push_back(programs[k].score);
  }
  ASSERT_EQ(sweep.take(static_cast<u32>(scores.size()), scores.data()).text(), "");
}

void expect_same(VariantSweep& sweep, const Model& model, const VariantSweep::Options& options) {
  const ScoreKind kind = options.score;
  EXPECT_EQ(sweep.variants(), model.counted);
  EXPECT_EQ(sweep.programs(), model.counts.programs);
  EXPECT_EQ(sweep.counts().duplicates, model.counts.duplicates);
  EXPECT_EQ(sweep.counts().behaviours, model.counts.behaviours);
  for (size_t k = 0; k < kStatuses; ++k)
    EXPECT_EQ(sweep.counts().by_status[k], model.counts.by_status[k]);
  std::vector<RankedProgram> best;
  ASSERT_EQ(sweep.fetch_best(best).text(), "");
  // The host makes rows of these; here the row itself says what is compared.
  Results wanted, found;
  wanted.score = found.score = kind;
  wanted.summary.emplace();
  found.summary.emplace();
  model.write(wanted);
  ASSERT_EQ(best.size(), wanted.rows.size());
  BestRows rows(kind, options.best, options.of_behaviours);
  std::vector<ResultRow> by_rank;
  for (const u32 row : wanted.ranking) by_rank.push_back(wanted.rows[row]);
  for (size_t k = 0; k < best.size(); ++k) {
    ASSERT_EQ(best[k].key, rank_key(kind, by_rank[k])) << k;
    rows.add_known(by_rank[k], std::to_string(best[k].row), best[k].row, best[k].copies,
                   best[k].copies_before);
  }
  rows.write(found);
  for (u32 row = 0; row < wanted.rows.size(); ++row) {
    EXPECT_EQ(found.id(row), wanted.id(row));
    EXPECT_EQ(found.rows[row].rank, wanted.rows[row].rank) << row;
  }
  EXPECT_EQ(found.ranking, wanted.ranking);
  EXPECT_EQ(found.summary->copies, wanted.summary->copies);
}

VariantSweep::Options options_of(ScoreKind kind, u32 best, u32 longest,
                                 bool of_behaviours = false) {
  VariantSweep::Options options;
  options.of_behaviours = of_behaviours;
  options.score = kind;
  options.types = {0};
  options.best = best;
  options.longest_stretch = longest;
  return options;
}

// Few different keys, so that many programs are equal, and their copies lie between them.
TEST(VariantSweep, RanksAsTheHostDoes) {
  const auto sweep = host_variant_sweep();
  Random random(7);
  for (u32 round = 0; round < 300; ++round) {
    const ScoreKind kind = random.one_in(2) ? ScoreKind::Exact : ScoreKind::AbsoluteError;
    const auto options = options_of(kind, 1 + random.below(12), 40, random.one_in(2));
    Model model(options);
    ASSERT_EQ(sweep->begin(options).text(), "");
    const u32 numbers = 5 + random.below(80);
    for (u32 s = 0, stretches = 1 + random.below(6); s < stretches; ++s) {
      std::vector<Program> programs;
      for (u32 k = 0, count = 1 + random.below(40); k < count; ++k) {
        programs.emplace_back(1 + random.below(numbers), kind);
        model.add(programs.back());
      }
      sweep_stretch(*sweep, programs);
    }
    expect_same(*sweep, model, options);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

// Tables grow while places among the best stay.
TEST(VariantSweep, TablesGrow) {
  constexpr u32 kStretch = 8192;
  constexpr ScoreKind kKind = ScoreKind::AbsoluteError;
  const auto sweep = host_variant_sweep();
  const auto options = options_of(kKind, 20, kStretch);
  Model model(options);
  ASSERT_EQ(sweep->begin(options).text(), "");
  for (u32 s = 0; s < 12; ++s) {
    std::vector<Program> programs;
    for (u64 k = 0; k < kStretch; ++k) {
      const u64 own = 1 + s * kStretch + k;
      programs.emplace_back(k % 5 == 4 ? 1 + own * 7 % own : own, kKind);
      model.add(programs.back());
    }
    sweep_stretch(*sweep, programs);
  }
  EXPECT_GT(sweep->programs(), 65'536u);
  expect_same(*sweep, model, options);
}

// Where a table has no memory to grow, all that came before is there, and a sweep may begin anew.
TEST(VariantSweep, WithoutMemoryTheRankingOfTheFirstIsThere) {
  constexpr u32 kStretch = 8192;
  constexpr ScoreKind kKind = ScoreKind::AbsoluteError;
  const auto options = options_of(kKind, 20, kStretch);
  std::unique_ptr<VariantSweep> sweep;
  // What it begins with, and little more.
  for (size_t memory = 1u << 20; sweep == nullptr || sweep->is_full(); memory += memory / 64) {
    sweep = host_variant_sweep(memory);
    const Problem problem = sweep->begin(options);
    EXPECT_EQ(static_cast<bool>(problem), sweep->is_full());
  }
  Model model(options);
  for (u64 own = 1;;) {
    VariantStretch stretch{};
    const Problem problem = sweep->next(kStretch, stretch);
    EXPECT_EQ(static_cast<bool>(problem), sweep->is_full());
    if (problem) break;
    std::vector<Program> programs;
    for (u32 k = 0; k < kStretch; ++k) model.add(programs.emplace_back(own++, kKind));
    sweep_stretch(*sweep, programs);
  }
  EXPECT_EQ(sweep->programs(), 4 * kStretch);
  expect_same(*sweep, model, options);
  ASSERT_EQ(sweep->begin(options).text(), "");
  EXPECT_FALSE(sweep->is_full());
  expect_same(*sweep, Model(options), options);
}

}  // namespace
}  // namespace komuz::engine
