// SPDX-License-Identifier: Apache-2.0
// The order of a tile's lanes. When lanes leave a loop at different times, few lanes remain, but all vectors up to
// the last remaining lane are computed. So at the end of an iteration lanes change places, and the active ones come
// to the front.
//
//   active  1 0 0 1 1 0 1 0        1 1 1 1 0 0 0 0      lane 1 and lane 6 have changed places, and lane 2 and lane 4
//   row     0 1 2 3 4 5 6 7   ->   0 6 4 3 2 5 1 7
//
// A lane moves with all its data: its bits in the sets of lanes, and its values in cells that may still be needed.
// The lowering lists these cells for the loop, and for each live call.
//
// Lanes are moved once the inactive lanes have cost as much as the move will: the total is at most twice the optimum.
// Compiled once for each instruction set, in its namespace.
#pragma once
#include "vm/lane_masks.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// Lane hole[i] is not active; lane mover[i], which lies behind it, is.
struct Exchanges {
  u32 count = 0;
  u8 hole[kMaxTileLanes / 2];
  u8 mover[kMaxTileLanes / 2];
};

template <u32 words>
HD u32 count_lanes(const LaneMask& m) {
  u32 count = 0;
  for (u32 k = 0; k < words; ++k) count += static_cast<u32>(__builtin_popcountll(m.words[k]));
  return count;
}

// Lists the lanes of `m` from `begin` on and below `end`, ascending.
HD u32 list_lanes(const LaneMask& m, u32 begin, u32 end, bool is_member, u8* lanes) {
  u32 count = 0;
  for (u32 k = begin / 64; k * 64 < end; ++k) {
    u64 left = is_member ? m.words[k] : ~m.words[k];
    if (begin > k * 64) left &= ~u64{0} << (begin - k * 64);
    if (end < k * 64 + 64) left &= ~(~u64{0} << (end - k * 64));
    for (; left != 0; left &= left - 1)
      lanes[count++] = static_cast<u8>(k * 64 + static_cast<u32>(__builtin_ctzll(left)));
  }
  return count;
}

template <class T>
HD void exchange(const Exchanges& e, T* column) {
  for (u32 i = 0; i < e.count; ++i) {
    const T value = column[e.hole[i]];
    column[e.hole[i]] = column[e.mover[i]];
    column[e.mover[i]] = value;
  }
}

// A lane is in at most one set: the mover is active, so it is in no set of waiting lanes.
HD void exchange_waiting(const Exchanges& e, LaneMask& waiting) {
  for (u32 i = 0; i < e.count; ++i) {
    const u32 hole = e.hole[i], mover = e.mover[i];
    const u64 bit = waiting.words[hole / 64] >> (hole % 64) & 1;
    waiting.words[hole / 64] ^= bit << (hole % 64);
    waiting.words[mover / 64] |= bit << (mover % 64);
  }
}

HD void exchange_cells(const Exchanges& e, const LoweredOp* at, char* frame,
                       const LoweredProgram& program) {
  for (i64 k = at->a; k < at->b; ++k) {
    const LiveCell& cell = program.live_cells.data()[k];
    char* const column = frame + cell.offset;
    if (cell.bytes == sizeof(u64))
      exchange(e, reinterpret_cast<u64*>(column));
    else if (cell.bytes == sizeof(u32))
      exchange(e, reinterpret_cast<u32*>(column));
    else
      exchange(e, reinterpret_cast<u8*>(column));
  }
}

// True if the live cells are known.
HD bool can_reorder(const Tile& t, const LoweredOp* at) {
  bool is_known = at->a != kLiveCellsUnknown && !t.elements.are_set;
  for (u32 k = 0; k < t.calls_live; ++k) is_known &= t.calls[k].call->a != kLiveCellsUnknown;
  return is_known;
}

// Moves the active lanes to the front, at an operation that names its live cells. `regions` are all waiting places in
// use.
[[gnu::noinline]] inline void bring_to_front(Tile& t, const LoweredOp* at, u32 active,
                                             u32 regions) {
  if (t.departures.steps != 0) settle_departures<kMaskWords>(t);  // since they are by lane
  Exchanges e;
  e.count = list_lanes(t.active, 0, active, false, e.hole);
  list_lanes(t.active, active, t.lanes, true, e.mover);
  exchange(e, t.rows);
  exchange_cells(e, at, t.frame, *t.program);
  for (u32 k = 0; k < t.calls_live; ++k)
    exchange_cells(e, t.calls[k].call, t.calls[k].frame, *t.program);
  for (u32 k = 0; k < regions; ++k) exchange_waiting(e, t.first_regions[k].lanes);
  for (u32 k = 0; k < kMaskWords; ++k) t.active.words[k] = lanes_below(active, k);
  t.lanes = active;
  t.is_reordered = true;
}

// Called at the end of an iteration of `ops` operations: decides whether the active lanes move to the front.
template <u32 words>
HD void consider_order(Tile& t, const LoweredOp* at, u64 ops) {
  constexpr u32 kVector = kRegisterBytes / sizeof(u64);
  const u32 active = count_lanes<words>(t.active), idle = t.lanes - active;
  if (idle < kVector) return;
  t.idle += idle * ops;
  // Measured, in units of an operation on a lane: the cost to start and, for each exchange, that of rows, of a cell,
  // of a bit.
  constexpr u64 kStart = 300, kRow = 15, kCell = 3, kBit = 10;
  const u32 regions = static_cast<u32>(t.regions - t.first_regions) + at->region + 2;
  const u64 cells = static_cast<u64>(at->b - at->a) + 2u * t.calls_live;
  const u64 exchanges = idle < active ? idle : active;
  if (t.idle < kStart + exchanges * (kRow + kCell * cells + kBit * regions)) return;
  t.idle = 0;
  if (can_reorder(t, at)) bring_to_front(t, at, active, regions);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
