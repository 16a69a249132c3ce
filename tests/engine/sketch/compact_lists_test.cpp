// SPDX-License-Identifier: Apache-2.0
// Tables of millions of elements: each uses memory of its own.
#include <gtest/gtest.h>

#include <set>
#include <unordered_map>

#include "base/random.h"
#include "engine/results/failure_list.h"
#include "engine/support/block_vector.h"
#include "engine/support/hash_slots.h"
#include "engine/support/text_list.h"

namespace komuz::engine {
namespace {

TEST(BlockVector, KeepsWhatItWasGivenAcrossBlocks) {
  struct Row {
    u64 number = 0;
    u8 rest = 7;
  };
  BlockVector<Row> rows;
  rows.push_back({0, 1});
  const Row* const first = &rows[0];
  constexpr u64 kMany = kLargePage / sizeof(Row) * 2 + 5;
  while (rows.size() < kMany) rows.push_back({rows.size(), 1});
  EXPECT_EQ(&rows[0], first);
  u64 wanted = 0;
  for (const Row& row : rows) ASSERT_EQ(row.number, wanted++);
  EXPECT_EQ(wanted, kMany);
  EXPECT_EQ(rows.emplace_back().rest, 7u);
  const BlockVector<Row> copy = rows;
  rows.clear();
  EXPECT_TRUE(rows.empty());
  EXPECT_EQ(rows.push_back({3, 3}).number, 3u);
  EXPECT_EQ(copy.size(), kMany + 1);
  EXPECT_EQ(copy[kMany - 1].number, kMany - 1);
}

// Also of bytes that begin or end within a page, and of none.
TEST(LargeMemory, PagesThatAreMadeHoldWhatWasWritten) {
  constexpr size_t kBytes = 5 * 4096;
  for (const Pages pages : {Pages::Small, Pages::Large})
    for (const auto& [begin, size] :
         {std::pair<size_t, size_t>{0, kBytes}, {1, 8000}, {4096, 0}, {kBytes - 1, 1}}) {
      LargeArray<u8> bytes(kBytes, pages);
      bytes[begin] = 7;
      bytes.make_pages(begin, size);
      for (size_t k = 0; k < kBytes; ++k) ASSERT_EQ(bytes[k], k == begin ? 7 : 0) << begin;
    }
}

TEST(HashSlots, FindWhatIsThere) {
  HashSlots slots;
  std::vector<u64> hashes;
  std::unordered_map<u64, u32> firsts;
  Random random(5);
  for (u32 k = 0; k < 20'000; ++k) {
    // Some share what a slot has of the hash.
    const u64 hash = random.one_in(3) ? u64{random.below(5'000)} << 32 : random.below(5'000);
    const u32 wanted = firsts.emplace(hash, k).first->second;
    hashes.push_back(hash);
    ASSERT_EQ(slots.find_or_add(hash, k, [&](u32 known) { return hashes[known] == hash; }), wanted);
  }
}

TEST(HashSet, CountsEachOnce) {
  HashSet set;
  std::set<u64> wanted;
  Random random(6);
  for (u32 k = 0; k < 20'000; ++k) {
    const u64 hash = random.one_in(2) ? random.below(4'000) : random.next();
    ASSERT_EQ(set.add(hash), wanted.insert(hash).second);
    ASSERT_EQ(set.size(), wanted.size());
  }
  EXPECT_TRUE(wanted.contains(0));
}

TEST(TextList, HasEachText) {
  TextList texts;
  const auto text = [](u64 k) {
    return std::string(k % 13 == 0 ? 0 : k % 40, static_cast<char>('a' + k % 26));
  };
  for (u32 round = 0; round < 2; ++round) {
    for (u64 k = 0; k < 1'000; ++k) texts.add(text(k));
    ASSERT_EQ(texts.size(), 1'000u);
    for (u64 k = 0; k < 1'000; ++k) ASSERT_EQ(texts[k], text(k));
    texts.clear();
    EXPECT_EQ(texts.size(), 0u);
  }
}

TEST(FailureList, GivesBackWhatItWasGiven) {
  const Failure values{3, Trap::None, 0, 0, 0, "", {.cells = "cells"}};
  const Failure nothing{4, Trap::None, 0, 0, 0, "", {}};
  const Failure cut{
      .function = "",
      .actual = {.bytes = 5000, .begin = "[1, ", .differs_at = 4500, .there = "7, 8]"}};
  const Failure trap{.case_index = ~u32{0},
                     .trap = Trap::Overflow,
                     .line = 70'000,
                     .column = 7,
                     .depth = 2,
                     .function = std::string("f\0g", 3),
                     .actual = {},
                     .file = "a.komuz"};
  FailureList list;
  EXPECT_TRUE(list.empty());
  for (const Failure& failure : {values, trap, nothing, cut}) list.push_back(failure);
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].case_index, 3u);
  EXPECT_EQ(list[0].actual, values.actual);
  EXPECT_EQ(list[0].trap, Trap::None);
  const Failure back = list[1];
  EXPECT_EQ(back.case_index, trap.case_index);
  EXPECT_EQ(back.trap, Trap::Overflow);
  EXPECT_EQ(back.line, 70'000u);
  EXPECT_EQ(back.column, 7u);
  EXPECT_EQ(back.depth, 2u);
  EXPECT_EQ(back.function, trap.function);
  EXPECT_EQ(back.file, "a.komuz");
  EXPECT_EQ(back.actual, KeptValue());
  EXPECT_EQ(list[2].actual, KeptValue());
  EXPECT_EQ(list[3].actual, cut.actual);
}

}  // namespace
}  // namespace komuz::engine
