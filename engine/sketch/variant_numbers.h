// SPDX-License-Identifier: Apache-2.0
// The numbers of the variants that a run evaluates, in order: all of them, or a sample of distinct ones. Each number
// follows from its place alone, so that a device computes them by itself.
#pragma once
#include "base/hash.h"
#include "base/random.h"

namespace komuz::engine {

// The n-th random number of a seed.
[[nodiscard]] HD u64 random_number(u64 seed, u64 n) {
  return Random(Random(seed).next() + n * 0xD134'2543'DE82'EF95u).next();
}

struct VariantNumbers {
  static constexpr u64 kMostSamples = u64{1} << 32;

  u64 all = 0;    // variants of the sketch
  u64 count = 0;  // variants to evaluate: all, or else kMostSamples at most
  u64 seed = 0;   // for a sample

  // The number at `place`, which is less than the count. A sample has one number from each of equal parts of all
  // numbers, in order.
  [[nodiscard]] HD u64 at(u64 place) const {
    if (count == all) return place;
    const u64 begin = start_of_part(place), end = start_of_part(place + 1);
    return begin + multiply_wide(random_number(seed, place), end - begin).high;
  }

 private:
  // all * part / count, where the product may have more than 64 bits.
  [[nodiscard]] HD u64 start_of_part(u64 part) const {
    return all / count * part + all % count * part / count;
  }
};

}  // namespace komuz::engine
