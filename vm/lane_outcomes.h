// SPDX-License-Identifier: Apache-2.0
// The start and the end of a tile: lanes become active; results and fuel are written to the outcome columns. Compiled
// once for each instruction set, in its namespace.
#pragma once
#include "vm/lane_pure.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// True if all cases of the tile have come to the end.
HD bool is_complete(const Tile& t) {
  u64 missing = 0;
  for (u32 k = 0; k < kMaskWords; ++k) missing |= lanes_below(t.count, k) & ~t.active.words[k];
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
  Reader<V> values(t, op->a, 0, false);
  u64* column = t.out.values.data() + static_cast<u64>(op->c) * t.cases + t.first_case;
  if (is_complete(t) && !t.is_reordered) {
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
      if (is_set(t.active, lane + i)) column[t.rows[lane + i]] = cells[i];
  }
  return op + 1;
}

HD void fill(u64* column, u32 count, u64 value) {
  using V = Vector<u64, kRegisterBytes>;
  const V values = splat<V>(value);
  u32 i = 0;
  for (; i + lane_count<V> <= count; i += lane_count<V>)
    __builtin_memcpy(column + i, &values, sizeof values);
  for (; i < count; ++i) column[i] = value;
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
    // Copied, since the compiler must assume that the stores change it.
    const u64 ticks = t.ticks;
    const u32 count = t.count;
    if (t.fuel_differs) {
      for (u32 i = 0; i < count; ++i) fuel[i] = t.fuel[i] + ticks;
    } else {
      fill(fuel, count, ticks);
    }
    return nullptr;
  }
  for (u32 lane = 0; lane < t.lanes; ++lane) {
    if (!is_set(t.active, lane)) continue;
    const u32 row = t.rows[lane];
    traps[row] = Trap::None;
    places[row] = 0;
    depths[row] = 0;
    fuel[row] = t.fuel[row] + t.ticks;
  }
  return nullptr;
}

// Runs the cases [t.first_case, t.first_case + t.count) from the entry's first operation on.
inline void run_tile(Tile& t, const LoweredOp* first, u32 entry_place) {
  for (u32 k = 0; k < kMaskWords; ++k) t.active.words[k] = lanes_below(t.count, k);
  t.lanes = t.count;
  t.ticks = t.ticks_seen = 0;
  set_next_look(t);
  t.calls_live = 0;
  if (t.fuel_differs) __builtin_memset(t.fuel, 0, sizeof t.fuel);
  t.fuel_differs = false;
  if (t.is_reordered)
    for (u32 lane = 0; lane < kMaxTileLanes; ++lane) t.rows[lane] = static_cast<u8>(lane);
  t.is_reordered = false;
  t.idle = 0;
  t.elements.are_set = false;
  tick(t, entry_place);
  for (const LoweredOp* op = first; op != nullptr;) op = op->run(op, t);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
