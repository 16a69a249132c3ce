// SPDX-License-Identifier: Apache-2.0
// The vocabulary on every group: the promises of serial.h, against the simplest computation.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/group/coop.h"
#include "base/group/emulated_machine.h"
#include "base/group/permuted.h"

namespace komuz::test {
namespace {

constexpr u32 kSizes[] = {0, 1, 2, 31, 32, 33, 64, 100, 1000, 1025, 2100};

// Calls body(group) on emulated lanes of so many warps.
template <u32 warps, class Body>
void on_lanes(u64 seed, Body body) {
  Lockstep lockstep(seed, warps);
  constexpr u32 kCapacity = 4096;
  std::vector<u32> memory(CoopScratch::bytes(kCapacity) / sizeof(u32), 0xCDCD'CDCDu);
  const CoopScratch scratch = CoopScratch::in(memory.data(), kCapacity);
  const std::string fault = lockstep.run([&](u32 lane) {
    CoopGroup<EmulatedWarps<warps>> group(EmulatedWarps<warps>(lockstep, lane), scratch);
    body(group);
  });
  EXPECT_EQ(fault, "");
}

// Calls body(group) on every group, and check(its name) behind it, which looks at what it left and clears it.
template <class Body>
void on_every_group(u64 seed, const std::function<void(const char*)>& check, Body body) {
  SerialGroup serial;
  body(serial);
  check("serial");
  PermutedGroup permuted(seed);
  body(permuted);
  check("permuted");
  on_lanes<1>(seed, body);
  check("emulated warp");
  on_lanes<2>(seed, body);
  check("emulated block of 2 warps");
  on_lanes<4>(seed, body);
  check("emulated block of 4 warps");
}

// Not commutative: the last element that is not 0, and how many there are.
struct Last {
  u32 value = 0, count = 0;
  bool operator==(const Last&) const = default;
};
Last combine(Last a, u32 b) { return {b != 0 ? b : a.value, a.count + (b != 0)}; }
Last combine(Last a, const Last& b) {
  return {b.value != 0 ? b.value : a.value, a.count + b.count};
}

TEST(Group, ForEachVisitsEachElementOnce) {
  for (const u32 n : kSizes) {
    std::vector<u32> visits(n, 0);
    on_every_group(
        n,
        [&](const char* group) {
          EXPECT_EQ(visits, std::vector<u32>(n, 1)) << group;
          visits.assign(n, 0);
        },
        [&](auto& g) { g.for_each(n, [&](u32 i) { ++visits[i]; }); });
  }
}

TEST(Group, PermutedVisitsInAnotherOrder) {
  PermutedGroup g(7);
  std::vector<u32> order;
  g.for_each(100, [&](u32 i) { order.push_back(i); });
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

TEST(Group, ScanGivesEachElementTheSumBeforeIt) {
  Random random(1);
  for (const u32 n : kSizes) {
    std::vector<u32> elements(n);
    for (u32& e : elements) e = random.below(4);
    std::vector<Last> wanted(n), found(n);
    Last sum;
    for (u32 i = 0; i < n; ++i) wanted[i] = sum, sum = combine(sum, elements[i]);
    on_every_group(
        n,
        [&](const char* group) {
          EXPECT_EQ(found, wanted) << group;
          found.assign(n, {99, 99});
        },
        [&](auto& g) {
          const Last total = g.scan(
              n, Last{}, [&](u32 i) { return elements[i]; },
              [&](u32 i, const Last& before, u32 own) {
                EXPECT_EQ(own, elements[i]);
                found[i] = before;
              });
          EXPECT_EQ(total, sum);  // on every lane
        });
  }
}

TEST(Group, AutomatonSeesTheTrueStateLast) {
  constexpr u32 kStates = 11;
  Random random(2);
  for (const u32 n : kSizes) {
    std::vector<u32> table(n * kStates + 1);
    for (u32& next : table) next = random.below(kStates);
    std::vector<u32> wanted(n), found(n);
    u32 state = 3;
    const auto is_end = [](u32 i) { return i % 5 == 2; };
    for (u32 i = 0; i < n; ++i)
      wanted[i] = state, state = table[i * kStates + (is_end(i) ? 0 : state)];
    on_every_group(
        n,
        [&](const char* group) {
          EXPECT_EQ(found, wanted) << group;
          found.assign(n, 99);
        },
        [&](auto& g) {
          const u32 end = g.template automaton<kStates>(
              n, 3,
              [&](u32 i, u32 s) {
                found[i] = s;
                return table[i * kStates + (is_end(i) ? 0 : s)];
              },
              is_end);
          EXPECT_EQ(end, state);
        });
  }
}

TEST(Group, SelectBitsListsPositions) {
  Random random(3);
  for (const u32 words : {0u, 1u, 5u, 33u, 70u}) {
    std::vector<u64> bits(words);
    for (u64& word : bits) word = random.next() & random.next();
    if (words > 1) bits[0] = 0, bits[1] = ~0ull;
    std::vector<u32> wanted;
    for (u32 p = 0; p < 64 * words; ++p)
      if (bits[p / 64] >> (p % 64) & 1) wanted.push_back(p);
    const u32 count = static_cast<u32>(wanted.size());
    std::vector<u32> found(count + 4, 0);
    on_every_group(
        words,
        [&](const char* group) {
          EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), found.begin())) << group;
          std::fill(found.begin(), found.end(), 0);
        },
        [&](auto& g) { EXPECT_EQ(g.select_bits(words, bits.data(), found.data(), count), count); });
    if (count == 0) continue;
    on_every_group(
        words, [](const char*) {},
        [&](auto& g) {
          EXPECT_EQ(g.select_bits(words, bits.data(), found.data(), count - 1), count);
        });
  }
}

struct Neighbours {
  i32 left;
  u32 right, rank;
  bool operator==(const Neighbours&) const = default;
};
// By the sentence of serial.h; the rank by a walk of the tree that the neighbours make.
std::vector<Neighbours> neighbours_of(const std::vector<i32>& keys) {
  const i32 n = static_cast<i32>(keys.size());
  std::vector<Neighbours> all(keys.size());
  const auto even = [](i32 k) { return k + (k & 1); };
  for (i32 i = 0; i < n; ++i) {
    i32 left = i - 1, right = i + 1;
    while (left >= 0 && keys[static_cast<u32>(left)] >= even(keys[static_cast<u32>(i)])) --left;
    while (right < n && even(keys[static_cast<u32>(right)]) > keys[static_cast<u32>(i)]) ++right;
    all[static_cast<u32>(i)] = {left, static_cast<u32>(right), 0};
  }
  // Post-order: by the end of the subtree; of those that end together, the inner one (which begins later) first.
  std::vector<u32> order(keys.size());
  for (u32 i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](u32 a, u32 b) {
    return all[a].right != all[b].right ? all[a].right < all[b].right : a > b;
  });
  for (u32 rank = 0; rank < order.size(); ++rank) all[order[rank]].rank = rank;
  return all;
}

TEST(Group, NearestSmallerAgreesWithALinearSearch) {
  Random random(4);
  for (const u32 n : kSizes) {
    for (const u32 height : {1u, 2u, 9u, 2000u}) {
      std::vector<i32> keys(n);
      for (i32& key : keys) key = static_cast<i32>(random.below(height));
      if (height == 2000)
        for (u32 i = 0; i < n; ++i) keys[i] = static_cast<i32>(i < n / 2 ? i : n - i);
      const std::vector<Neighbours> wanted = neighbours_of(keys);
      std::vector<Neighbours> found(n);
      on_every_group(
          n + height,
          [&](const char* group) {
            EXPECT_EQ(found, wanted) << group << ", " << n << " elements below " << height;
            found.assign(n, {-7, 7, 7});
          },
          [&](auto& g) {
            g.nearest_smaller(
                n, [&](u32 i) { return keys[i]; },
                [&](u32 i, LeftSmaller left, RightSmaller right) {
                  found[i] = {left.at, right.at, right.rank};
                  EXPECT_EQ(left.key, left.at < 0 ? -1 : keys[static_cast<u32>(left.at)]);
                  EXPECT_EQ(right.key, right.at == n ? -1 : keys[right.at]);
                });
          });
    }
  }
}

// Each element needs up to three that stand before it in the order; its depth is one more than theirs.
struct Graph {
  std::vector<u32> order, wanted;
  std::vector<Needs> needs;

  Graph(u32 n, u32 reach, bool up, Random& random) : order(n), wanted(n), needs(n) {
    for (u32 i = 0; i < n; ++i) order[i] = i;
    for (u32 i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (u32 r = 0; r < n; ++r) {
      const u32 k = up ? r : n - 1 - r;
      u32 depth = 0;
      for (u32& on : needs[order[k]].on) {
        if (r == 0 || random.below(3) == 0) continue;
        const u32 back = 1 + random.below(std::min(r, reach));
        on = order[up ? k - back : k + back];
        depth = std::max(depth, wanted[on] + 1);
      }
      wanted[order[k]] = depth;
    }
  }
};

template <bool kUp>
void check_dependency_order() {
  Random random(5);
  for (const u32 n : kSizes) {
    for (const u32 reach : {1u, 3u, 5000u}) {
      const Graph graph(n, reach, kUp, random);
      std::vector<u32> depths(n, 77);
      on_every_group(
          n + reach,
          [&](const char* group) {
            EXPECT_EQ(depths, graph.wanted) << group << ", " << n << " elements, reach " << reach;
            depths.assign(n, 77);
          },
          [&](auto& g) {
            const auto visit = [&](u32 i) {
              u32 depth = 0;
              for (const u32 on : graph.needs[i].on)
                if (on != kNoElement) depth = std::max(depth, depths[on] + 1);
              depths[i] = depth;
            };
            const auto needs = [&](u32 i) { return graph.needs[i]; };
            if constexpr (kUp)
              g.up(n, graph.order.data(), visit, needs);
            else
              g.down(n, graph.order.data(), visit, needs);
          });
    }
  }
}
TEST(Group, UpWaitsForWhatAnElementNeeds) { check_dependency_order<true>(); }
TEST(Group, DownWaitsForWhatAnElementNeeds) { check_dependency_order<false>(); }

TEST(Group, AnInputThatNeverComesStopsNothing) {
  constexpr u32 kCount = 100;
  std::vector<u32> order(kCount), done;
  for (u32 i = 0; i < kCount; ++i) order[i] = i;
  on_every_group(
      1,
      [&](const char* group) {
        EXPECT_EQ(done.size(), kCount) << group;
        done.clear();
      },
      [&](auto& g) {
        g.up(
            kCount, order.data(), [&](u32 i) { done.push_back(i); },
            [](u32 i) {
              return Needs{{i % 10 == 3 ? i + 1 : kNoElement, kNoElement, kNoElement}};
            });
      });
}

TEST(Group, WritesToOnePlace) {
  constexpr u32 kCount = 500;
  u8 flag = 0;
  u64 bits = 0;
  u32 highest = 0, head = ~0u, runs = 0;
  std::vector<u32> next(kCount, 0), compact(kCount, 0);
  on_every_group(
      6,
      [&](const char* group) {
        EXPECT_EQ(flag, 1) << group;
        EXPECT_EQ(bits, 0x1111'1111'1111'1111u) << group;
        EXPECT_EQ(highest, kCount - 1) << group;
        EXPECT_EQ(runs, 1u) << group;
        std::vector<u32> seen;
        for (u32 i = head; i != ~0u; i = next[i]) seen.push_back(i);
        std::sort(seen.begin(), seen.end());
        ASSERT_EQ(seen.size(), kCount) << group;
        EXPECT_EQ(seen.back(), kCount - 1) << group;
        for (u32 k = 0; k < kCount / 5; ++k) EXPECT_EQ(compact[k], 5 * k) << group;
        flag = 0, bits = 0, highest = 0, head = ~0u, runs = 0;
      },
      [&](auto& g) {
        g.once([&] { ++runs; });
        g.for_each(kCount, [&](u32 i) {
          if (i == 77) g.raise(flag);
          g.or_into(bits, 1ull << (i & 60));
          g.max_into(highest, i);
          next[i] = g.exchange(head, i);
        });
        (void)g.scan(
            kCount, Last{}, [](u32 i) { return u32{i % 5 == 0}; },
            [&](u32 i, const Last& before, u32 own) {
              g.store_if(own != 0, compact[before.count], i);
            });
      });
}

TEST(Group, BitPlanesAreTheBitsOfTheClasses) {
  constexpr u32 kWords = 7;
  const auto classes = [](u32 i) { return i * 0x9E37'79B9u >> 19; };
  const auto check = [&](auto& g) {
    static u64 planes[kWords][13];
    g.template bit_planes<13>(kWords, classes,
                              [&](u32 w, u32 plane, u64 bits) { planes[w][plane] = bits; });
    g.for_each(kWords * 64, [&](u32 i) {
      for (u32 plane = 0; plane < 13; ++plane)
        EXPECT_EQ(planes[i / 64][plane] >> (i % 64) & 1, classes(i) >> plane & 1) << i;
    });
  };
  on_lanes<1>(1, check);
  on_lanes<4>(1, check);
}

TEST(Group, OneAnswerForAllLanes) {
  const auto check = [](auto& g) {
    static u32 asked;
    g.once([] { asked = 0; });
    EXPECT_EQ(g.ask_one([] { return ++asked + 41; }), 42u);
    EXPECT_EQ(g.ask_one([] { return ++asked + 41; }), 43u);
  };
  on_lanes<1>(1, check);
  on_lanes<2>(2, check);
  on_lanes<4>(3, check);
}

TEST(Lockstep, WarpsThatWaitAtDifferentPlacesAreAFault) {
  Lockstep lockstep(1, 2);
  const std::string fault = lockstep.run([&](u32 lane) {
    CoopGroup<EmulatedWarps<2>> g(EmulatedWarps<2>(lockstep, lane), CoopScratch{});
    if (lane < 32)
      g.once([] {});
    else
      g.for_each(1, [](u32) {});
  });
  EXPECT_NE(fault.find("lane 0 waits in once 0"), std::string::npos) << fault;
  EXPECT_NE(fault.find("lane 32 waits in for_each 0"), std::string::npos) << fault;
}

TEST(Lockstep, LanesThatWaitAtDifferentPlacesAreAFault) {
  Lockstep lockstep(1);
  const std::string fault = lockstep.run([&](u32 lane) {
    CoopGroup<EmulatedMachine> g(EmulatedMachine(lockstep, lane), CoopScratch{});
    if (lane % 2 == 0)
      g.for_each(3, [](u32) {});
    else
      g.for_each(3, [](u32) {});
  });
  EXPECT_NE(fault.find("lane 1 waits in for_each 0 at group_test.cpp"), std::string::npos) << fault;
}

TEST(Lockstep, ALaneThatLeavesIsAFault) {
  Lockstep lockstep(1);
  const std::string fault = lockstep.run([&](u32 lane) {
    CoopGroup<EmulatedMachine> g(EmulatedMachine(lockstep, lane), CoopScratch{});
    if (lane != 9) g.for_each(3, [](u32) {});
  });
  EXPECT_NE(fault.find("lane 9 has ended"), std::string::npos) << fault;
}

TEST(Lockstep, TheSeedDrawsTheOrder) {
  const auto order_of = [](u64 seed) {
    Lockstep lockstep(seed);
    std::vector<u32> order;
    EXPECT_EQ(lockstep.run([&](u32 lane) { order.push_back(lane); }), "");
    return order;
  };
  EXPECT_EQ(order_of(1), order_of(1));
  EXPECT_NE(order_of(1), order_of(2));
}

}  // namespace
}  // namespace komuz::test
