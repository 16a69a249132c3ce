// SPDX-License-Identifier: Apache-2.0
// Which numbers of variants a run evaluates, and in which order: all of them, or a sample of distinct ones. Each follows
// from its place alone, so that a device makes them for itself.
#pragma once
#include "base/hash.h"
#include "base/random.h"

namespace komuz::engine {

// The n-th number of a seed.
[[nodiscard]] HD u64 random_number(u64 seed, u64 n) {
  return Random(Random(seed).next() + n * 0xD134'2543'DE82'EF95u).next();
}

struct VariantNumbers {
  static constexpr u64 kMostSamples = u64{1} << 32;

  u64 all = 0;    // variants of the sketch
  u64 count = 0;  // of them that are evaluated: all, or else kMostSamples at most
  u64 seed = 0;   // of a sample

  // The number at `place`, which is less than the count. A sample has one of each of so many equal parts of all numbers, in
  // their order.
  [[nodiscard]] HD u64 at(u64 place) const {
    if (count == all) return place;
    const u64 begin = start_of_part(place), end = start_of_part(place + 1);
    return begin + multiply_wide(random_number(seed, place), end - begin).high;
  }

 private:
  // all * part / count, whose product may have more than 64 bits.
  [[nodiscard]] HD u64 start_of_part(u64 part) const {
    return all / count * part + all % count * part / count;
  }
};

}  // namespace komuz::engine
