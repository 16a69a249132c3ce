// SPDX-License-Identifier: Apache-2.0
#include "base/machine/memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <vector>

namespace komuz::machine {
namespace {

constexpr size_t kMega = size_t{1} << 20;

struct Bounds {
  explicit Bounds(u64 most) { bound_memory(most); }
  ~Bounds() { unbound_memory(); }
  Bounds(const Bounds&) = delete;
  Bounds& operator=(const Bounds&) = delete;
};

TEST(Memory, CountsWhatIsInUse) {
  const u64 before = used_memory();
  {
    const std::vector<char> large(10 * kMega);
    EXPECT_GE(used_memory(), before + 10 * kMega);
    EXPECT_LE(used_memory(), before + 11 * kMega);
  }
  EXPECT_LE(used_memory(), before + kMega / 8);
  count_pages(kMega);
  EXPECT_GE(used_memory(), before + kMega);
  uncount_pages(kMega);
}

// What is added to a size does not make a small one of it.
TEST(Memory, RefusesWhatNoMachineHas) {
  for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 15, SIZE_MAX / 2 + 1, SIZE_MAX / 2 - 64}) {
    volatile size_t hidden = bytes;
    EXPECT_THROW(::operator delete(::operator new(hidden)), std::bad_alloc) << bytes;
    EXPECT_THROW(
        ::operator delete (::operator new (hidden, std::align_val_t{64}), std::align_val_t{64}),
        std::bad_alloc)
        << bytes;
  }
}

// Bounds that are set again leave no file of the ones before open.
TEST(Memory, BoundsThatAreSetAgainKeepNoFiles) {
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  bound_memory(0);
  const auto before = open_files();
  for (int k = 0; k < 5; ++k) bound_memory(0);
  EXPECT_EQ(open_files(), before);
  unbound_memory();
}

// Near the end, then short, which stops who runs, then there is none; and all begins anew once it has been given back.
TEST(Memory, NearsItsEndAndIsShortBeforeItIsRefused) {
  for (const size_t piece : {kMega / 64, kMega / 4, 3 * kMega}) {
    const u64 most = used_memory() + 64 * kMega;
    const Bounds bounds(most);
    std::stop_source stop, late;
    std::vector<std::unique_ptr<char[]>> taken;
    const auto take = [&] { taken.push_back(std::make_unique_for_overwrite<char[]>(piece)); };
    {
      const ShortageStop stops(stop);
      EXPECT_FALSE(has_memory_neared_its_end());
      while (!has_memory_neared_its_end()) take();
      EXPECT_FALSE(is_memory_short()) << piece;
      EXPECT_FALSE(stop.stop_requested());
      while (!is_memory_short()) take();
      EXPECT_TRUE(stop.stop_requested());
    }
    EXPECT_EQ(memory_bound(), MemoryBound::Option);
    const u64 short_at = used_memory();
    EXPECT_GT(most - short_at, 4 * kMega);
    EXPECT_LT(most - short_at, 20 * kMega);
    const ShortageStop stops(late);
    EXPECT_TRUE(late.stop_requested());
    EXPECT_THROW(for (;;) take(), std::bad_alloc);
    EXPECT_LE(used_memory(), most + kMega / 8);
    EXPECT_GT(used_memory() + piece + kMega / 2, most);
    EXPECT_FALSE(end_shortage());
    EXPECT_TRUE(is_memory_short());
    taken.clear();
    EXPECT_TRUE(end_shortage());
    EXPECT_FALSE(is_memory_short());
    take();
  }
}

// One request for more than there is leaves the rest to be used.
TEST(Memory, AVectorThatDoublesIsRefusedAlone) {
  const Bounds bounds(used_memory() + 48 * kMega);
  const std::vector<char> half(30 * kMega);
  EXPECT_THROW(std::vector<char>(60 * kMega), std::bad_alloc);
  EXPECT_THROW(count_pages(60 * kMega), std::bad_alloc);
  EXPECT_TRUE(is_memory_short());
  EXPECT_EQ(std::vector<char>(4 * kMega).size(), 4 * kMega);
  EXPECT_TRUE(end_shortage());
}

TEST(Memory, IsKeptForTheEnd) {
  const Bounds bounds(used_memory() + 64 * kMega);
  keep_memory_for_end(40 * kMega);
  EXPECT_FALSE(is_memory_short());
  const std::vector<char> large(24 * kMega);
  EXPECT_TRUE(is_memory_short());
}

TEST(Memory, EveryFormOfNewIsRefusedInTurn) {
  // Called as functions: a pair of expressions may be left out by the compiler.
  constexpr std::align_val_t kWide{64};
  constexpr size_t kBytes = 128;
  const auto refused = [](const auto& take) {
    refuse_allocations(0, 1);
    const bool is_refused = take();
    refuse_allocations(0, 0);
    EXPECT_TRUE(is_memory_short());
    EXPECT_TRUE(end_shortage());
    return is_refused;
  };
  const auto throws = [](const auto& take) {
    return [take] {
      try {
        take();
      } catch (const std::bad_alloc&) {
        return true;
      }
      return false;
    };
  };
  EXPECT_TRUE(refused(throws([] { ::operator delete(::operator new(kBytes)); })));
  EXPECT_TRUE(refused(throws([] { ::operator delete[](::operator new[](kBytes)); })));
  EXPECT_TRUE(refused(throws([] { ::operator delete(::operator new(kBytes, kWide), kWide); })));
  EXPECT_TRUE(refused(throws([] { ::operator delete[](::operator new[](kBytes, kWide), kWide); })));
  EXPECT_TRUE(refused([] { return ::operator new(kBytes, std::nothrow) == nullptr; }));
  EXPECT_TRUE(refused([] { return ::operator new[](kBytes, std::nothrow) == nullptr; }));
  EXPECT_TRUE(refused([] { return ::operator new(kBytes, kWide, std::nothrow) == nullptr; }));
  const auto once = [] { ::operator delete(::operator new(kBytes)); };
  refuse_allocations(3, 1);
  for (int k = 0; k < 3; ++k) once();
  EXPECT_EQ(allocations(), 3U);
  EXPECT_TRUE(throws(once)());
  once();
  refuse_allocations(0, 0);
  EXPECT_TRUE(end_shortage());
}

}  // namespace
}  // namespace komuz::machine
