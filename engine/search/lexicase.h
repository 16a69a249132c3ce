// SPDX-License-Identifier: Apache-2.0
// Lexicase selection (Spector, 2012). The cases are taken in random order. On each case only the best of the
// remaining individuals stay, until one individual or no case is left. So individuals that are the best on few cases
// are selected, too, which a sum over all cases would hide. If the losses of a case take more than two values,
// individuals within ε of the best stay: ε is the median absolute deviation of the case's losses from their median
// (semi-dynamic ε-lexicase; La Cava et al., 2016 and 2019).
//
// The code is written for the host and for devices. A selection depends only on the losses and on its own chance, so
// all selections of a generation can be made at once.
#pragma once
#include "base/hash.h"
#include "base/random.h"
#include "engine/scores/result_row.h"

namespace komuz::engine {

// Losses of some individuals: a column for each case, with the individuals one behind the other.
struct LossColumns {
  const f64* losses = nullptr;
  u32 individuals = 0, cases = 0;

  [[nodiscard]] HD const f64* operator[](u32 c) const { return losses + u64{c} * individuals; }
};

// The k-th smallest, from 0 on: found bit by bit from the highest, until only one key begins with the bits found.
[[nodiscard]] HD u64 kth_smallest(const u64* keys, u32 count, u32 k) {
  u64 found = 0;
  u32 bit = 64, same = count;
  do {
    --bit;
    u32 zeros = 0;
    for (u32 j = 0; j < count; ++j) zeros += keys[j] >> bit == found >> bit;
    const bool is_zero = k < zeros;
    same = is_zero ? zeros : same - zeros;
    k -= is_zero ? 0 : zeros;
    found |= is_zero ? 0 : u64{1} << bit;
  } while (bit != 0 && same != 1);
  u32 at = 0;
  while (keys[at] >> bit != found >> bit) ++at;
  return keys[at];
}

// The limits of a good loss on a case.
struct CaseGauge {
  f64 epsilon = 0;  // how much worse than the best a good loss may be
  f64 most = 0;     // the best loss of all individuals, plus epsilon
};

// ε comes from the finite losses; of many individuals, 256 at equal distances count. ε is 0 if these have at most two
// values, as with an exact score: then only the best are good. The median of an even number is the lower of the two
// in the middle.
[[nodiscard]] HD f64 epsilon_of(const f64* losses, u32 individuals) {
  constexpr u32 kMost = 256;
  u64 keys[kMost];
  const u32 looked_at = individuals < kMost ? individuals : kMost;
  u32 count = 0;
  for (u32 j = 0; j < looked_at; ++j) {
    const f64 loss = losses[individuals <= kMost ? j : u64{j} * individuals / kMost];
    if (loss - loss == 0) keys[count++] = in_order(loss);
  }
  u64 least = ~u64{0}, most = 0;
  for (u32 j = 0; j < count; ++j) {
    least = keys[j] < least ? keys[j] : least;
    most = keys[j] > most ? keys[j] : most;
  }
  bool has_third = false;
  for (u32 j = 0; j < count; ++j) has_third |= keys[j] != least && keys[j] != most;
  if (!has_third) return 0;
  const u32 half = (count - 1) / 2;
  const f64 middle = number_in_order(kth_smallest(keys, count, half));
  for (u32 j = 0; j < count; ++j)
    keys[j] = in_order(__builtin_fabs(number_in_order(keys[j]) - middle));
  return number_in_order(kth_smallest(keys, count, half));
}
[[nodiscard]] HD CaseGauge gauge_of(const f64* losses, u32 individuals) {
  const f64 epsilon = epsilon_of(losses, individuals);
  f64 best = __builtin_inf();
  for (u32 one = 0; one < individuals; ++one) best = losses[one] < best ? losses[one] : best;
  return {epsilon, best + epsilon};
}

inline constexpr u32 kMostRanked = 64;

// Memory of a selection.
struct LexicaseScratch {
  u32* cases;  // room for all
  u32* pool;   // room for all individuals
};

// Ranks the best individuals for one random order of the cases. Those that are eliminated later come first; of those
// eliminated on the same case, the smaller number comes first. Ranks at most `most` of them (kMostRanked or less):
// those that remained when their number first was that or less. They lie in the pool. Returns how many there are.
[[nodiscard]] HD_COLD u32 rank_by_cases(const LossColumns& losses, const CaseGauge* gauges,
                                        u32 most, Random& random, const LexicaseScratch& scratch) {
  u32* const pool = scratch.pool;
  for (u32 c = 0; c < losses.cases; ++c) scratch.cases[c] = c;
  u32 left = losses.cases;
  const auto draw_case = [&] {
    const u32 drawn = random.below(left--), c = scratch.cases[drawn];
    scratch.cases[drawn] = scratch.cases[left];
    return c;
  };
  const u32 first = draw_case();
  const f64* of_case = losses[first];
  u32 size = 0;
  for (u32 one = 0; one < losses.individuals; ++one) {
    pool[size] = one;
    size += of_case[one] > gauges[first].most ? 0 : 1;
  }
  u32 ranked = 0;  // 0: more than `most` remain
  while (left > 0 && size > 1) {
    if (ranked == 0 && size <= most) ranked = size;
    const u32 c = draw_case();
    of_case = losses[c];
    f64 best = __builtin_inf();
    for (u32 k = 0; k < size; ++k) {
      const f64 loss = of_case[pool[k]];
      best = loss < best ? loss : best;
    }
    const f64 good = best + gauges[c].epsilon;
    u32 gone[kMostRanked];
    u32 kept = 0, going = 0;
    for (u32 k = 0; k < size; ++k) {
      const u32 one = pool[k];
      const bool goes = of_case[one] > good;
      if (goes && ranked != 0) gone[going++] = one;
      pool[kept] = one;
      kept += goes ? 0 : 1;
    }
    for (u32 k = 0; k < going; ++k) pool[kept + k] = gone[k];
    size = kept;
  }
  if (ranked == 0) ranked = size < most ? size : most;
  const u32 drawn = random.below(size), one = pool[drawn];
  pool[drawn] = pool[0];
  pool[0] = one;
  return ranked;
}

// A hash of losses, which tells individuals apart.
[[nodiscard]] inline HD_CALL u64 hash_of_losses(const f64* losses, u32 cases) {
  Hash128 hash;
  for (u32 c = 0; c < cases; ++c) hash.add(__builtin_bit_cast(u64, losses[c]));
  return hash.low ^ hash.high;
}

}  // namespace komuz::engine
