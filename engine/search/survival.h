// SPDX-License-Identifier: Apache-2.0
// Which individuals survive a generation by lexicase selection, if there are more individuals than places. The best
// one has the first place. For each other place a selection ranks the individuals that it wants (lexicase.h). Then,
// in several rounds, every free place asks for the first individual on its list that no place has; an individual that
// several places ask goes to the first of these places. The result is nearly as if one place after the other had
// selected among the remaining individuals, but all places work at once. In the end the best of the others fill the
// free places.
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
  // The value with which a place asks for an individual: an earlier question has a smaller value.
  HD static u64 asking(u32 round, u32 place) { return u64{round} << 32 | place; }
  // The individual that a place asks for in a round; kNone if it has one, or there is none. `owners`: for each
  // individual the first question that it got. `asked`: the individual that the place asked for last; kNone: none.
  //
  // Others may meanwhile lower an element of `owners` from free to a question of this round. Neither value is below
  // this round's, so both give the same result. A value from an earlier round is smaller than all of this round: it
  // stays.
  HD static u32 next(const u32* ranked, u32 count, const u64* owners, u32 asked, u32 round,
                     u32 place) {
    if (asked != kNone && static_cast<u32>(owners[asked]) == place) return kNone;
    for (u32 k = 0; k < count; ++k)
      if (owners[ranked[k]] >> 32 >= round) return ranked[k];
    return kNone;
  }
};

}  // namespace komuz::engine
