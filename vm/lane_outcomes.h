// SPDX-License-Identifier: Apache-2.0
// The start and the end of a tile: lanes made active, results and fuel written to the outcome columns.
// Compiled once for each instruction set, in its namespace.
#pragma once
#include "vm/lane_pure.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// All cases of the tile have come to the end, in their own lanes.
HD bool is_complete(const Tile& t) {
  if (t.is_permuted) return false;
  u64 missing = 0;
  for (u32 k = 0; k < kMaskWords; ++k) {
    const u32 first = k * 64;
    const u64 all = t.count >= first + 64 ? ~u64{0}
                    : t.count > first     ? (u64{1} << (t.count - first)) - 1
                                          : 0;
    missing |= all & ~t.active.words[k];
  }
  return missing == 0;
}

// Values as cells of 64 bits (cases.h).
template <class V>
HD LanesAs<V, u64> outcome_cells(V v) {
  if constexpr (is_float_lanes<V>) {
    return convert_lanes<LanesAs<V, u64>>(canonical_bits(v));
  } else {
    return bits_as<LanesAs<V, u64>>(convert_lanes<LanesAs<V, i64>>(v));
  }
}

template <class T>
const LoweredOp* run_result(const LoweredOp* op, Tile& t) {
  constexpr u32 count = 8;
  using V = Vector<T, sizeof(T) * count>;
  using Cells = Vector<u64, sizeof(u64) * count>;
  Reader<V> values(t, op->a, op->a_lanes, 0, false);
  u64* column = t.out.values.data() + static_cast<u64>(op->c) * t.cases + t.first_case;
  if (is_complete(t)) {
    u32 lane = 0;
    for (; lane + count <= t.count; lane += count) {
      const Cells cells = outcome_cells(values.next());
      __builtin_memcpy(column + lane, &cells, sizeof cells);
    }
    if (lane < t.count) {
      const Cells cells = outcome_cells(values.next());
      for (u32 i = 0; lane + i < t.count; ++i) column[lane + i] = cells[i];
    }
    return op + 1;
  }
  for (u32 i = 0; i < t.count; ++i) column[i] = 0;
  for (u32 lane = 0; lane < t.lanes; lane += count) {
    const Cells cells = outcome_cells(values.next());
    for (u32 i = 0; i < count; ++i)
      if (is_set(t.active, lane + i)) column[t.case_of[lane + i]] = cells[i];
  }
  return op + 1;
}

inline const LoweredOp* run_finish(const LoweredOp*, Tile& t) {
  Trap* traps = t.out.traps.data() + t.first_case;
  u32* places = t.out.places.data() + t.first_case;
  u32* depths = t.out.depths.data() + t.first_case;
  u64* fuel = t.out.fuel.data() + t.first_case;
  if (is_complete(t)) {
    __builtin_memset(traps, 0, t.count * sizeof *traps);
    __builtin_memset(places, 0, t.count * sizeof *places);
    __builtin_memset(depths, 0, t.count * sizeof *depths);
    if (t.fuel_differs)
      for (u32 i = 0; i < t.count; ++i) fuel[i] = t.fuel[i] + t.ticks;
    else
      for (u32 i = 0; i < t.count; ++i) fuel[i] = t.ticks;
    return nullptr;
  }
  for (u32 lane = 0; lane < t.lanes; ++lane) {
    if (!is_set(t.active, lane)) continue;
    const u32 row = t.case_of[lane];
    traps[row] = Trap::None;
    places[row] = 0;
    depths[row] = 0;
    fuel[row] = t.fuel[lane] + t.ticks;
  }
  return nullptr;
}

// Runs the cases [t.first_case, t.first_case + t.count) from the entry's first operation on.
inline void run_tile(Tile& t, const LoweredOp* first, u32 entry_place) {
  for (u32 k = 0; k < kMaskWords; ++k) {
    const u32 begin = k * 64;
    t.active.words[k] = t.count >= begin + 64 ? ~u64{0}
                        : t.count > begin     ? (u64{1} << (t.count - begin)) - 1
                                              : 0;
  }
  t.lanes = t.count;
  t.ticks = t.ticks_seen = 0;
  t.calls_live = 0;
  if (t.fuel_differs) __builtin_memset(t.fuel, 0, sizeof t.fuel);
  t.fuel_differs = false;
  if (t.is_permuted)
    for (u32 lane = 0; lane < kMaxTileLanes; ++lane) t.case_of[lane] = lane;
  t.is_permuted = false;
  tick(t, entry_place);
  for (const LoweredOp* op = first; op != nullptr;) op = op->run(op, t);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
