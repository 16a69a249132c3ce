// SPDX-License-Identifier: Apache-2.0
// The state of a tile of lanes while it runs. Plain data: lane_masks.h and the handlers operate on it, once for each
// instruction set.
//
// Each lane of a tile is active, or waits in one place of `regions`, or has trapped. All active lanes are at the same
// operation with the same chain of calls, so their depth is one number.
//
// A lane's case is rows[lane], which is the lane itself until lanes change places (lane_order.h).
//
// Ticks are counted once for all active lanes. The fuel that a lane has used is its case's entry in `fuel` plus the
// `ticks` of its set: the tile's for an active lane, the Waiting's for one that waits. Sets with equal ticks merge at
// no cost. Otherwise the difference is added to the `fuel` of one of them: at once, or when the lane is next looked
// at (Departures). All sums are modulo 2^64.
#pragma once
#include <stop_token>

#include "vm/lowered.h"

namespace komuz::vm {

inline constexpr u32 kMaskWords = kMaxTileLanes / kLanesOfWord;

static_assert(kMaxTileLanes - 1 <= 0xFF, "rows are bytes");

struct LaneMask {
  u64 words[kMaskWords];
};

struct Waiting {
  LaneMask lanes;
  u64 ticks;
};

struct CallRecord {
  const LoweredOp* call;
  char* frame;       // the caller's
  Waiting* regions;  // the caller's
};

// While lanes have elements (lane_elements.h): the tile's state for the cases, and the home of each element.
struct ElementLanes {
  bool are_set = false;
  bool fuel_differs = false;
  u32 lanes = 0;
  u64 active = 0;
  u64 ticks = 0, ticks_seen = 0, budget = 0, next_look = 0;
  u64 fuel[kLanesOfWord];
  // Lanes from an element to its case. A vector of lanes may end behind the last element, so the entries there must
  // be valid, too.
  i64 home[kLanesOfWord] = {};
};

// Lanes that left for one waiting place at different times, whose differences are not yet added to `fuel`. In most
// iterations of a loop that lanes leave, a few leave; adding to each at once costs more than the iteration's tick.
struct Departures {
  const Waiting* to = nullptr;
  LaneMask lanes = {};
  u32 steps = 0;                       // how many times lanes left: each lane at most once
  u64 ticks[kMaxTileLanes];            // of each step
  alignas(64) u8 step[kMaxTileLanes];  // of each lane
};

struct Tile {
  char* frame = nullptr;       // of the running function
  Waiting* regions = nullptr;  // of the running function
  u32 lanes = 0;               // behind the last active one
  LaneMask active = {};
  u64 ticks = 0;
  u64 ticks_seen = 0;  // by any lane of the tile: no lane has used more
  u64 budget = 0;
  u64 next_look = 0;  // ticks_seen at the next check of budget and stop token
  const std::stop_token* stop = nullptr;
  bool fuel_differs = false;  // `fuel` is not all 0
  u32 calls_live = 0;         // the entry's not counted
  CallRecord* calls = nullptr;
  u32* live_in_cycle = nullptr;
  const LoweredProgram* program = nullptr;
  char* first_frame = nullptr;

  // The tile's cases: [first_case, first_case + count) of `cases` in all. Lane i runs case rows[i] of these.
  u32 first_case = 0, count = 0, cases = 0;
  OutcomesView out;
  bool is_reordered = true;  // rows[i] is not i for all lanes
  u64 idle = 0;              // operations times inactive lanes, since lanes last changed places

  u64 fuel[kMaxTileLanes] = {};  // by row: it stays in place when lanes change places
  Departures departures;
  u8 rows[kMaxTileLanes];
  Waiting* first_regions = nullptr;
  ElementLanes elements;
};

// Out of line: inline functions of the library must not be compiled for one instruction set.
[[nodiscard]] bool is_stopped(const Tile& t);

}  // namespace komuz::vm
