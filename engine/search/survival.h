// SPDX-License-Identifier: Apache-2.0
// Who survives a generation by lexicase selection, where there are more individuals than places. The best one has the first place.
// For each other place a selection says who is to have it, in order (lexicase.h); then in each of some rounds all places that are
// still free ask for the first of theirs whom no place has, and who is asked by several comes to the first of these. So it is
// nearly as if one place after the other had selected among those that are left, and all places do it at once. At last the best of
// the others fill what is free.
#pragma once
#include "engine/search/lexicase.h"
#include "engine/search/proposals.h"

namespace komuz::engine {

struct Survival {
  static constexpr u32 kRanked = kMostRanked, kRounds = 24;
  static constexpr u64 kFree = ~u64{0};

  // The chance of a place's selection: those of proposals have smaller numbers (chance_of).
  HD static Random chance(u64 seed, u64 generation, u32 place) {
    return chance_of(seed, generation, u64{1} << 63 | place);
  }
  // What an individual is asked by: who asks first has the smallest.
  HD static u64 asking(u32 round, u32 place) { return u64{round} << 32 | place; }
  // Whom a place asks for in a round; kNone: nobody, as it has somebody, or there is none. `owners`: by individual, of who asked it
  // first. `asked`: whom it asked for last; kNone: nobody.
  // Others may lower `owners` meanwhile, from free to an asking of this round; both are not below the round, so either gives the
  // same. What an earlier round wrote is smaller than all that this one asks with: it stays.
  HD static u32 next(const u32* ranked, u32 count, const u64* owners, u32 asked, u32 round,
                     u32 place) {
    if (asked != kNone && static_cast<u32>(owners[asked]) == place) return kNone;
    for (u32 k = 0; k < count; ++k)
      if (owners[ranked[k]] >> 32 >= round) return ranked[k];
    return kNone;
  }
};

}  // namespace komuz::engine
