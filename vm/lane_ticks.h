// SPDX-License-Identifier: Apache-2.0
// The handler of TICKS: each lane has its own number of ticks. Compiled once for each instruction set, in its
// namespace.
#pragma once
#include "vm/lane_pure.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// Operand a of the lanes of a vector as ticks: none if it is not positive or the lane is not active.
template <class V>
HD V ticks_of(const Tile& t, u32 lane, V counts) {
  return blend(active_bits(t, lane), select<V>(counts > V{}, counts, V{}), V{});
}

// The same for one lane.
inline u64 ticks_of_lane(const Tile& t, const LoweredOp* op, u32 lane) {
  i64 count;
  __builtin_memcpy(&count, operand_address(t, op->a) + operand_step(sizeof(i64), op->a) * lane,
                   sizeof count);
  return count > 0 ? static_cast<u64>(count) : 0;
}

// Some lane goes past the next check: each lane goes up to its budget or, if the run is stopped, up to that check.
[[gnu::noinline, gnu::cold]] inline void tick_past_look(Tile& t, const LoweredOp* op, u64 most) {
  const u64 until_look = t.next_look > t.ticks_seen ? t.next_look - t.ticks_seen : 0;
  const u64 until_end = t.budget > t.ticks_seen ? t.budget - t.ticks_seen : 0;
  const bool stops = t.stop != nullptr && is_stopped(t);
  LaneMask spent{};
  for (u32 k = 0; k < kMaskWords; ++k)
    for (u64 left = t.active.words[k]; left != 0; left &= left - 1) {
      const u32 lane = k * 64 + static_cast<u32>(__builtin_ctzll(left));
      const u64 count = ticks_of_lane(t, op, lane);
      const u64 used = fuel_of(t, lane) + t.ticks;
      const u64 has = used < t.budget ? t.budget - used : 0;
      const u64 room = stops && until_look < has ? until_look : has;
      const u64 ticks = count < room ? count : room;
      if (ticks < count) spent.words[k] |= left & -left;
      fuel_of(t, lane) += ticks;
    }
  t.fuel_differs = true;
  t.ticks_seen += most < until_end ? most : until_end;
  if (stops) t.budget = 0;  // the other lanes end at their next tick
  for (u32 k = 0; k < kMaskWords; ++k)
    if (spent.words[k] != 0) trap_lanes(t, k, spent.words[k], Trap::Fuel, op->place);
  set_next_look(t);
}

inline const LoweredOp* run_ticks(const LoweredOp* op, Tile& t) {
  constexpr u32 count = lanes_for<i64>();
  using V = Vector<i64, sizeof(i64) * count>;
  const u32 lanes = t.lanes;
  V largest{}, smallest = splat<V>(~u64{0} >> 1);
  Reader<V> reader(t, op->a, 0, false);
  for (u32 lane = 0; lane < lanes; lane += count) {
    const V ticks = ticks_of(t, lane, reader.next());
    const V of_active = blend(active_bits(t, lane), ticks, smallest);
    largest = select<V>(ticks > largest, ticks, largest);
    smallest = select<V>(of_active < smallest, of_active, smallest);
  }
  i64 most = 0, least = smallest[0];
  for (u32 k = 0; k < count; ++k) {
    most = largest[k] > most ? largest[k] : most;
    least = smallest[k] < least ? smallest[k] : least;
  }
  if (most == 0) return op + 1;
  if (t.ticks_seen >= t.next_look || static_cast<u64>(most) > t.next_look - t.ticks_seen) {
    tick_past_look(t, op, static_cast<u64>(most));
    return op + 1;
  }
  t.ticks += static_cast<u64>(least);
  t.ticks_seen += static_cast<u64>(most);
  if (least == most) return op + 1;
  t.fuel_differs = true;
  if (t.is_reordered) {
    for (u32 lane = 0; lane < lanes; ++lane)
      if (is_set(t.active, lane))
        fuel_of(t, lane) += ticks_of_lane(t, op, lane) - static_cast<u64>(least);
    return op + 1;
  }
  Reader<V> again(t, op->a, 0, false);
  for (u32 lane = 0; lane < lanes; lane += count) {
    const V more = ticks_of(t, lane, again.next()) - splat<V>(static_cast<u64>(least));
    V fuel;
    __builtin_memcpy(&fuel, t.fuel + lane, sizeof fuel);
    fuel = blend(active_bits(t, lane), fuel + more, fuel);
    __builtin_memcpy(t.fuel + lane, &fuel, sizeof fuel);
  }
  return op + 1;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
